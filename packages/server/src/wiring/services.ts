/** The services of the domain, as requests and jobs use them. */
import { AuditService } from '../domain/audit/service.ts';
import { Answers } from '../domain/chats/answers.ts';
import { AnswerEngines } from '../domain/chats/engines.ts';
import { ChatService } from '../domain/chats/service.ts';
import { RemoteFiles } from '../domain/runs/remote-files.ts';
import { SingleAnswers } from '../domain/chats/single-answers.ts';
import { viewerOf, type FindViewer } from '../domain/chats/viewer.ts';
import { ChangeFeed } from '../domain/changes/change-feed.ts';
import { IndexCheck } from '../domain/collections/index-check.ts';
import { LiveIndexes } from '../domain/collections/live-indexes.ts';
import { CollectionService } from '../domain/collections/service.ts';
import { ConfigurationService } from '../domain/configurations/service.ts';
import { ConfigurationTester } from '../domain/configurations/tester.ts';
import { ParserChoices } from '../domain/configurations/parser-choice.ts';
import { DocumentContent } from '../domain/documents/content.ts';
import { IndexReaper } from '../domain/collections/reaper.ts';
import { DocumentIngestion } from '../domain/documents/ingestion.ts';
import { DocumentReaper } from '../domain/documents/reaper.ts';
import { DocumentRenderings } from '../domain/documents/renderings.ts';
import { DocumentRemoval } from '../domain/documents/removal.ts';
import { DocumentService } from '../domain/documents/service.ts';
import type { InspectUpload } from '../domain/documents/types.ts';
import { KeyService } from '../domain/keys/service.ts';
import { CollectionLanguages } from '../domain/search/collection-languages.ts';
import { FilterMatches } from '../domain/search/filter-matches.ts';
import { Likenesses } from '../domain/search/likeness.ts';
import { QueryEmbedding } from '../domain/search/query-embedding.ts';
import { SearchService } from '../domain/search/service.ts';
import { WorkspaceService } from '../domain/workspaces/service.ts';
import { presentWorkspace, subsystem } from '../logger.ts';
import { sourceFile } from '../ingestion/ingest.ts';
import { createSandboxClient } from '@quire/process/tasks/create-sandbox-client';
import { parseSampleWith, samplePage } from '../ingestion/parse-sample.ts';
import { refusalError } from '../domain/uploads/refusal-error.ts';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';
import { defaultFusion } from '../domain/search/default-fusion.ts';
import { SecretBox } from '../shared/secret-box.ts';
import { storageKeys } from '../storage/layout.ts';
import type { Foundation } from './foundation.ts';
import { buildConnectors } from './connectors.ts';
import { buildRuns } from './runs.ts';
import { buildWebhooks } from './webhooks.ts';
import { parseLimits } from './limits.ts';
import { buildProviders } from './providers.ts';
import { buildPagePictures, buildPictureCache } from './page-pictures.ts';
import { thumbnailDrawer } from './thumbnails.ts';

export type Services = ReturnType<typeof buildServices>;

