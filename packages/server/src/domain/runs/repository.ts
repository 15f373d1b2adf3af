/** SQL over runs. Every statement filters by workspace and applies no business rule. */
import { sql, type Insertable, type Updateable } from 'kysely';
import { NOTIFICATION_CHANNEL } from '../../database/notifications.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { RunFile, RunRecord, RunStatus, RunsTable } from '../../database/tables.ts';
import type { RunOutcome } from '@quire/process/outcome';
import type { Executor } from '../../database/transaction.ts';
import { removalOf } from '../../queue/claims.ts';
import type { JobClaim } from '../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { EVENTS_TOPIC, type eventRow } from '../events/outbox.ts';
import { runTopic } from './types.ts';

/** Precondition for ending a run: its status, and the token of its attempt (null for none). */
export interface RunHold {
  statuses: readonly RunStatus[];
  token?: string | null;
}

const notified = (topic: string) => sql`pg_notify(${NOTIFICATION_CHANNEL}, ${topic})`.as('told');

/** Maximum size of an outcome in a list, in bytes; a larger one is returned with its run only. */
const LISTED_OUTCOME_BYTES = 64_000;
const COLUMNS_WITHOUT_OUTCOME = [
  'id',
  'workspace_id',
  'status',
  'config',
  'files',
  'progress',
  'error_type',
  'error_message',
  'outcome_bytes',
  'idempotency_key',
  'request_hash',
  'attempt_token',
  'attempts',
  'deadline_at',
  'created_at',
  'modified_at',
  'started_at',
  'finished_at',
  'expires_at',
  'outputs_deleted_at',
] as const satisfies readonly (keyof RunsTable)[];

export class RunRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** Inserts runs, but none whose idempotency key exists. Waits for a concurrent insert of the same key. */
  insertMany(runs: readonly Insertable<RunsTable>[]): Promise<RunRecord[]> {
    return this.#executor
      .insertInto('runs')
      .values(runs)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'idempotency_key']).where('idempotency_key', 'is not', null).doNothing(),
      )
      .returningAll()
      .execute();
  }

  findById(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
    return this.#one(workspaceId, runId).executeTakeFirst();
  }

  lock(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
    return this.#one(workspaceId, runId).forUpdate().executeTakeFirst();
  }

  #one(workspaceId: string, runId: string) {
    return this.#executor
      .selectFrom('runs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', runId);
  }

  findByKey(workspaceId: string, idempotencyKey: Buffer): Promise<RunRecord | undefined> {
    return this.#executor
      .selectFrom('runs')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst();
  }

  /** Lists runs, newest first. An outcome above 64 kB is null. */
  list(
    workspaceId: string,
    filter: { status?: RunStatus | undefined },
    query: ListQuery,
  ): Promise<ListPage<RunRecord>> {
    const small = sql<RunOutcome | null>`case when outcome_bytes <= ${LISTED_OUTCOME_BYTES} then outcome end`;
    let rows = this.#executor
      .selectFrom('runs')
      .select(COLUMNS_WITHOUT_OUTCOME)
      .select(small.as('outcome'))
      .where('workspace_id', '=', workspaceId);
    if (filter.status !== undefined) rows = rows.where('status', '=', filter.status);
    return fetchPage(rows, query, { executor: this.#executor, columns: ['config', 'outcome', 'files'] });
  }

  update(workspaceId: string, runId: string, changes: Updateable<RunsTable>): Promise<RunRecord | undefined> {
    return this.#executor
      .updateTable('runs')
      .set(changes)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', runId)
      .returningAll()
      .executeTakeFirst();
  }

  /**
   * Ends the run and its job, inserts its event and sends notifications in one statement. Returns undefined if the run
   * is not in one of the statuses or, with a token, has another one. The returned record lacks the outcome.
   */
  end(
    { id, workspace_id: workspaceId }: Pick<RunRecord, 'id' | 'workspace_id'>,
    held: RunHold,
    changes: Updateable<RunsTable>,
    { event, job }: { event: ReturnType<typeof eventRow>; job: JobClaim | null },
  ): Promise<Omit<RunRecord, 'outcome'> | undefined> {
    return this.#executor
      .with('ended', (query) => {
        const ended = query
          .updateTable('runs')
          .set(changes)
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('status', 'in', [...held.statuses])
          .returning([...COLUMNS_WITHOUT_OUTCOME, notified(runTopic(id))]);
        return held.token === undefined ? ended : ended.where('attempt_token', 'is not distinct from', held.token);
      })
      .with('event', (query) =>
        query
          .insertInto('events')
          .columns(['id', 'workspace_id', 'type', 'data'])
          .expression((eb) =>
            eb
              .selectFrom('ended')
              .select((row) => [
                sql<string>`${event.id}::uuid`.as('event_id'),
                row.ref('ended.workspace_id').as('event_workspace_id'),
                sql<string>`${event.type}::text`.as('event_type'),
                sql<string>`${event.data}::jsonb`.as('event_data'),
              ]),
          )
          .returning(notified(EVENTS_TOPIC)),
      )
      .with('ended_job', () => sql`(${removalOf([job], sql`exists (select from ended)`)})`)
      .selectFrom('ended')
      .select(COLUMNS_WITHOUT_OUTCOME)
      .executeTakeFirst();
  }

  /** Adds a file; returns false if the status forbids it, the name is taken, or the limit is reached. */
  async appendFile(
    { id, workspace_id: workspaceId }: Pick<RunRecord, 'id' | 'workspace_id'>,
    file: RunFile,
    statuses: readonly RunStatus[],
    maxFiles: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#executor
      .updateTable('runs')
      .set({ files: sql<string>`files || ${JSON.stringify([file])}::jsonb` as never })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('status', 'in', [...statuses])
      .where(sql<number>`jsonb_array_length(files)`, '<', maxFiles)
      .where(sql<boolean>`not files @> ${JSON.stringify([{ name: file.name }])}::jsonb`)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  erase(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
    return this.#executor
      .deleteFrom('runs')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', runId)
      .returningAll()
      .executeTakeFirst();
  }

  /** Counts runs of all workspaces by status, for metrics. */
  async pending(): Promise<{ labels: { status: string }; value: number }[]> {
    const rows = await this.#executor
      .selectFrom('runs')
      .select((eb) => ['status', eb.fn.countAll<string>().as('runs')])
      .where('status', 'in', ['queued', 'running'])
      .groupBy('status')
      .execute();
    const counts = new Map<string, string>(rows.map(({ status, runs }) => [status, runs]));
    return ['queued', 'running'].map((status) => ({ labels: { status }, value: Number(counts.get(status) ?? 0) }));
  }

  /** Counts unfinished runs of the workspace up to a cap, for job priorities. */
  async backlog(workspaceId: string, cap: number): Promise<number> {
    const row = await this.#executor
      .selectFrom((eb) =>
        eb
          .selectFrom('runs')
          .select('id')
          .where('workspace_id', '=', workspaceId)
          .where('status', 'in', ['queued', 'running'])
          .limit(cap)
          .as('pending'),
      )
      .select((eb) => eb.fn.countAll<string>().as('pending'))
      .executeTakeFirstOrThrow();
    return Number(row.pending);
  }
}
