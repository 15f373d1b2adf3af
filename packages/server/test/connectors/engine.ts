/**
 * The engine of connectors over a real database and an in-memory source, without workers: tests run slices themselves,
 * so that they can end one anywhere, as the death of a process does.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { createLogger } from '../../src/logger.ts';
import type { ConnectorKinds, NewConnector } from '../../src/domain/connectors/types.ts';
import { ConnectorMaintenance } from '../../src/domain/connectors/maintenance.ts';
import { openConnector } from '../../src/domain/connectors/open-connector.ts';
import { ConnectorService } from '../../src/domain/connectors/service.ts';
import { SyncRuns, type SyncRunDeps } from '../../src/domain/connectors/sync/sync-runs.ts';
import { SyncService } from '../../src/domain/connectors/sync/syncs.ts';
import { DocumentRemoval } from '../../src/domain/documents/removal.ts';
import { DocumentService } from '../../src/domain/documents/service.ts';
import type { SyncRecord } from '../../src/database/tables.ts';
import { discard, spool } from '../../src/http/upload.ts';
import { GraphileJobQueue } from '../../src/queue/graphile-queue.ts';
import type { JobClaim, JobEnd } from '../../src/queue/job-queue.ts';
import { SecretBox } from '../../src/shared/secret-box.ts';
import { newId } from '../../src/shared/uuid.ts';
import { FilesystemStore } from '../../src/storage/filesystem-store.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '../postgres.ts';
import { kindsWith, ScriptedSource } from './scripted-source.ts';

const MAX_FILE_BYTES = 1_000_000;

/** Ends a slice as the death of its process does. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

const notifications = {
  subscribe: () => () => undefined,
  publish: async () => undefined,
  close: async () => undefined,
};

export class Engine {
  readonly source = new ScriptedSource();
  readonly database: TestDatabase;
  readonly syncs: SyncService;
  readonly connectors: ConnectorService;
  readonly maintenance: ConnectorMaintenance;
  readonly #folder: string;
  readonly #store: FilesystemStore;
  readonly #runDeps: SyncRunDeps;
  workspaceId = '';
  collectionId = '';
  connectorId = '';
  clock = Date.parse('2026-03-02T00:00:00Z');
  /** Errors that were no fault of the source. */
  readonly errors: unknown[] = [];

  private constructor(
    database: TestDatabase,
    folder: string,
    store: FilesystemStore,
    overrides: Partial<SyncRunDeps>,
    kinds?: ConnectorKinds,
  ) {
    this.database = database;
    this.#folder = folder;
    this.#store = store;
    const { db } = database;
    const queue = new GraphileJobQueue(db);
    const secretBox = new SecretBox({ encryptionKey: Buffer.alloc(32, 1), keyId: 'test' });
    const opening = {
      database: db,
      kinds: kinds ?? kindsWith(new Map([['memory', this.source]])),
      secretBox,
      outbound: new OutboundClient(new AddressRules(['127.0.0.0/8'])),
      maxFileBytes: MAX_FILE_BYTES,
    };
    const requests = { database: db, queue, notifications, now: () => this.clock, random: () => 0 };
    this.syncs = new SyncService(requests);
    this.connectors = new ConnectorService({ testMs: 20_000, ...requests, ...opening, syncs: this.syncs });
    this.maintenance = new ConnectorMaintenance({ ...requests, deadlineMs: 24 * 3_600_000 });
    this.#runDeps = {
      ...requests,
      documents: new DocumentService({
        database: db,
        queue,
        store,
        notifications,
        inspectUpload: async () => ({ format: 'txt', contentType: 'text/plain', isArchive: false }),
        onBatchFailed: (error) => this.errors.push(error),
      }),
      removal: new DocumentRemoval({ database: db, queue, notifications }),
      spool: (body, maxFileBytes) => spool(body, { directory: folder, maxFileBytes }),
      discard,
      maxFileBytes: MAX_FILE_BYTES,
      open: ({ connector, sync }, changesSince) =>
        openConnector(connector, { changesSince, isDryRun: sync.dry_run }, opening),
      concurrency: () => 4,
      maxIndexing: 1_000_000,
      backlogDelayMs: 1,
      retryDelayMs: () => 0,
      sourceDelayMs: () => 0,
      sliceMs: 60_000,
      observeFetch: () => undefined,
      observeSync: () => undefined,
      onError: (error) => this.errors.push(error),
      ...overrides,
    };
  }

  /** Starts with a database of its own. `kinds` replace the source in memory. */
  static async start(overrides: Partial<SyncRunDeps> = {}, kinds?: ConnectorKinds): Promise<Engine> {
    const database = await createTestDatabase();
    const folder = await mkdtemp(path.join(tmpdir(), 'quire-engine-'));
    const store = await FilesystemStore.open(path.join(folder, 'store'));
    const engine = new Engine(database, folder, store, overrides, kinds);
    await engine.#createCollection();
    return engine;
  }

  /** The arguments of `attach` for a process that continues the work on this connector. */
  get place(): [connectionString: string, folder: string, workspaceId: string, connectorId: string] {
    return [this.database.connectionString, this.#folder, this.workspaceId, this.connectorId];
  }

  /** Opens the engine of another process, which must stop it. */
  static async attach(
    [connectionString, folder, workspaceId, connectorId]: readonly string[],
    kinds: ConnectorKinds,
  ): Promise<Engine> {
    const logger = createLogger({ level: 'silent' });
    const handle = connectDatabase({
      connection: connectionString ?? '',
      poolSize: 10,
      applicationName: 'quire test engine',
      logger,
    });
    const { db, pool } = handle;
    const database = { db, pool, connectionString: connectionString ?? '', drop: () => handle.close() };
    const store = await FilesystemStore.open(path.join(folder ?? '', 'store'));
    const engine = new Engine(database, folder ?? '', store, {}, kinds);
    engine.workspaceId = workspaceId ?? '';
    engine.connectorId = connectorId ?? '';
    return engine;
  }

  async #createCollection(): Promise<void> {
    const { db } = this.database;
    this.workspaceId = newId();
    this.collectionId = newId();
    await db.insertInto('workspaces').values({ id: this.workspaceId, name: 'w' }).execute();
    const roles = { parser: 'parsers', dense_embedder: 'embedders', sparse_embedder: 'embedders' } as const;
    const ids: Record<string, string> = {};
    for (const [role, kind] of Object.entries(roles) as [keyof typeof roles, 'parsers' | 'embedders'][]) {
      ids[role] = newId();
      const config = JSON.stringify({ provider: 'local' });
      const configuration = { id: ids[role], workspace_id: this.workspaceId, kind, role, name: role, config };
      await db.insertInto('configurations').values(configuration).execute();
    }
    await db
      .insertInto('collections')
      .values({
        id: this.collectionId,
        workspace_id: this.workspaceId,
        name: 'c',
        parser_id: ids['parser']!,
        embedder_id: ids['dense_embedder']!,
        sparse_embedder_id: ids['sparse_embedder']!,
        chunking: JSON.stringify({ maxTokens: 100, overlapTokens: 0 }),
      })
      .execute();
  }

  async connect(fields: Partial<NewConnector> = {}): Promise<void> {
    const { record } = await this.connectors.create(this.workspaceId, {
      collectionId: this.collectionId,
      name: 'memory',
      kind: 'ftp',
      config: { host: 'memory' },
      ...fields,
    });
    this.connectorId = record.id;
  }

  async begin(request: { dryRun?: boolean; full?: boolean } = {}): Promise<SyncRecord> {
    const { dryRun = false, full = false } = request;
    return this.syncs.start(this.workspaceId, this.connectorId, { dryRun, full });
  }

  async read(syncId: string): Promise<SyncRecord> {
    const sync = await this.syncs.findById(this.workspaceId, this.connectorId, syncId);
    if (sync === undefined) throw new Error('the synchronisation is gone');
    return sync;
  }

  /** Returns the synchronisation that runs. */
  running(): Promise<SyncRecord> {
    const { db } = this.database;
    return db.selectFrom('connector_syncs').selectAll().where('status', '=', 'running').executeTakeFirstOrThrow();
  }

  /** Runs one slice as a process of its own. */
  slice(
    syncId: string,
    overrides: Partial<SyncRunDeps> = {},
    signal = new AbortController().signal,
    job: JobClaim | null = null,
  ): Promise<JobEnd> {
    return new SyncRuns({ ...this.#runDeps, ...overrides }).runSlice(syncId, signal, job);
  }

  /** Runs slices until the synchronisation has ended. Slices of 0 ms hold one step each. */
  async finish(syncId: string, sliceMs = 60_000): Promise<SyncRecord> {
    for (;;) {
      const sync = await this.read(syncId);
      if (sync.status !== 'running') return sync;
      await this.slice(syncId, { sliceMs });
    }
  }

  async run(request: { dryRun?: boolean; full?: boolean } = {}): Promise<SyncRecord> {
    return this.finish((await this.begin(request)).id);
  }

  /** Returns the paths of the source of all documents that are not deleted, in order. */
  async documents(): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('documents')
      .select('metadata')
      .where('deleted_at', 'is', null)
      .execute();
    return rows.map(({ metadata }) => (metadata['source'] as { path: string }).path).toSorted();
  }

  items() {
    return this.database.db.selectFrom('connector_items').selectAll().orderBy('path').execute();
  }

  async stop(): Promise<void> {
    await this.#store.close();
    await this.database.drop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the counters of a synchronisation that are not 0. */
export function countsOf(sync: SyncRecord): Record<string, number> {
  const { listed, added, updated, unchanged, skipped, deleted, failed } = sync;
  const all = { listed, added, updated, unchanged, skipped, deleted, failed };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count !== 0));
}
