import type { Executor } from '../database/transaction.ts';
import type { JobPayloads, JobQueue } from './job-queue.ts';

type PurgeJob = 'purge-documents' | 'purge-collection' | 'purge-workspace';

/** Delay of the second pass, in ms: longer than the deadline of an attempt or an answer that began before the purge. */
const SECOND_PASS_DELAY_MS = 30 * 60_000;

/**
 * Queues a purge job for now, and a second time for when every attempt and answer that was under way has ended: these
 * may write files, index rows or quotes after the first pass.
 */
export async function enqueuePurge<Name extends PurgeJob>(
  executor: Executor,
  queue: JobQueue,
  name: Name,
  payload: JobPayloads[Name],
): Promise<void> {
  await queue.enqueue(executor, name, payload);
  await queue.enqueue(executor, name, payload, { runAt: new Date(Date.now() + SECOND_PASS_DELAY_MS) });
}
