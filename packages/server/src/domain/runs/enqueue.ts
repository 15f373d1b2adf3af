import type { RunRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { RunRepository } from './repository.ts';

/** Maximum backlog that is counted: above it the order of priorities no longer matters. */
const BACKLOG_CAP = 10_000;

export const runJobKey = (runId: string): string => `run:${runId}`;

/**
 * Queues the processing of a run. Its priority is the workspace's backlog of runs, not of documents, because a client
 * waits for a run, also while 10,000 documents of the workspace are queued.
 */
export async function enqueueRun(
  executor: Executor,
  queue: JobQueue,
  { id, workspace_id: workspaceId }: Pick<RunRecord, 'id' | 'workspace_id'>,
): Promise<void> {
  const backlog = await new RunRepository(executor).backlog(workspaceId, BACKLOG_CAP);
  const options = { key: runJobKey(id), priority: backlog, maxAttempts: 25 };
  await queue.enqueue(executor, 'process-run', { workspaceId, runId: id }, options);
}
