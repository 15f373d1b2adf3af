/** Job `sweep-index`: removes what searches can no longer reach from the index and from PostgreSQL. */
import type { IndexSweeps } from '../domain/collections/index-sweeps.ts';
import { tableOf } from '../ingestion/reindex.ts';
import type { JobHandler } from '../queue/job-queue.ts';
import type { SearchIndex } from '@quire/search/search-index';

const DOCUMENTS_PER_ROUND = 500;

export function sweepIndex(deps: { sweeps: IndexSweeps; searchIndex: SearchIndex }): JobHandler<'sweep-index'> {
  return async ({ collectionId }, context) => {
    for (const index of await deps.sweeps.unused(collectionId)) {
      await deps.searchIndex.drop(tableOf(index));
      await deps.sweeps.deleteGenerationChunks(collectionId, index.generation);
    }
    const tables = (await deps.sweeps.active(collectionId)).map(tableOf);
    for (;;) {
      context.signal.throwIfAborted();
      const documents = await deps.sweeps.obsolete(collectionId, DOCUMENTS_PER_ROUND);
      if (documents.length === 0) return;
      for (const table of tables) await deps.searchIndex.remove(table, documents);
      await deps.sweeps.deleteObsoleteChunks(documents);
    }
  };
}
