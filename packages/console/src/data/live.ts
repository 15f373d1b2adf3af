/**
 * Applies the live events of the workspace to the cache. Screens add handlers for what they show; lists are read again
 * at most once a second, so that 10,000 documents that are being indexed cost a few requests.
 */
import type { LiveEvent, Quire } from '@quire/client';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

type Handler = (event: LiveEvent) => void;
const handlers = new Set<Handler>();

/** Queries that an event of a type concerns: first elements of their keys, after the workspace id. */
const CONCERNED: Readonly<Record<string, readonly string[]>> = {
  document: ['collections', 'collection', 'documents'],
  collection: ['collections', 'collection'],
  run: ['runs', 'run'],
  sync: ['connectors', 'connector'],
};
/** Lists that patch themselves while they are shown; the others are only marked, and read again when they are opened. */
const PATCHED: ReadonlySet<string> = new Set(['documents']);
const INTERVAL_MS = 1_000;

export function followWorkspace(quire: Quire, workspaceId: string, cache: QueryClient, signal: AbortSignal): void {
  const due = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    for (const name of due)
      void cache.invalidateQueries({
        queryKey: [workspaceId, name],
        refetchType: PATCHED.has(name) ? 'none' : 'active',
      });
    due.clear();
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  const apply = (event: LiveEvent): void => {
    for (const handler of handlers) handler(event);
    if (event.type === 'reset') void cache.invalidateQueries({ queryKey: [workspaceId] });
    for (const name of CONCERNED[event.type] ?? []) due.add(name);
    if (due.size > 0) timer ??= setTimeout(refresh, INTERVAL_MS);
  };
  const follow = async (): Promise<void> => {
    for await (const event of quire.events({ signal })) apply(event);
  };
  // A refused key ends the session elsewhere; the client continues after other failures.
  follow().catch(() => undefined);
}

/** Calls the handler for each live event while the component is shown. */
export function useLive(handler: Handler): void {
  useEffect(() => {
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }, [handler]);
}
