/** Job `optimize-index`: merges a table's fragments and updates its indexes once there are enough new rows. */
import type { JobHandler } from '../queue/job-queue.ts';
import type { IndexBuilds } from '../domain/collections/index-builds.ts';
import { tableOf } from '../ingestion/reindex.ts';
import type { SearchIndex } from '@quire/search/search-index';

export function optimizeIndex(deps: { builds: IndexBuilds; searchIndex: SearchIndex }): JobHandler<'optimize-index'> {
  return async ({ collectionId, generation }) => {
    const build = await deps.builds.find(collectionId, generation);
    if (build !== undefined) await deps.searchIndex.optimize(tableOf(build.index));
  };
}
