/** Inserts runs of requests that arrive together, with their jobs and audit entries. */
import type { Insertable, Kysely } from 'kysely';
import type { Database, RunFile, RunRecord, RunsTable } from '../../database/tables.ts';
import type { Backlogs } from '../../queue/backlogs.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { withAudits } from '../audit/with-audits.ts';
import { usageOf, type WorkspaceQuota } from '../workspaces/quota.ts';
import { runJob } from './enqueue.ts';
import { RunRepository } from './repository.ts';

export type NewRunRecord = Insertable<RunsTable> & Pick<RunRecord, 'id' | 'workspace_id' | 'status'>;

interface InsertDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  backlogs: Backlogs;
  quota?: WorkspaceQuota | undefined;
}

const inputBytes = ({ files }: NewRunRecord): number =>
  (JSON.parse(files ?? '[]') as RunFile[]).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/**
 * Inserts runs, and the jobs of those that are queued, in one transaction. Returns the records in order, undefined for
 * a run whose idempotency key exists. Waits for a concurrent insert of the same key.
 */
export async function insertRuns(
  { database, queue, backlogs, quota }: InsertDeps,
  runs: readonly NewRunRecord[],
): Promise<(RunRecord | undefined)[]> {
  const priorities = await backlogs.prioritiesOf(runs.filter(({ status }) => status === 'queued'));
  return withAudits(database, async (transaction) => {
    await quota?.reserve(transaction, usageOf(runs.map((run) => ({ ...run, documents: 0, bytes: inputBytes(run) }))));
    const inserted = await new RunRepository(transaction).insertMany(runs);
    const records = new Map(inserted.map((record) => [record.id, record]));
    const jobs = inserted.flatMap((record) => {
      const priority = priorities.get(record.id);
      return priority === undefined ? [] : [runJob(record, priority)];
    });
    await queue.enqueueMany(transaction, jobs);
    return { result: runs.map(({ id }) => records.get(id)), written: runs.filter(({ id }) => records.has(id)) };
  });
}
