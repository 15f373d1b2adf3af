/**
 * The purge jobs: remove erased records from the object store, the search index and the history of chats. They begin
 * when the erasure is on disk, so that a crash of PostgreSQL does not bring a record back whose files are gone.
 */
import type { Kysely } from 'kysely';
import { settleAll } from '../database/settle.ts';
import type { Database } from '../database/tables.ts';
import { eraseQuotes } from '../domain/chats/erased-quotes.ts';
import type { IndexSweeps } from '../domain/collections/index-sweeps.ts';
import type { WorkspaceErasure } from '../domain/workspaces/erasure.ts';
import { tableOf } from '../ingestion/reindex.ts';
import type { JobHandler, JobQueue } from '../queue/job-queue.ts';
import type { SearchIndex } from '@quire/search/search-index';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';

export interface PurgeDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  searchIndex: SearchIndex;
  sweeps: IndexSweeps;
  workspaces: WorkspaceErasure;
}

export function purgeDocuments(deps: PurgeDeps): JobHandler<'purge-documents'> {
  return async ({ workspaceId, collectionId, documents }) => {
    await settleAll(deps.database);
    const rows = documents.map(({ key }) => ({ documentKey: BigInt(key), belowRevision: null }));
    for (const index of await deps.sweeps.active(collectionId)) {
      await deps.searchIndex.remove(tableOf(index), rows);
      // The files of the table contain the terms and vectors until it is compacted.
      const { generation } = index;
      const key = `optimize:${collectionId}:${generation}`;
      await deps.queue.enqueue(deps.database, 'optimize-index', { collectionId, generation }, { key });
    }
    for (const { id } of documents) {
      await deps.store.deletePrefix(storageKeys.document(workspaceId, collectionId, id));
    }
    // Answers that were under way when the document was purged have ended by the second pass.
    await eraseQuotes(deps.database, { workspaceId, collectionId, documentIds: documents.map(({ id }) => id) });
  };
}

export function purgeContent(deps: PurgeDeps): JobHandler<'purge-content'> {
  return async ({ prefix }) => {
    await settleAll(deps.database);
    await deps.store.deletePrefix(prefix);
  };
}

export function purgeCollection(deps: PurgeDeps): JobHandler<'purge-collection'> {
  return async ({ workspaceId, collectionId, tables }) => {
    await settleAll(deps.database);
    for (const name of tables) await deps.searchIndex.drop({ name, dimensions: null });
    await deps.store.deletePrefix(storageKeys.collection(workspaceId, collectionId));
  };
}

export function purgeWorkspace(deps: PurgeDeps): JobHandler<'purge-workspace'> {
  return async ({ workspaceId }, { job }) => {
    await settleAll(deps.database);
    const dropTables = async (tables: readonly string[]): Promise<void> => {
      for (const name of tables) await deps.searchIndex.drop({ name, dimensions: null });
    };
    const tables = await deps.workspaces.tables(workspaceId);
    // Before their names are erased, and again afterwards: an attempt may have written to them in the meantime.
    await dropTables(tables);
    await deps.workspaces.eraseCollections(workspaceId);
    await dropTables(tables);
    await deps.store.deletePrefix(storageKeys.workspace(workspaceId));
    await deps.workspaces.erase(workspaceId, job);
    return 'recorded';
  };
}
