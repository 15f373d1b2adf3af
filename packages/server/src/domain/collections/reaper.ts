/** Queues builds of indexes again that have no job. Any process may run it. */
import { sql, type Kysely } from 'kysely';
import type { CollectionIndexRecord, Database } from '../../database/tables.ts';
import { hasJob, tendAbandoned, type WorkKind } from '../../queue/abandoned-work.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { enqueueRebuild, REBUILD_JOB_KEY } from './index-jobs.ts';

export interface IndexReaperDeps {
  database: Kysely<Database>;
  queue: JobQueue;
}

type QueuedBuild = Pick<CollectionIndexRecord, 'collection_id' | 'generation'>;

export class IndexReaper {
  readonly #deps: IndexReaperDeps;

  constructor(deps: IndexReaperDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of builds that it queued again. */
  run(): Promise<number> {
    return tendAbandoned(this.#deps.database, buildWork(this.#deps));
  }
}

/** Generations that are being built, and those whose cut-over has not been completed. A build has no deadline. */
const buildWork = ({ queue }: IndexReaperDeps): WorkKind<QueuedBuild, never> => ({
  findJobless: async (transaction, limit) => {
    const { rows } = await sql<QueuedBuild>`
      select collection_indexes.collection_id, collection_indexes.generation from collection_indexes
      join collections on collections.id = collection_indexes.collection_id and collections.deleted_at is null
      where (collection_indexes.status = 'building' or collection_indexes.status = 'live'
          and collection_indexes.generation > 1 and collection_indexes.finished_at is null)
        and not ${hasJob(REBUILD_JOB_KEY)}
      limit ${limit} for update of collection_indexes skip locked`.execute(transaction);
    return rows;
  },
  enqueue: async (transaction, builds) => {
    for (const { collection_id: collectionId, generation } of builds)
      await enqueueRebuild(transaction, queue, collectionId, generation);
  },
  findOverdue: () => Promise.resolve([]),
  fail: () => Promise.resolve(false),
});
