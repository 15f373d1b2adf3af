/** Reads server-sent events, as a browser's EventSource does. */
import type { TestService } from './server.ts';

export interface ReadEvent {
  id: string;
  type: string;
  data: { id: string; collectionId?: string; state: Record<string, unknown> | null };
}

export interface EventReader {
  /** The id of the latest block, also of heartbeats; undefined before the first. */
  lastId(): string | undefined;
  /** Resolves to undefined when the stream has ended. */
  next(): Promise<ReadEvent | undefined>;
  /** Reads events up to the first that matches, which is the last one returned. */
  until(matches: (event: ReadEvent) => boolean): Promise<ReadEvent[]>;
  close(): Promise<void>;
}

export async function openEvents(
  { address }: Pick<TestService, 'address'>,
  workspaceUrl: string,
  key: string,
  lastEventId?: string,
): Promise<EventReader> {
  const stop = new AbortController();
  const response = await fetch(`${address}${workspaceUrl}/events`, {
    headers: { authorization: `Bearer ${key}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: stop.signal,
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`${response.status}: ${await response.text()}`);
  let id: string | undefined;
  // Taken at once: Node cancels a body without a reader when its response is garbage-collected.
  const events = readBlocks(response.body.getReader(), (seen) => (id = seen));
  const next = async (): Promise<ReadEvent | undefined> => {
    const { value, done } = await events.next();
    return done === true ? undefined : value;
  };
  const reader: EventReader = {
    lastId: () => id,
    next,
    until: async (matches) => {
      const read: ReadEvent[] = [];
      for (;;) {
        const event = await next();
        if (event === undefined) throw new Error('the stream ended early');
        read.push(event);
        if (matches(event)) return read;
      }
    },
    close: async () => stop.abort(),
  };
  return reader;
}

async function* readBlocks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onId: (id: string) => void,
): AsyncGenerator<ReadEvent, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = new Map(text.slice(0, end).split('\n').map(fieldOf));
        text = text.slice(end + 2);
        const id = fields.get('id');
        if (id !== undefined) onId(id);
        const data = fields.get('data');
        if (data !== undefined) {
          yield { id: id ?? '', type: fields.get('event') ?? 'message', data: JSON.parse(data) as ReadEvent['data'] };
        }
      }
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  }
  return undefined;
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
