/** The purge jobs: what was erased from the records leaves the object store and the search index too. */
import type { IndexSweeps } from '../domain/collections/index-sweeps.ts';
import type { WorkspaceErasure } from '../domain/workspaces/erasure.ts';
import { tableOf } from '../ingestion/reindex.ts';
import type { JobHandler } from '../queue/job-queue.ts';
import type { SearchIndex } from '@quire/search/search-index';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';

export interface PurgeDeps {
  store: ObjectStore;
  searchIndex: SearchIndex;
  sweeps: IndexSweeps;
  workspaces: WorkspaceErasure;
}

export function purgeDocuments(deps: PurgeDeps): JobHandler<'purge-documents'> {
  return async ({ workspaceId, collectionId, documents }) => {
    for (const index of await deps.sweeps.active(collectionId)) {
      await deps.searchIndex.remove(
        tableOf(index),
        documents.map(({ key }) => ({ documentKey: BigInt(key), belowRevision: null })),
      );
    }
    for (const { id } of documents) {
      await deps.store.deletePrefix(storageKeys.document(workspaceId, collectionId, id));
    }
  };
}

export function purgeContent(deps: PurgeDeps): JobHandler<'purge-content'> {
  return ({ prefix }) => deps.store.deletePrefix(prefix);
}

export function purgeCollection(deps: PurgeDeps): JobHandler<'purge-collection'> {
  return async ({ workspaceId, collectionId, tables }) => {
    for (const name of tables) await deps.searchIndex.drop({ name, dimensions: null });
    await deps.store.deletePrefix(storageKeys.collection(workspaceId, collectionId));
  };
}

export function purgeWorkspace(deps: PurgeDeps): JobHandler<'purge-workspace'> {
  return async ({ workspaceId }) => {
    const tables = await deps.workspaces.tables(workspaceId);
    await deps.workspaces.erase(workspaceId);
    for (const name of tables) await deps.searchIndex.drop({ name, dimensions: null });
    await deps.store.deletePrefix(storageKeys.workspace(workspaceId));
  };
}
