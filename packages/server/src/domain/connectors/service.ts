/** Connectors: create, read, change, test, delete, restore. `syncs.ts` deals with their synchronisations. */
import { ConnectorError } from '@quire/connectors/connector-error';
import type { Transaction, Updateable } from 'kysely';
import type { ConnectorRecord, ConnectorsTable, Database, SourceItemRecord } from '../../database/tables.ts';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import { ApiError, deleted, notFound, valueError } from '../../errors.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { newId } from '../../shared/uuid.ts';
import { auditResource } from '../../database/pending-audit.ts';
import { requireLiveCollection } from '../collections/live.ts';
import { checkConfig, mergeConfig, requireKind, sealConfig } from './credentials.ts';
import { openConnector, type OpenDeps } from './open-connector.ts';
import { ConnectorRepository, type ItemFilter } from './repository.ts';
import { nextDue } from './schedule.ts';
import type { SyncService } from './sync/syncs.ts';
import { statusOf, type ConnectorChanges, type ConnectorTest, type ConnectorView, type NewConnector } from './types.ts';

export interface ConnectorServiceDeps extends OpenDeps {
  queue: JobQueue;
  syncs: SyncService;
  now: () => number;
  random: () => number;
  /** Maximum duration of a test, in ms. */
  testMs: number;
}

export interface ConnectorRemoval {
  documents: 'keep' | 'delete';
  purge: boolean;
}

export class ConnectorService {
  readonly #deps: ConnectorServiceDeps;
  readonly #connectors: ConnectorRepository;

  constructor(deps: ConnectorServiceDeps) {
    this.#deps = deps;
    this.#connectors = new ConnectorRepository(deps.database);
  }

  async create(workspaceId: string, input: NewConnector): Promise<ConnectorView> {
    const { kinds, secretBox, database } = this.#deps;
    const descriptor = requireKind(kinds, input.kind);
    const id = newId();
    auditResource('connector', id);
    const stored = sealConfig(secretBox, descriptor, id, checkConfig(descriptor, input.config));
    const record = await database.transaction().execute(async (transaction) => {
      await requireCollection(transaction, workspaceId, input.collectionId);
      return new ConnectorRepository(transaction).insert({
        id,
        workspace_id: workspaceId,
        collection_id: input.collectionId,
        name: input.name,
        kind: input.kind,
        config: JSON.stringify(stored.config),
        secrets: JSON.stringify(stored.secrets),
        metadata: JSON.stringify(input.metadata ?? {}),
        ...this.#columns(input),
        next_sync_at: this.#due(input.schedule ?? null, false, 0),
      });
    });
    return this.#view(record);
  }

  /** Returns the record, also of a deleted one; undefined if the workspace has none of this id. */
  findById(workspaceId: string, connectorId: string): Promise<ConnectorRecord | undefined> {
    return this.#connectors.findById(workspaceId, connectorId);
  }

  async get(workspaceId: string, connectorId: string): Promise<ConnectorView> {
    const record = await this.#connectors.findById(workspaceId, connectorId);
    if (record === undefined) throw notFound();
    return this.#view(record);
  }

