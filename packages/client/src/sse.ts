/** Follows the live events of the workspace over as many connections as it takes. */
import { onAbort } from './abort.ts';
import { ConnectionError, QuireError } from './errors.ts';
import { retryDelayMs, sleep } from './retry.ts';
import type { CallOptions, Transport } from './transport.ts';

/**
 * A change of a document, run, collection, connector or synchronisation. `reset`: some were missed, so read the lists
 * again.
 */
export interface LiveEvent {
  type: 'document' | 'run' | 'collection' | 'connector' | 'sync' | 'reset' | (string & {});
  /** Position of the event, for `lastEventId` of a later call. */
  lastEventId: string;
  /** `state` is null for what was erased. */
  data: { id?: string; collectionId?: string; state?: Record<string, unknown> | null };
}

export interface FollowOptions extends Pick<CallOptions, 'signal'> {
  /** Position after which the events begin; by default the present. */
  lastEventId?: string;
  /**
   * Called when a connection is open. `isResumed`: it continues after the last event; otherwise it begins at the
   * present, and what was read before may be older than the first event.
   */
  onOpen?: (isResumed: boolean) => void;
}

export async function* followEvents(
  transport: Transport,
  { lastEventId = '', signal, onOpen }: FollowOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let last = lastEventId;
  for (let failures = 0; ; failures += 1) {
    const connection = new AbortController();
    const ignore = onAbort(signal, (reason) => connection.abort(reason));
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
      const response = await transport.response({ path: '/v1/w/{ws}/events', headers, signal: connection.signal });
      onOpen?.(last !== '');
      for await (const { id, type, data } of messages(response)) {
        failures = 0;
        last = id || last;
        if (data !== '') yield { type, lastEventId: last, data: JSON.parse(data) as LiveEvent['data'] };
      }
    } catch (error) {
      if (connection.signal.aborted) throw connection.signal.reason;
      if (error instanceof QuireError && !(error instanceof ConnectionError) && (error.status ?? 0) < 500) throw error;
    } finally {
      ignore();
      connection.abort();
    }
    await sleep(retryDelayMs(Math.min(failures + 1, 5)), signal);
  }
}

/** Parses server-sent events (HTML standard, section 9.2.6) as the service writes them. */
async function* messages(response: Response): AsyncGenerator<{ id: string; type: string; data: string }> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let rest = '';
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    const parts = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const field = (name: string): string =>
        part
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart())
          .join('\n');
      yield { id: field('id'), type: field('event') || 'message', data: field('data') };
    }
  }
}
