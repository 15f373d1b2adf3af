import type { RunRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { BACKLOG_CAP } from '../../queue/backlogs.ts';
import type { JobQueue, NewJob } from '../../queue/job-queue.ts';
import { RunRepository } from './repository.ts';

export const runJobKey = (runId: string): string => `run:${runId}`;

export type QueuedRun = Pick<RunRecord, 'id' | 'workspace_id'>;

/**
 * `priority` is the workspace's backlog of runs, not of documents, because a client waits for a run, also while 10,000
 * documents of the workspace are queued.
 */
export const runJob = ({ id, workspace_id: workspaceId }: QueuedRun, priority: number): NewJob<'process-run'> => ({
  name: 'process-run',
  payload: { workspaceId, runId: id },
  key: runJobKey(id),
  priority,
  maxAttempts: 25,
});

/** Queues the processing of a run whose record is already written. */
export async function enqueueRun(executor: Executor, queue: JobQueue, run: QueuedRun): Promise<void> {
  const backlog = await new RunRepository(executor).backlog(run.workspace_id, BACKLOG_CAP);
  await queue.enqueueMany(executor, [runJob(run, backlog)]);
}
