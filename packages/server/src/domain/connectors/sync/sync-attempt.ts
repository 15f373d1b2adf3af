/**
 * The writes of a worker that runs a synchronisation. Every one is fenced: it takes effect only while the record is
 * running and carries the token of this attempt, so a worker that was suspended and resumes late changes nothing.
 */
import { randomUUID } from 'node:crypto';
import { sql, type ExpressionBuilder, type Kysely, type Transaction, type Updateable } from 'kysely';
import { retryDeadlock } from '../../../database/retry-deadlock.ts';
import type { ConnectorRecord, ConnectorSyncsTable, Database, SyncRecord } from '../../../database/tables.ts';
import type { JobClaim } from '../../../queue/job-queue.ts';
import { storableText } from './storable-text.ts';

/** Another attempt, a cancellation or a deletion took the synchronisation away; the job ends without a result. */
export class SyncSuperseded extends Error {
  override readonly name = 'SyncSuperseded';
}

/** Counters that are increased, and other columns that are set. */
export type SyncChanges = Updateable<ConnectorSyncsTable>;
export type Counter = 'listed' | 'added' | 'updated' | 'unchanged' | 'skipped' | 'deleted' | 'failed' | 'fetched';
type Hidden = 'fetched_bytes' | 'failed_folders' | 'to_fetch' | 'checked' | 'left_out' | 'unconfirmed';
export type Increments = Partial<Record<Counter | Hidden, number>>;

/** A failure after which the synchronisation waits for its next try. */
export interface FailureReport {
  error: { type: string; message: string };
  /** Number of failures of the source since the last progress. */
  failures: number;
  nextTryAt: Date;
}

const WITHOUT_FAILURE = { attempts: 0, error_type: null, error_message: null, next_try_at: null } as const;

export class SyncAttempt {
  readonly connector: ConnectorRecord;
  readonly token: string;
  /** The job of this slice; null for a slice without a job. */
  readonly job: JobClaim | null;
  /** The record as this attempt last wrote it. */
  sync: SyncRecord;
  readonly #database: Kysely<Database>;

  private constructor(
    database: Kysely<Database>,
    sync: SyncRecord,
    connector: ConnectorRecord,
    held: { token: string; job: JobClaim | null },
  ) {
    this.#database = database;
    this.sync = sync;
    this.connector = connector;
    this.token = held.token;
    this.job = held.job;
  }

  /** Takes a running synchronisation over; undefined if it has ended or its connector is gone. */
  static async claim(
    database: Kysely<Database>,
    syncId: string,
    job: JobClaim | null,
  ): Promise<SyncAttempt | undefined> {
    const token = randomUUID();
    const sync = await database
      .updateTable('connector_syncs')
      .set({ attempt_token: token })
      .where('id', '=', syncId)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst();
    if (sync === undefined) return undefined;
    const connector = await database
      .selectFrom('connectors')
      .selectAll()
      .where('id', '=', sync.connector_id)
      .executeTakeFirst();
    return connector === undefined ? undefined : new SyncAttempt(database, sync, connector, { token, job });
  }

  get id(): string {
    return this.sync.id;
  }

  /** Runs the writes together with changes of the record, which count as progress. */
  write<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return retryDeadlock(() =>
      this.#database.transaction().execute(async (transaction) => {
        await this.fence(transaction);
        return work(transaction);
      }),
    );
  }

  /** Locks the record until the transaction ends. Throws `SyncSuperseded` if this attempt does not hold it any more. */
  async fence(transaction: Transaction<Database>): Promise<void> {
    const held = await transaction
      .selectFrom('connector_syncs')
      .select('id')
      .where('id', '=', this.id)
      .where('attempt_token', '=', this.token)
      .where('status', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) throw new SyncSuperseded(`synchronisation ${this.id} was taken away`);
  }

  /** Sets columns and increases counters, within a fenced transaction. The failures of the source are forgotten. */
  advance(transaction: Transaction<Database>, changes: SyncChanges, increments: Increments = {}): Promise<void> {
    return this.update(transaction, { ...WITHOUT_FAILURE, ...changes }, increments);
  }

  /** Does the same as `advance` and keeps the failures of the source: it did not answer. */
  async update(transaction: Transaction<Database>, changes: SyncChanges, increments: Increments = {}): Promise<void> {
    const added = Object.entries(increments).filter(([, by]) => by !== 0);
    this.sync = await transaction
      .updateTable('connector_syncs')
      .set((eb: ExpressionBuilder<Database, 'connector_syncs'>) => ({
        progress_at: new Date(),
        ...changes,
        ...Object.fromEntries(added.map(([counter, by]) => [counter, eb(sql.ref<number>(counter), '+', by)])),
      }))
      .where('id', '=', this.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /** Shows why the synchronisation waits and until when. */
  async reportFailure({ error, failures, nextTryAt }: FailureReport): Promise<void> {
    await this.write(async (transaction) => {
      this.sync = await transaction
        .updateTable('connector_syncs')
        .set({
          attempts: failures,
          error_type: error.type,
          error_message: storableText(error.message),
          next_try_at: nextTryAt,
        })
        .where('id', '=', this.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }
}
