/** Synchronisations as clients deal with them: start, read, wait, cancel, approve. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Notifications } from '../../../database/notifications.ts';
import { retryDeadlock } from '../../../database/retry-deadlock.ts';
import type { ConnectorRecord, Database, SyncRecord } from '../../../database/tables.ts';
import type { Executor } from '../../../database/transaction.ts';
import { conflict, deleted, notFound } from '../../../errors.ts';
import type { JobQueue } from '../../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../../shared/list.ts';
import { newId } from '../../../shared/uuid.ts';
import { waitForRecord } from '../../changes/wait-for-record.ts';
import { requireLiveCollection } from '../../collections/live.ts';
import { endSync, type EndingDeps } from './ending.ts';
import { ConnectorRepository } from '../repository.ts';
import { syncJobKey, syncTopic, type SyncEnd, type SyncRequest } from '../types.ts';

export interface SyncDeps extends EndingDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
}

const MAX_JOB_ATTEMPTS = 25;

const CANCELLED: SyncEnd = {
  status: 'cancelled',
  condition: 'idle',
  error: { type: 'cancelled', message: 'The synchronisation was cancelled' },
};

/** Inserts a synchronisation and its job; undefined if one is running. The connector is locked. */
export async function beginSync(
  transaction: Transaction<Database>,
  queue: JobQueue,
  connector: ConnectorRecord,
  request: SyncRequest,
): Promise<SyncRecord | undefined> {
  const sync = await transaction
    .insertInto('connector_syncs')
    .values({
      id: newId(),
      workspace_id: connector.workspace_id,
      connector_id: connector.id,
      trigger: request.trigger,
      dry_run: request.dryRun,
      refetch: request.full,
      status: 'running',
      phase: 'listing',
    })
    // A literal: with a parameter, a prepared statement does not find the partial index any more after a few calls.
    .onConflict((on) => on.column('connector_id').where('status', '=', sql.lit('running')).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (sync !== undefined) await enqueueSync(transaction, queue, sync);
  return sync;
}

/** Queues the next slice of a synchronisation. */
export async function enqueueSync(
  executor: Executor,
  queue: JobQueue,
  sync: Pick<SyncRecord, 'id' | 'workspace_id'>,
  delayMs = 0,
): Promise<void> {
  const payload = { workspaceId: sync.workspace_id, syncId: sync.id };
  const runAt = new Date(Date.now() + delayMs);
  await queue.enqueue(executor, 'sync-connector', payload, {
    key: syncJobKey(sync.id),
    maxAttempts: MAX_JOB_ATTEMPTS,
    ...(delayMs > 0 ? { runAt } : {}),
  });
}

export class SyncService {
  readonly #deps: SyncDeps;
  readonly #connectors: ConnectorRepository;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.#connectors = new ConnectorRepository(deps.database);
  }

  /** Starts a synchronisation. Throws 409 while one runs. */
  start(workspaceId: string, connectorId: string, request: Omit<SyncRequest, 'trigger'>): Promise<SyncRecord> {
    return this.#transaction(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const connector = await connectors.lock(workspaceId, connectorId);
      if (connector === undefined) throw notFound();
      if (connector.deleted_at !== null) throw deleted('The connector is deleted', { connectorId });
      await requireLiveCollection(transaction, workspaceId, connector.collection_id);
      const sync = await beginSync(transaction, this.#deps.queue, connector, { ...request, trigger: 'manual' });
      if (sync !== undefined) return sync;
      const running = await connectors.runningSync(connectorId);
      throw conflict('A synchronisation of this connector is running', { syncId: running?.id ?? null });
    });
  }

  findById(workspaceId: string, connectorId: string, syncId: string): Promise<SyncRecord | undefined> {
    return this.#connectors.findSync(workspaceId, connectorId, syncId);
  }

  list(workspaceId: string, connectorId: string, query: ListQuery): Promise<ListPage<SyncRecord>> {
    return this.#connectors.listSyncs(workspaceId, connectorId, query);
  }

  /** Resolves when the synchronisation has ended, or after `waitMs`. */
  wait(record: SyncRecord, waitMs: number, signal: AbortSignal): Promise<SyncRecord> {
    return waitForRecord({
      notifications: this.#deps.notifications,
      topic: syncTopic(record.id),
      read: () => this.findById(record.workspace_id, record.connector_id, record.id),
      isDone: ({ status }) => status !== 'running',
      waitMs,
      signal,
    });
  }

  /** Stops a running synchronisation. Imported documents stay. */
  cancel(workspaceId: string, connectorId: string, syncId: string): Promise<SyncRecord> {
    return this.#transaction(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const sync = await connectors.lockSync(workspaceId, connectorId, syncId);
      if (sync === undefined) throw notFound();
      if (sync.status !== 'running') throw conflict('The synchronisation has ended', { status: sync.status });
      return this.cancelWithin(transaction, sync);
    });
  }

  /** Ends a running synchronisation within a transaction that holds its record. */
  async cancelWithin(transaction: Transaction<Database>, sync: SyncRecord): Promise<SyncRecord> {
    const connector = await new ConnectorRepository(transaction).findById(sync.workspace_id, sync.connector_id);
    if (connector === undefined) throw notFound();
    return endSync(transaction, sync, connector, CANCELLED, this.#deps);
  }

  #transaction<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return retryDeadlock(() => this.#deps.database.transaction().execute(work));
  }

  /** Carries out the deletions that the brake held back: exactly those, unless a later synchronisation has begun. */
  approve(workspaceId: string, connectorId: string, syncId: string): Promise<SyncRecord> {
    return this.#transaction(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const connector = await connectors.lock(workspaceId, connectorId);
      const sync = await connectors.lockSync(workspaceId, connectorId, syncId);
      if (connector === undefined || sync === undefined) throw notFound();
      if (connector.deleted_at !== null) throw deleted('The connector is deleted', { connectorId });
      if (sync.status !== 'held') throw conflict('The synchronisation holds nothing back', { status: sync.status });
      const latest = await connectors.latestSync(connectorId);
      if (latest?.id !== sync.id) throw conflict('A later synchronisation has begun', { syncId: latest?.id ?? null });
      const approved = await transaction
        .updateTable('connector_syncs')
        .set({
          status: 'running',
          phase: 'deleting',
          approved: true,
          error_type: null,
          error_message: null,
          finished_at: null,
          attempts: 0,
          progress_at: new Date(),
        })
        .where('id', '=', syncId)
        .returningAll()
        .executeTakeFirstOrThrow();
      await enqueueSync(transaction, this.#deps.queue, approved);
      return approved;
    });
  }
}
