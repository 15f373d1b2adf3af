/** Lists of documents, kept up to date by the live events of their collection. */
import type { Document, LiveEvent, Page } from '@quire/client';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listOptions, PAGE_SIZE } from './list.ts';
import { useLive } from './live.ts';
import { useWorkspace, type WorkspaceContext } from './workspace.ts';

export interface DocumentFilters {
  status?: Document['status'] | undefined;
  errorType?: string | undefined;
  name?: string | undefined;
}

export const documentsKey = (ws: string, collectionId: string): readonly string[] => [ws, 'documents', collectionId];

export const documentsList = ({ id, quire }: WorkspaceContext, collectionId: string, filters: DocumentFilters) =>
  listOptions<Document>([...documentsKey(id, collectionId), filters], (signal) =>
    quire.collection(collectionId).documents.list({ ...definedOf(filters), limit: PAGE_SIZE, signal }),
  );

const definedOf = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

type Pages = InfiniteData<Page<Document>>;
/** Number of loaded pages up to which a list is read again for documents that it does not show yet. */
const MAX_PAGES_READ_AGAIN = 2;
const READ_AGAIN_MS = 1_500;
/** Time in which events are gathered, so that many of them draw the list once. */
const GATHER_MS = 100;

type State = LiveEvent['data']['state'];

/** Patches the rows that are loaded, and reads short lists again when documents come, go or finish. */
export function useLiveDocuments(collectionId: string): void {
  const { id: ws } = useWorkspace();
  const cache = useQueryClient();
  const apply = useMemo(() => {
    const queryKey = documentsKey(ws, collectionId);
    const states = new Map<string, State>();
    let isGathering = false;
    const patch = (): void => {
      isGathering = false;
      const gathered = new Map(states);
      states.clear();
      cache.setQueriesData<Pages>({ queryKey }, (pages) => patched(pages, gathered));
    };
    // Not cleared when the list is left: the timer then marks it, so that it is read when it is opened again.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = (): void => {
      timer = undefined;
      void cache.invalidateQueries({
        queryKey,
        predicate: ({ state }) => ((state.data as Pages | undefined)?.pages.length ?? 0) <= MAX_PAGES_READ_AGAIN,
      });
    };
    return ({ type, data }: LiveEvent): void => {
      if (type !== 'document' || data.id === undefined || data.collectionId !== collectionId) return;
      states.set(data.id, data.state);
      if (!isGathering) setTimeout(patch, GATHER_MS);
      isGathering = true;
      timer ??= setTimeout(readAgain, READ_AGAIN_MS);
    };
  }, [cache, ws, collectionId]);
  useLive(apply);
}

/** Returns undefined, which leaves the list as it is, if none of its documents changed. */
function patched(list: Pages | undefined, states: ReadonlyMap<string, State>): Pages | undefined {
  if (list === undefined || !list.pages.some(({ items }) => items.some(({ id }) => states.has(id)))) return undefined;
  const patch = (document: Document): Document => {
    const state = states.get(document.id);
    if (state === null || state === undefined) return document;
    const { errorType, deleted, ...rest } = state as Partial<Document> & {
      errorType?: string | null;
      deleted?: boolean;
    };
    const error = typeof errorType === 'string' ? { type: errorType, message: document.error?.message ?? '' } : null;
    return { ...document, ...rest, ...(deleted === true && { status: 'deleted' as const }), error };
  };
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(patch) })) };
}
