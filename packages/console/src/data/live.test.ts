import type { LiveEvent, Quire } from '@quire/client';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followWorkspace } from './live.ts';

const KEY: readonly unknown[] = ['ws', 'documents', 'col'];
const READY: LiveEvent = { type: 'document', lastEventId: '1', data: { id: 'doc', collectionId: 'col', state: {} } };

/** A stream that opens and sends events on calls of the test. */
class Stream {
  open: (isResumed: boolean) => void = () => undefined;
  #send: (event: LiveEvent) => void = () => undefined;
  readonly quire = { events: (options: object) => this.#events(options) } as unknown as Quire;

  async *#events({ onOpen }: { onOpen?: (isResumed: boolean) => void }): AsyncGenerator<LiveEvent> {
    this.open = (isResumed) => onOpen?.(isResumed);
    for (;;) yield await new Promise<LiveEvent>((resolve) => (this.#send = resolve));
  }

  async send(event: LiveEvent): Promise<void> {
    this.#send(event);
    await vi.advanceTimersByTimeAsync(0);
  }
}

let cache: QueryClient;
let stream: Stream;
let ending: AbortController;
/** The present state in the service; the list shows that of its last request. */
let state: string;
const list = (): QueryObserver<string> =>
  new QueryObserver<string>(cache, {
    queryKey: KEY,
    queryFn: () => Promise.resolve(state),
    staleTime: 5_000,
    retry: false,
  });

beforeEach(async () => {
  vi.useFakeTimers();
  cache = new QueryClient();
  stream = new Stream();
  ending = new AbortController();
  state = 'indexing';
  followWorkspace(stream.quire, 'ws', cache, ending.signal);
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  ending.abort();
  cache.clear();
  vi.useRealTimers();
});

test('a list that is opened again right after a change is read again', async () => {
  const leave = list().subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  leave();
  state = 'ready';
  await stream.send(READY);
  const opened = list();
  opened.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.getCurrentResult().data).toBe('ready');
});

test('lists that were read before the stream was open are read again', async () => {
  const opened = list();
  opened.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  state = 'ready';
  stream.open(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(opened.getCurrentResult().data).toBe('ready');
});

test('a stream that continues after its last event reads nothing again', async () => {
  const opened = list();
  opened.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  state = 'ready';
  stream.open(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(opened.getCurrentResult().data).toBe('indexing');
});
