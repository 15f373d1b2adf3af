/** Queues jobs for the indexes of collections. Equal jobs have one key, so that only one of them waits. */
import { sql } from 'kysely';
import type { Executor } from '../../database/transaction.ts';
import type { JobQueue } from '../../queue/job-queue.ts';

export const rebuildJobKey = (collectionId: string, generation: number): string =>
  `rebuild:${collectionId}:${generation}`;

/** `rebuildJobKey` of a row of `collection_indexes`. */
export const REBUILD_JOB_KEY = sql<string>`
  'rebuild:' || collection_indexes.collection_id || ':' || collection_indexes.generation`;

/** Queues the build of a generation of an index. */
export async function enqueueRebuild(
  executor: Executor,
  queue: JobQueue,
  collectionId: string,
  generation: number,
): Promise<void> {
  const key = rebuildJobKey(collectionId, generation);
  await queue.enqueue(executor, 'rebuild-index', { collectionId, generation }, { key });
}

/** Queues the removal of rows and tables that no search reads any more. */
export async function enqueueSweep(
  executor: Executor,
  queue: JobQueue,
  collectionId: string,
  options: { runAt?: Date } = {},
): Promise<void> {
  await queue.enqueue(executor, 'sweep-index', { collectionId }, { ...options, key: `sweep:${collectionId}` });
}
