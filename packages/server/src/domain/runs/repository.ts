/** SQL over runs. Every statement filters by workspace; none holds a rule. */
import { sql, type Insertable, type Updateable } from 'kysely';
import { NOTIFICATION_CHANNEL } from '../../database/notifications.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { RunFile, RunRecord, RunStatus, RunsTable } from '../../database/tables.ts';
import type { RunOutcome } from '@quire/process/outcome';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { EVENTS_TOPIC, type eventRow } from '../events/outbox.ts';
import { runTopic } from './types.ts';

/** What must be so for a run to end: its status, and the attempt that holds it (null: none does). */
export interface RunHold {
  statuses: readonly RunStatus[];
  token?: string | null;
}

const notified = (topic: string) => sql`pg_notify(${NOTIFICATION_CHANNEL}, ${topic})`.as('told');

/** A list of 100 runs is to stay a small answer; a larger outcome is read with its run. */
const LISTED_OUTCOME_BYTES = 64_000;
const ALL_BUT_OUTCOME = [
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

  /** Undefined when the workspace has a run of this idempotency key; waits for one that is about to be committed. */
  insert(run: Insertable<RunsTable>): Promise<RunRecord | undefined> {
    return this.#executor
      .insertInto('runs')
      .values(run)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'idempotency_key']).where('idempotency_key', 'is not', null).doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
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

  /** Newest first. An outcome above 64 kB is left out (null). */
  list(
    workspaceId: string,
    filter: { status?: RunStatus | undefined },
    query: ListQuery,
  ): Promise<ListPage<RunRecord>> {
    const small = sql<RunOutcome | null>`case when outcome_bytes <= ${LISTED_OUTCOME_BYTES} then outcome end`;
    let rows = this.#executor
      .selectFrom('runs')
      .select(ALL_BUT_OUTCOME)
      .select(small.as('outcome'))
      .where('workspace_id', '=', workspaceId);
    if (filter.status !== undefined) rows = rows.where('status', '=', filter.status);
    return fetchPage(rows, query);
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
   * Ends the run, inserts the event that tells of it and notifies who waits for either, in one statement; undefined when
   * the run is not in one of the statuses or, with a token, not held by it. The outcome is left out of what it returns.
   */
  end(
    { id, workspace_id: workspaceId }: Pick<RunRecord, 'id' | 'workspace_id'>,
    held: RunHold,
    changes: Updateable<RunsTable>,
    event: ReturnType<typeof eventRow>,
  ): Promise<Omit<RunRecord, 'outcome'> | undefined> {
    return this.#executor
      .with('ended', (query) => {
        const ended = query
          .updateTable('runs')
          .set(changes)
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('status', 'in', [...held.statuses])
          .returning([...ALL_BUT_OUTCOME, notified(runTopic(id))]);
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
      .selectFrom('ended')
      .select(ALL_BUT_OUTCOME)
      .executeTakeFirst();
  }

  /** False when the run is not in one of the statuses, has a file of this name, or has so many already. */
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

  /** Of all workspaces: numbers for whoever runs the service. */
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

  /** Unfinished runs of the workspace, capped: what its next job's priority is made of. */
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
