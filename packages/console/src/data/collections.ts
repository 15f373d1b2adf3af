import type { Collection } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';
import { listOptions } from './list.ts';
import type { WorkspaceContext } from './workspace.ts';

/** Keys of queries begin with the workspace id and a name that live events refresh (`live.ts`). */
export const collectionsList = ({ id, quire }: WorkspaceContext) =>
  listOptions<Collection>([id, 'collections'], (signal) => quire.collections.list({ limit: 100, signal }));

export const collectionQuery = ({ id, quire }: WorkspaceContext, collectionId: string) =>
  queryOptions({
    queryKey: [id, 'collection', collectionId],
    queryFn: ({ signal }) => quire.collections.get(collectionId, { signal }),
  });
