/**
 * Applies the live events of the workspace to the cache. Screens add handlers for what they show; lists are read again
 * at most once a second, so that 10,000 documents that are being indexed cost a few requests.
 */
import type { LiveEvent, Quire } from '@quire/client';
import type { Query, QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { noteDeadline } from './deadlines.ts';

type Handler = (event: LiveEvent) => void;
const handlers = new Set<Handler>();

/** Queries that an event of a type concerns: first elements of their keys, after the workspace id. */
const CONCERNED: Readonly<Record<string, readonly string[]>> = {
  document: ['collections', 'collection', 'documents'],
  collection: ['collections', 'collection'],
  run: ['runs', 'run'],
  sync: ['connectors', 'connector'],
};
const NAMES: ReadonlySet<string> = new Set(['document', ...Object.values(CONCERNED).flat()]);
/** Lists that patch themselves while they are shown; others are only marked, and read again when they are opened. */
const PATCHED: ReadonlySet<string> = new Set(['documents']);
const INTERVAL_MS = 1_000;
/** Time after which refused streams are opened again, in ms. */
const RETRY_MS = 10_000;

export function followWorkspace(quire: Quire, workspaceId: string, cache: QueryClient, signal: AbortSignal): void {
  const key = (name: string): readonly string[] => [workspaceId, name];
  const due = new Set<string>();
  /** Names whose queries out of view were marked in this task: one part of the stream may hold hundreds of events. */
  const marked = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    for (const name of due)
      void cache.invalidateQueries({ queryKey: key(name), refetchType: PATCHED.has(name) ? 'none' : 'active' });
    due.clear();
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  const apply = (event: LiveEvent): void => {
    noteDeadline(event);
    for (const handler of handlers) handler(event);
    if (event.type === 'reset') void readAgain(cache, workspaceId);
    for (const name of CONCERNED[event.type] ?? []) {
      due.add(name);
      if (marked.has(name)) continue;
      if (marked.size === 0) setTimeout(() => marked.clear(), 0);
      marked.add(name);
      // At once: a view that opens before the timer fires would otherwise keep what it showed earlier.
      void cache.invalidateQueries({ queryKey: key(name), type: 'inactive', refetchType: 'none' });
    }
    if (due.size > 0) timer ??= setTimeout(refresh, INTERVAL_MS);
  };
  // Changes between the first reading of a list and the opening of the stream come in no event.
  const onOpen = (isResumed: boolean): void => {
    if (!isResumed) apply({ type: 'reset', lastEventId: '', data: {} });
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        for await (const event of quire.events({ signal, onOpen })) apply(event);
      } catch {
        // A refused key ends the session, and with it the signal; anything else may pass.
        await pause(RETRY_MS, signal);
      }
    }
  };
  void follow();
}

/** Reads again what events would have changed; a first reading under way is repeated once it is done. */
async function readAgain(cache: QueryClient, workspaceId: string): Promise<void> {
  const filters = {
    queryKey: [workspaceId],
    predicate: ({ queryKey }: Query) => NAMES.has(String(queryKey[1])),
  };
  const reading = cache.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  const first = reading.filter(({ state }) => state.data === undefined);
  void cache.invalidateQueries(filters);
  await Promise.allSettled(first.map(({ promise }) => Promise.resolve(promise)));
  if (first.length > 0) void cache.invalidateQueries(filters);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Calls the handler for each live event while the component is shown. */
export function useLive(handler: Handler): void {
  useEffect(() => {
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }, [handler]);
}