export function buildServices(parts: Foundation) {
  const { config, queue, store, notifications, searchIndex, secrets, logger } = parts;
  const database = parts.database.db;
  const limits = parseLimits(config);
  const sandbox = createSandboxClient(parts.sandbox, {
    timeoutMs: config.processing.parseTimeoutMs,
    presentOwner: presentWorkspace,
  });
  const secretBox = new SecretBox(secrets);
  const keys = new KeyService({
    database,
    secretBox,
    now: Date.now,
    onTokenRefused: ({ problem, keyId }) => {
      subsystem(logger, 'http').info({ problem, tokenKeyId: keyId.slice(0, 36) }, 'a scoped token was refused');
    },
  });
  const { chatModels, reranking, connections, embedders, embedderFor, documentParsers } = buildProviders(
    parts,
    secretBox,
  );
  const likenesses = new Likenesses(parts.localEmbedders, (error) =>
    subsystem(logger, 'chat').warn({ err: error }, 'sentences are compared by the static model only until a restart'),
  );
  const engines = new AnswerEngines(chatModels, likenesses);
  const collections = new CollectionService({ database, queue, embedders });
  const workspaces = new WorkspaceService({ database, queue, onDeleted: () => keys.forgetRecent() });
  const findViewer: FindViewer = async (workspaceId, principal) =>
    viewerOf(principal, await workspaces.chatSharing(workspaceId));
  const audit = new AuditService({ database, retentionMs: config.auditRetentionMs, now: Date.now });
  const liveIndexes = new LiveIndexes({ database });
  const indexCheck = new IndexCheck({ database, queue, searchIndex, maxLostShare: parts.maxLostShare });
  const ingestion = new DocumentIngestion({
    database: parts.workDatabase.db,
    queue,
    notifications,
    deadlineMs: config.processing.deadlineMs,
    onBatchFailed: (error) => logger.warn({ err: error }, 'a batch of ingestion steps failed'),
  });
  const configurations = new ConfigurationService({ database, secretBox, collections });
  const inspectFile: InspectUpload = ({ path: file, name, contentType }) =>
    inspectUpload(file, name, contentType, { ...limits, maxPixels: config.limits.pixels }).catch((error: unknown) => {
      throw error instanceof FileRefused ? refusalError(error) : error;
    });
  const parsers = new ParserChoices({ database });
  const drawThumbnail = thumbnailDrawer(parts, sandbox);
  const pictureCache = buildPictureCache(parts);
  const search = new SearchService({
    database,
    searchIndex,
    liveIndexes,
    indexCheck,
    queryEmbedding: new QueryEmbedding({
      embedderFor,
      now: () => performance.now(),
      logger: subsystem(logger, 'search'),
    }),
    reranking,
    likenesses,
    languages: new CollectionLanguages({ database, now: Date.now }),
    filterMatches: new FilterMatches({ database, now: () => performance.now() }),
    observe: (mode, seconds) => parts.metrics.observeSearch(mode, seconds),
    now: () => performance.now(),
    defaultFusion,
  });
  return {
    sandbox,
    changes: new ChangeFeed({ database, notifications, now: Date.now }),
    documentParsers,
    embedders,
    embedderFor,
    chatModels,
    indexCheck,
    ingestion,
    audit,
    keys,
    workspaces,
    collections,
    configurations,
    configurationTester: new ConfigurationTester({
      secretBox,
      connections: connections.once(),
      local: embedders,
      chatModels,
      parsers: documentParsers,
      samplePage,
      parseSample: parseSampleWith({ sandbox, limits, directory: parts.spoolDir }),
      now: () => performance.now(),
    }),
    documents: new DocumentService({
      database,
      queue,
      store,
      notifications,
      inspectUpload: inspectFile,
      quota: parts.quota,
      onBatchFailed: (error) => logger.warn({ err: error }, 'a batch of uploads could not be committed'),
    }),
    documentRemoval: new DocumentRemoval({ database, queue, notifications }),
    parsers,
    ...buildRuns(parts, { inspectFile, drawThumbnail, configurations, parsers }),
    content: new DocumentContent({
      database,
      store,
      linkKey: secrets.linkKey,
      now: Date.now,
      sandbox,
      renderings: new DocumentRenderings({
        store,
        cache: pictureCache,
        sandbox,
        now: Date.now,
        onNotStored: (error) => logger.warn({ err: error }, 'the rendering of a document could not be stored'),
      }),
      drawThumbnail: (document, tree) => {
        const key = storageKeys.original(document, document.searchable_content_id ?? document.content_id);
        return drawThumbnail(key, (path) => sourceFile(document, path), tree);
      },
    }),
    pagePictures: buildPagePictures(parts, sandbox, pictureCache),
    search,
    liveIndexes,
    chats: new ChatService({ database, findViewer }),
    answers: new Answers({
      database,
      findViewer,
      notifications,
      search,
      engines,
      metrics: parts.metrics,
      logger: subsystem(logger, 'chat'),
    }),
    remoteFiles: new RemoteFiles(parts.outbound),
    singleAnswers: new SingleAnswers({
      database,
      search,
      engines,
      metrics: parts.metrics,
      logger: subsystem(logger, 'chat'),
    }),
    ...buildWebhooks(parts, secretBox),
    ...buildConnectors(parts, secretBox, inspectFile),
    indexReaper: new IndexReaper({ database, queue }),
    reaper: new DocumentReaper({
      database,
      queue,
      notifications,
      ingestion,
      deadlineMs: config.processing.deadlineMs,
    }),
  };
}