  async list(workspaceId: string, query: ListQuery): Promise<ListPage<ConnectorView>> {
    const page = await this.#connectors.list(workspaceId, query);
    return { ...page, items: await this.#views(page.items) };
  }

  async update(workspaceId: string, connectorId: string, changes: ConnectorChanges): Promise<ConnectorView> {
    const record = await this.#transaction(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const current = await this.#lockLive(connectors, workspaceId, connectorId);
      const columns = this.#changed(current, changes);
      return connectors.update(workspaceId, connectorId, columns);
    });
    if (record === undefined) throw notFound();
    return this.#view(record);
  }

  #changed(current: ConnectorRecord, changes: ConnectorChanges): Updateable<ConnectorsTable> {
    const { kinds, secretBox } = this.#deps;
    const columns: Updateable<ConnectorsTable> = { modified_at: new Date(), ...this.#columns(changes) };
    if (changes.name !== undefined) columns.name = changes.name;
    if (changes.metadata !== undefined) columns.metadata = JSON.stringify(changes.metadata);
    if (changes.config !== undefined) {
      const stored = mergeConfig(secretBox, requireKind(kinds, current.kind), current.id, current, changes.config);
      columns.config = JSON.stringify(stored.config);
      columns.secrets = JSON.stringify(stored.secrets);
      // A position in the change feed of another account or folder means nothing.
      columns.change_token = null;
      if (current.condition === 'needs_attention') columns.condition = 'idle';
    }
    if (changes.include !== undefined || changes.exclude !== undefined) columns.change_token = null;
    const schedule = changes.schedule === undefined ? current.schedule : changes.schedule;
    const paused = changes.paused ?? current.paused;
    const isAttended = columns.condition === 'idle' || current.condition !== 'needs_attention';
    if (schedule !== current.schedule || paused !== current.paused || changes.config !== undefined) {
      columns.next_sync_at = isAttended ? this.#due(schedule, paused, 0) : null;
    }
    return columns;
  }

  /** Returns the columns that creation and change have in common. */
  #columns(input: NewConnector | ConnectorChanges) {
    const { schedule, deletions, maxDeletionShare, include, exclude, maxFileBytes } = input;
    return {
      ...(schedule === undefined ? {} : { schedule }),
      ...('paused' in input && input.paused !== undefined ? { paused: input.paused } : {}),
      ...(deletions === undefined ? {} : { deletions }),
      ...(maxDeletionShare === undefined ? {} : { max_deletion_share: maxDeletionShare }),
      ...(include === undefined ? {} : { include: [...include] }),
      ...(exclude === undefined ? {} : { exclude: [...exclude] }),
      ...(maxFileBytes === undefined ? {} : { max_file_bytes: maxFileBytes }),
    };
  }

  #due(schedule: string | null, paused: boolean, failures: number): Date | null {
    const state = { schedule, paused, failures, needsAttention: false };
    return nextDue(state, new Date(this.#deps.now()), this.#deps.random());
  }

  /** Deletes softly and stops a running synchronisation. Repeated calls return the same record. */
  async remove(workspaceId: string, connectorId: string, removal: ConnectorRemoval): Promise<ConnectorView> {
    const { queue, syncs } = this.#deps;
    const before = await this.get(workspaceId, connectorId);
    const record = await this.#transaction(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const current = await connectors.lock(workspaceId, connectorId);
      if (current === undefined) throw notFound();
      const running = await connectors.runningSync(connectorId);
      if (running !== undefined) await syncs.cancelWithin(transaction, running);
      if (removal.documents === 'delete') {
        const payload = { workspaceId, collectionId: current.collection_id, connectorId };
        await queue.enqueue(transaction, 'delete-connector-documents', payload, { key: `forget:${connectorId}` });
      }
      const deletedAt = current.deleted_at ?? new Date();
      if (removal.purge) {
        await connectors.erase(workspaceId, connectorId);
        return { ...current, deleted_at: deletedAt };
      }
      return connectors.update(workspaceId, connectorId, { deleted_at: deletedAt });
    });
    if (record === undefined) throw notFound();
    return removal.purge ? { ...before, record, status: 'idle' } : this.#view(record);
  }

  async undelete(workspaceId: string, connectorId: string): Promise<ConnectorView> {
    const record = await this.#transaction(async (transaction) => {
      const connectors = new ConnectorRepository(transaction);
      const current = await connectors.lock(workspaceId, connectorId);
      if (current === undefined) throw notFound();
      if (current.deleted_at === null) return current;
      const due = current.condition === 'needs_attention' ? null : this.#due(current.schedule, current.paused, 0);
      return connectors.update(workspaceId, connectorId, { deleted_at: null, next_sync_at: due });
    });
    if (record === undefined) throw notFound();
    return this.#view(record);
  }

  /** Connects to the source. A source that fails is answered with `ok: false` and the reason. */
  async test(workspaceId: string, connectorId: string, signal: AbortSignal): Promise<ConnectorTest> {
    const record = await this.#connectors.findById(workspaceId, connectorId);
    if (record === undefined) throw notFound();
    if (record.deleted_at !== null) throw deleted('The connector is deleted', { connectorId });
    const startedAt = performance.now();
    const { testMs } = this.#deps;
    const timeout = AbortSignal.timeout(testMs);
    const result = (ok: boolean, message: string, sample: readonly string[] = []): ConnectorTest => ({
      ok,
      latencyMs: Math.round(performance.now() - startedAt),
      message,
      sample: [...sample],
    });
    const connector = openConnector(record, { changesSince: null, isDryRun: false }, this.#deps);
    try {
      const sample = await orAborted(connector.test(AbortSignal.any([signal, timeout])), timeout);
      return result(true, sample.length === 0 ? 'The source contains no files' : 'The source can be read', sample);
    } catch (error) {
      if (error instanceof ConnectorError) return result(false, error.message);
      if (timeout.aborted) return result(false, `The source did not answer within ${testMs / 1000} s`);
      throw error;
    } finally {
      await connector.close();
    }
  }

  async items(
    workspaceId: string,
    connectorId: string,
    filter: ItemFilter,
    query: ListQuery,
  ): Promise<{ page: ListPage<SourceItemRecord>; listedAt: Date | null }> {
    const record = await this.#connectors.findById(workspaceId, connectorId);
    if (record === undefined) throw notFound();
    return { page: await this.#connectors.listItems(connectorId, filter, query), listedAt: record.listed_at };
  }

  #transaction<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return retryDeadlock(() => this.#deps.database.transaction().execute(work));
  }

  async #lockLive(connectors: ConnectorRepository, workspaceId: string, connectorId: string): Promise<ConnectorRecord> {
    const record = await connectors.lock(workspaceId, connectorId);
    if (record === undefined) throw notFound();
    if (record.deleted_at !== null) throw deleted('The connector is deleted', { connectorId });
    return record;
  }

  async #view(record: ConnectorRecord): Promise<ConnectorView> {
    const [view] = await this.#views([record]);
    if (view === undefined) throw new Error('a view for each record');
    return view;
  }

  async #views(records: readonly ConnectorRecord[]): Promise<ConnectorView[]> {
    const ids = records.map(({ id }) => id);
    const [running, latest, counts] = await Promise.all([
      this.#connectors.running(ids),
      this.#connectors.latestSyncs(ids),
      this.#connectors.itemCounts(ids),
    ]);
    return records.map((record) => ({
      record,
      status: statusOf(record, running.has(record.id)),
      lastSync: latest.get(record.id) ?? null,
      itemCounts: counts.get(record.id) ?? { synced: 0, failed: 0, skipped: 0 },
    }));
  }
}

/** Throws 422 for a collection that the workspace does not have, 409 for a deleted one. */
async function requireCollection(
  transaction: Transaction<Database>,
  workspaceId: string,
  collectionId: string,
): Promise<void> {
  await requireLiveCollection(transaction, workspaceId, collectionId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) {
      throw valueError(['body', 'collectionId'], 'the workspace has no collection with this id', collectionId);
    }
    throw error;
  });
}

/** Rejects when the signal is aborted, even if the work continues. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
