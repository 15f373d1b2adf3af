/** The one place where classes are constructed: from the configuration to a service that can be started and stopped. */
import path from 'node:path';
import { tmpdir } from 'node:os';
import { mkdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { AppDeps } from './app.ts';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/env.ts';
import { loadSecrets, type Secrets } from './config/secrets.ts';
import { connectDatabase, type DatabaseHandle } from './database/connect.ts';
import { PostgresNotifications } from './database/notifications-postgres.ts';
import type { CollectionIndexRecord } from './database/tables.ts';
import { Answers } from './domain/chats/answers.ts';
import { AnswerEngines } from './domain/chats/engines.ts';
import { ChatService } from './domain/chats/service.ts';
import { IndexBuilds } from './domain/collections/index-builds.ts';
import { IndexCheck } from './domain/collections/index-check.ts';
import { IndexSweeps } from './domain/collections/index-sweeps.ts';
import { CollectionService } from './domain/collections/service.ts';
import { ConfiguredChatModels } from './domain/configurations/chat-models.ts';
import { DenseEmbedders } from './domain/configurations/dense-embedders.ts';
import { RemoteIndexEmbedders } from './domain/configurations/remote-index-embedders.ts';
import { ConfigurationService } from './domain/configurations/service.ts';
import { ConfigurationTester } from './domain/configurations/tester.ts';
import { openDefaultEmbedder } from './domain/configurations/default-embedder.ts';
import { ParserChoices } from './domain/configurations/parser-choice.ts';
import { DocumentParsers } from './domain/configurations/document-parsers.ts';
import { ArchiveIngestion } from './domain/documents/archive-ingestion.ts';
import { DocumentContent } from './domain/documents/content.ts';
import { DocumentIngestion } from './domain/documents/ingestion.ts';
import { DocumentReaper } from './domain/documents/reaper.ts';
import { DocumentService } from './domain/documents/service.ts';
import type { InspectUpload } from './domain/documents/types.ts';
import { KeyService } from './domain/keys/service.ts';
import { checkBlocks } from './domain/runs/check-blocks.ts';
import { RunOutputs } from './domain/runs/outputs.ts';
import { RunProcessing } from './domain/runs/processing.ts';
import { RunReaper } from './domain/runs/reaper.ts';
import { RunService } from './domain/runs/service.ts';
import { CollectionLanguages } from './domain/search/collection-languages.ts';
import { QueryEmbedding } from './domain/search/query-embedding.ts';
import { SearchService } from './domain/search/service.ts';
import { DeliveryAttempts } from './domain/webhooks/attempts.ts';
import { DeliveryClaims } from './domain/webhooks/claims.ts';
import { DeliveryService } from './domain/webhooks/delivery-service.ts';
import { countPending } from './domain/webhooks/delivery-repository.ts';
import { OutboxDispatch } from './domain/webhooks/outbox-dispatch.ts';
import { WebhookRetention } from './domain/webhooks/retention.ts';
import { WebhookService } from './domain/webhooks/service.ts';
import { DeliverySettlement } from './domain/webhooks/settlement.ts';
import { WorkspaceErasure } from './domain/workspaces/erasure.ts';
import { WorkspaceService } from './domain/workspaces/service.ts';
import { checkConfig } from './http/routes/configurations/provider-fields.ts';
import { subsystem, type Logger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { AddressRules } from './outbound/address-rules.ts';
import { OutboundClient } from './outbound/outbound-client.ts';
import { openDatabase, type OpenDatabase } from './open-database.ts';
import { sourceFile } from './pipeline/ingest.ts';
import type { Embedder } from './pipeline/embed/embedder.ts';
import type { ParseLimits, SourceFile } from './pipeline/parse/parser.ts';
import { TempDirectories } from './pipeline/modules/temp-directories.ts';
import { SandboxPool } from './pipeline/sandbox/pool.ts';
import { createPreparer } from './pipeline/sandbox/preparer.ts';
import { parseSampleWith, samplePage } from './pipeline/parse-sample.ts';
import { inspectUpload } from './pipeline/validate/inspect-upload.ts';
import { defaultFusion } from './providers/local/default-fusion.ts';
import type { LadderOptions } from './providers/local/model-ladder.ts';
import { fetchThrough } from './providers/local/sources/fetch-file.ts';
import { downloadWithPip } from './providers/local/sources/wheel.ts';
import { LocalChatModels } from './providers/local/local-chat-models.ts';
import { LocalEmbedders } from './providers/local/local-embedders.ts';
import type { ProviderCallRecord } from './providers/provider-observer.ts';
import { systemClock } from './providers/remote/clock.ts';
import { RemoteChatModels } from './providers/remote/remote-chat-models.ts';
import { ProviderConnections } from './providers/remote/provider-connections.ts';
import { RequestGates } from './providers/remote/request-gates.ts';
import { GraphileJobQueue } from './queue/graphile-queue.ts';
import { IndexWriter } from './search/index-writer.ts';
import { LanceIndex } from './search/lance-index.ts';
import { FilesystemStore } from './storage/filesystem-store.ts';
import { SecretBox } from './shared/secret-box.ts';
import { storageKeys } from './storage/layout.ts';
import type { JobHandlers } from './queue/worker.ts';
import { WebhookSender } from './webhooks/sender.ts';
import { WebhookDeliverer } from './workers/deliver-webhooks.ts';
import { ingestDocument } from './workers/ingest-document.ts';
import { processRun, sentFile } from './workers/process-run.ts';
import { optimizeIndex } from './workers/optimize-index.ts';
import { purgeCollection, purgeContent, purgeDocuments, purgeWorkspace } from './workers/purge.ts';
import { rebuildIndex } from './workers/rebuild-index.ts';
import { sweepIndex } from './workers/sweep-index.ts';

const REQUEST_CONNECTIONS = 12;
const THUMBNAIL_SIDE = 512;

export interface Parts {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  secrets: Secrets;
  database: OpenDatabase;
  /** For the workers: what they write is done again after a crash, so their commits need not wait for the disk. */
  workDatabase: DatabaseHandle;
  queue: GraphileJobQueue;
  notifications: PostgresNotifications;
  store: FilesystemStore;
  searchIndex: LanceIndex;
  sandbox: SandboxPool;
  localEmbedders: LocalEmbedders;
  outbound: OutboundClient;
  localChatModels: LocalChatModels;
  spoolDir: string;
  services: ReturnType<typeof buildServices>;
  /** Closes everything that was opened, in reverse order. */
  close(): Promise<void>;
}

/** Opens what the service stands on. Rejects, with everything closed again, when a part does not open. */
export async function openParts(config: Config, logger: Logger, signal: AbortSignal): Promise<Parts> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const secrets = await loadSecrets(config);
    const spoolDir = path.join(config.databaseUrl === null ? config.dataDir : tmpdir(), 'quire-spool');
    await mkdir(spoolDir, { recursive: true });
    await TempDirectories.removeAbandoned(Date.now());
    const database = await openDatabase(config, logger, REQUEST_CONNECTIONS, signal);
    closers.push(() => database.close());
    const workDatabase = connectDatabase({
      connection: database.connection,
      poolSize: config.processing.workerConcurrency,
      applicationName: 'quire work',
      asynchronousCommit: true,
      logger,
    });
    closers.push(() => workDatabase.close());
    const notifications = await PostgresNotifications.connect({ connection: database.connection, logger });
    closers.push(() => notifications.close());
    const store = await FilesystemStore.open(config.storageDir);
    closers.push(() => store.close());
    const searchIndex = await LanceIndex.open({ uri: config.indexUri });
    closers.push(() => searchIndex.close());
    const sandbox = new SandboxPool({
      size: config.processing.parseProcesses,
      memoryBytes: config.processing.parseMemoryBytes,
    });
    closers.push(() => sandbox.close());
    const localEmbedders = new LocalEmbedders(modelLadder(config));
    closers.push(() => localEmbedders.close());
    const outbound = await openOutbound(config);
    closers.push(async () => outbound.close());
    const queue = new GraphileJobQueue(database.db);
    const metrics = new Metrics();
    const localChatModels = new LocalChatModels({
      ladder: modelLadder(config),
      dataDir: config.dataDir,
      clock: systemClock,
      observe: (call) => metrics.observeProviderCall(call),
    });
    closers.push(async () => localChatModels.close());
    metrics.addGauge('quire_jobs', 'Jobs by state', ['state'], () => queue.gauge());
    metrics.addGauge('quire_webhook_deliveries', 'Deliveries that are still to be made', [], () =>
      countPending(database.db),
    );
    const foundation = {
      config,
      logger,
      metrics,
      secrets,
      database,
      workDatabase,
      queue,
      notifications,
      store,
      searchIndex,
      sandbox,
      localEmbedders,
      outbound,
      localChatModels,
      spoolDir,
    };
    const services = buildServices(foundation);
    metrics.addGauge('quire_runs', 'Runs that have not ended, by status', ['status'], () => services.runs.pending());
    return { ...foundation, services, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function openOutbound({ allowPrivateNetwork, extraCaFile }: Config): Promise<OutboundClient> {
  const rules = new AddressRules(allowPrivateNetwork);
  if (extraCaFile === null) return new OutboundClient(rules);
  try {
    return new OutboundClient(rules, { extraCa: await readFile(extraCaFile, 'utf8') });
  } catch (error) {
    throw new ConfigurationError(`Settings:\n  QUIRE_EXTRA_CA_FILE: ${String(error)}`, { cause: error });
  }
}

type Foundation = Omit<Parts, 'services' | 'close'>;

/** Models that are there already: requests and jobs download none. */
export function modelLadder({ dataDir, modelDir, modelHubUrl }: Config): LadderOptions {
  const cacheDir = path.join(dataDir, 'models');
  return { cacheDir, modelDir, hubUrl: modelHubUrl, fetchFile: null, downloadWheel: null };
}

/** Models that may be downloaded: at first start and by `npm run models`. */
export function downloadingLadder(config: Config, outbound: OutboundClient): LadderOptions {
  return { ...modelLadder(config), fetchFile: fetchThrough(outbound), downloadWheel: downloadWithPip };
}

export function parseLimits(config: Config): ParseLimits {
  return {
    maxInflatedBytes: config.limits.inflatedBytes,
    maxArchiveEntries: config.limits.archiveEntries,
    maxArchiveRatio: config.limits.archiveRatio,
    maxArchiveDepth: config.limits.archiveDepth,
  };
}

function buildServices(parts: Foundation) {
  const { config, queue, store, notifications, searchIndex, secrets, logger, outbound } = parts;
  const database = parts.database.db;
  const limits = parseLimits(config);
  const preparer = createPreparer(parts.sandbox, { timeoutMs: config.processing.parseTimeoutMs });
  const keys = new KeyService({ database, now: Date.now });
  const secretBox = new SecretBox(secrets);
  const observe = (call: ProviderCallRecord): void => parts.metrics.observeProviderCall(call);
  const chatModels = new ConfiguredChatModels({
    database,
    secretBox,
    local: parts.localChatModels,
    remote: new RemoteChatModels({
      outbound,
      clock: systemClock,
      observe,
    }),
  });
  const gates = new RequestGates(systemClock);
  const connections = new ProviderConnections({ outbound, clock: systemClock, gates, observe });
  const remote = new RemoteIndexEmbedders({ database, secretBox, connections });
  const embedders = new DenseEmbedders({ database, source: parts.localEmbedders, remote });
  const embedderFor = (index: CollectionIndexRecord, signal: AbortSignal): Promise<Embedder | null> =>
    embedders.of(index, signal);
  const documentParsers = new DocumentParsers({
    database,
    secretBox,
    connections,
    limitPixels: config.limits.pixels,
    tessdataDir: config.tessdataDir,
  });
  const collections = new CollectionService({ database, queue, embedders });
  const indexCheck = new IndexCheck({ database, queue, searchIndex });
  const ingestion = new DocumentIngestion({
    database: parts.workDatabase.db,
    queue,
    notifications,
    deadlineMs: config.processing.deadlineMs,
  });
  const configurations = new ConfigurationService({ database, secretBox, collections, checkConfig });
  const inspectFile: InspectUpload = ({ path: file, name, contentType }) =>
    inspectUpload(file, name, contentType, { ...limits, maxPixels: config.limits.pixels });
  const { deadlineMs, runRetentionMs: retentionMs } = config.processing;
  const parsers = new ParserChoices({ database });
  const runProcessing = new RunProcessing({
    database: parts.workDatabase.db,
    notifications,
    deadlineMs,
    retentionMs,
  });
  const drawThumbnail = async (key: string, toFile: (path: string) => SourceFile, tree: Buffer | null) => {
    const original = await store.checkout(key);
    if (original === undefined) return null;
    const options = { ocr: 'never', ocrLanguages: [], jpegQuality: 85, maxPixels: config.limits.pixels } as const;
    const signal = AbortSignal.timeout(config.processing.parseTimeoutMs);
    try {
      const input = { file: toFile(original.path), options, limits, tree, maxSide: THUMBNAIL_SIDE };
      return await preparer.thumbnail(input, { signal });
    } finally {
      await original.release();
    }
  };
  const search = new SearchService({
    database,
    searchIndex,
    indexCheck,
    queryEmbedding: new QueryEmbedding({
      embedderFor,
      now: () => performance.now(),
      logger: subsystem(logger, 'search'),
    }),
    languages: new CollectionLanguages({ database, now: Date.now }),
    observe: (mode, seconds) => parts.metrics.observeSearch(mode, seconds),
    now: () => performance.now(),
    defaultFusion,
  });
  return {
    preparer,
    documentParsers,
    embedders,
    embedderFor,
    chatModels,
    indexCheck,
    ingestion,
    keys,
    workspaces: new WorkspaceService({ database, queue, now: Date.now, onDeleted: () => keys.forgetRecent() }),
    collections,
    configurations,
    configurationTester: new ConfigurationTester({
      secretBox,
      connections,
      local: embedders,
      chatModels,
      parsers: documentParsers,
      samplePage,
      parseSample: parseSampleWith({ preparer, limits, directory: parts.spoolDir }),
      now: () => performance.now(),
    }),
    documents: new DocumentService({
      database,
      queue,
      store,
      notifications,
      inspectUpload: inspectFile,
    }),
    runs: new RunService({
      database,
      queue,
      store,
      notifications,
      inspectUpload: inspectFile,
      checkBlocks: (workspaceId, blocks) => checkBlocks(workspaceId, blocks, { configurations, parsers }),
      retentionMs,
      maxFiles: config.limits.runFiles,
    }),
    runOutputs: new RunOutputs({
      store,
      drawThumbnail: (run, file) =>
        drawThumbnail(storageKeys.runInput(run, file.id), (path) => sentFile(file, path), null),
    }),
    runProcessing,
    parsers,
    runReaper: new RunReaper({
      database,
      queue,
      store,
      notifications,
      processing: runProcessing,
      deadlineMs,
      retentionMs,
    }),
    content: new DocumentContent({
      database,
      store,
      linkKey: secrets.linkKey,
      now: Date.now,
      drawThumbnail: (document, tree) => {
        const key = storageKeys.original(document, document.searchable_content_id ?? document.content_id);
        return drawThumbnail(key, (path) => sourceFile(document, path), tree);
      },
    }),
    search,
    chats: new ChatService({ database }),
    answers: new Answers({
      database,
      notifications,
      search,
      engines: new AnswerEngines(chatModels),
      metrics: parts.metrics,
      logger: subsystem(logger, 'chat'),
    }),
    ...buildWebhooks(parts, secretBox),
    reaper: new DocumentReaper({
      database,
      queue,
      notifications,
      ingestion,
      deadlineMs: config.processing.deadlineMs,
    }),
  };
}

function buildWebhooks({ database, notifications, outbound, metrics, logger }: Foundation, secretBox: SecretBox) {
  const { db } = database;
  const attempts = new DeliveryAttempts({
    sender: new WebhookSender({ outbound, now: Date.now }),
    secretBox,
    now: Date.now,
    logger: subsystem(logger, 'webhooks'),
    observe: (outcome, seconds) => metrics.observeDelivery(outcome, seconds),
  });
  const settlement = new DeliverySettlement({ database: db, random: Math.random });
  return {
    webhooks: new WebhookService({
      database: db,
      secretBox,
      refusal: (url) => outbound.refusal(url),
      now: Date.now,
    }),
    deliveries: new DeliveryService({ database: db, notifications, attempts, settlement }),
    deliveryAttempts: attempts,
    deliverySettlement: settlement,
    deliveryClaims: new DeliveryClaims({ database: db }),
    webhookRetention: new WebhookRetention({ database: db }),
  };
}

/** What the HTTP application needs of the parts. */
export function appDeps(parts: Parts): AppDeps {
  const { config, secrets, services, database, searchIndex, store, logger, spoolDir } = parts;
  return {
    settings: {
      corsOrigins: config.http.corsOrigins,
      rateLimitPerMinute: config.http.rateLimitPerMinute,
      maxJsonBytes: config.limits.jsonBytes,
      maxFileBytes: config.limits.fileBytes,
      maxFiles: config.limits.runFiles,
      uploadDir: spoolDir,
      cursorKey: secrets.cursorKey,
      linkKey: secrets.linkKey,
    },
    services,
    checks: {
      database: async () => {
        await sql`select 1`.execute(database.db);
      },
      index: async () => {
        await searchIndex.list();
      },
      storage: async () => {
        await store.stat('readiness');
      },
      // A model that is not here costs searches their dense half, which is no reason to take none at all.
      embedder: async () => {
        const model = await services.embedders.recordedDefault();
        if (model === undefined) return 'not resolved yet';
        return model.source === undefined ? model.modelId : `${model.modelId} (${model.source})`;
      },
    },
    metrics: parts.metrics,
    logger: subsystem(logger, 'http'),
    now: Date.now,
  };
}

/** What a worker process does, by job name; `close` when no job runs any more. */
export function buildHandlers(parts: Parts): { handlers: JobHandlers; close: () => Promise<void> } {
  const { config, store, queue, searchIndex, logger, notifications } = parts;
  const { preparer, embedderFor, ingestion } = parts.services;
  const database = parts.workDatabase.db;
  const builds = new IndexBuilds({ database, queue });
  const sweeps = new IndexSweeps({ database });
  const writer = new IndexWriter(searchIndex, {
    onError: (error) => logger.warn({ err: error }, 'the index writer could not ask for an optimisation'),
    requestOptimize: async (table) => {
      const index = await builds.findByTable(table.name);
      if (index === undefined) return;
      const { collection_id: collectionId, generation } = index;
      const key = `optimize:${collectionId}:${generation}`;
      await queue.enqueue(database, 'optimize-index', { collectionId, generation }, { key });
    },
  });
  const purge = { store, searchIndex, sweeps, workspaces: new WorkspaceErasure({ database }) };
  const handlers: JobHandlers = {
    'ingest-document': ingestDocument({
      store,
      preparer,
      writer,
      limits: parseLimits(config),
      ingestion,
      archives: new ArchiveIngestion({ database, queue, notifications, store }),
      embedderFor,
      limitPixels: config.limits.pixels,
      parserFor: ({ collection }) => parts.services.documentParsers.ofCollection(collection),
      deadlineMs: config.processing.deadlineMs,
      observe: (outcome, format, seconds) => {
        parts.metrics.countDocument(outcome, format);
        parts.metrics.observeStage('all', seconds);
      },
      logger,
    }),
    'process-run': processRun({
      processing: parts.services.runProcessing,
      preparer,
      store,
      parserFor: async (run) => {
        const { record, config: parserConfig } = await parts.services.parsers.choose(run.workspace_id, run.config);
        return { ...parts.services.documentParsers.of(record, parserConfig), limits: parseLimits(config) };
      },
      openModel: (workspaceId, modelId) => parts.services.chatModels.open(workspaceId, modelId),
      openEmbedder: (workspaceId) =>
        openDefaultEmbedder(workspaceId, { database: parts.database.db, embedders: parts.services.embedders }),
      deadlineMs: config.processing.deadlineMs,
      observe: (status, seconds) => parts.metrics.observeRun(status, seconds),
      logger: subsystem(logger, 'runs'),
    }),
    'rebuild-index': rebuildIndex({
      store,
      preparer,
      writer,
      builds,
      searchIndex,
      embedderFor,
      knownEmbeddings: (document, index) => builds.knownEmbeddings(document, index),
      logger,
    }),
    'optimize-index': optimizeIndex({ builds, searchIndex }),
    'sweep-index': sweepIndex({ sweeps, searchIndex }),
    'purge-documents': purgeDocuments(purge),
    'purge-content': purgeContent(purge),
    'purge-collection': purgeCollection(purge),
    'purge-workspace': purgeWorkspace(purge),
  };
  return { handlers, close: () => writer.close() };
}

/** What sends webhooks in a worker process; commits synchronously (`OutboxDispatch`). */
export function buildDeliverer({ database, services, notifications, logger }: Parts): WebhookDeliverer {
  return new WebhookDeliverer({
    dispatch: new OutboxDispatch({ database: database.db }),
    claims: services.deliveryClaims,
    attempts: services.deliveryAttempts,
    settlement: services.deliverySettlement,
    notifications,
    logger: subsystem(logger, 'webhooks'),
  });
}
