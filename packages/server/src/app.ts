/** Builds the HTTP application from the server, the routes and the documentation; it does not listen. */
import type { FastifyInstance } from 'fastify';
import type { AuditService } from './domain/audit/service.ts';
import type { Answers } from './domain/chats/answers.ts';
import type { SingleAnswers } from './domain/chats/single-answers.ts';
import type { ChatService } from './domain/chats/service.ts';
import type { LiveIndexes } from './domain/collections/live-indexes.ts';
import type { ChangeFeed } from './domain/changes/change-feed.ts';
import type { CollectionService } from './domain/collections/service.ts';
import type { ConfigurationService } from './domain/configurations/service.ts';
import type { ConfigurationTester } from './domain/configurations/tester.ts';
import type { DocumentContent } from './domain/documents/content.ts';
import { linkNameOf, verifyLink } from './domain/documents/links.ts';
import type { DocumentRemoval } from './domain/documents/removal.ts';
import type { DocumentService } from './domain/documents/service.ts';
import type { PagePictures } from './domain/pages/page-pictures.ts';
import type { RemoteFiles } from './domain/runs/remote-files.ts';
import type { ConnectorService } from './domain/connectors/service.ts';
import type { SyncService } from './domain/connectors/sync/syncs.ts';
import type { RunOutputs } from './domain/runs/outputs.ts';
import type { RunService } from './domain/runs/service.ts';
import type { KeyService } from './domain/keys/service.ts';
import type { SearchService } from './domain/search/service.ts';
import type { DeliveryService } from './domain/webhooks/delivery-service.ts';
import type { WebhookService } from './domain/webhooks/service.ts';
import type { WorkspaceService } from './domain/workspaces/service.ts';
import type { AccessDeps, Params } from './http/access.ts';
import { describeApi } from './http/openapi/document.ts';
import { mcpRoutes } from './http/mcp/routes.ts';
import type { JsonSchema } from './http/openapi/schemas.ts';
import { registerConsole } from './http/plugins/console.ts';
import { registerDocs } from './http/plugins/docs.ts';
import { registerGuide } from './http/plugins/guide.ts';
import { RateLimiter, type KeyRateLimiter } from './http/plugins/rate-limit.ts';
import { SharedRateLimiter, type LeaseRequests } from './http/plugins/shared-rate-limit.ts';
import { registerRoutes } from './http/register-routes.ts';
import type { Route } from './http/route.ts';
import { messageRoutes } from './http/routes/chats/message-routes.ts';
import { auditRoutes } from './http/routes/audit/routes.ts';
import { chatRoutes } from './http/routes/chats/routes.ts';
import { collectionRoutes } from './http/routes/collections/routes.ts';
import { configurationRoutes } from './http/routes/configurations/routes.ts';
import { connectorRoutes } from './http/routes/connectors/routes.ts';
import { documentRoutes } from './http/routes/documents/routes.ts';
import type { DependencyChecks } from './http/routes/health/checks.ts';
import { eventRoutes } from './http/routes/events/routes.ts';
import { healthRoutes, type LivenessCheck } from './http/routes/health/routes.ts';
import { keyRoutes } from './http/routes/keys/routes.ts';
import { pageRoutes } from './http/routes/pages/routes.ts';
import { runRoutes } from './http/routes/runs/routes.ts';
import { searchRoutes } from './http/routes/search/routes.ts';
import { webhookRoutes } from './http/routes/webhooks/routes.ts';
import { whoamiRoutes } from './http/routes/whoami/routes.ts';
import { workspaceRoutes } from './http/routes/workspaces/routes.ts';
import { createServer } from './http/server.ts';
import type { TlsFiles } from './http/plugins/tls.ts';
import { Traffic, type TrafficSettings } from './http/traffic/traffic.ts';
import { removeAbandoned } from './http/upload.ts';
import type { Logger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { VERSION } from './version.ts';

export interface AppServices {
  changes: ChangeFeed;
  keys: KeyService;
  workspaces: WorkspaceService;
  collections: CollectionService;
  configurations: ConfigurationService;
  configurationTester: ConfigurationTester;
  documents: DocumentService;
  documentRemoval: DocumentRemoval;
  content: DocumentContent;
  pagePictures: PagePictures;
  search: SearchService;
  liveIndexes: LiveIndexes;
  chats: ChatService;
  answers: Answers;
  singleAnswers: SingleAnswers;
  runs: RunService;
  remoteFiles: RemoteFiles;
  runOutputs: RunOutputs;
  webhooks: WebhookService;
  deliveries: DeliveryService;
  audit: AuditService;
  connectors: ConnectorService;
  syncs: SyncService;
}

export interface AppSettings {
  corsOrigins: readonly string[];
  /** Whether assistants can connect by the Model Context Protocol. */
  mcp: boolean;
  /** Empty, or a path that precedes every address. */
  basePath: string;
  trustProxy: number | string[] | false;
  tls: TlsFiles | null;
  /** Maximum number of requests a minute for each key; 0 for no limit. */
  rateLimitPerMinute: number;
  traffic: TrafficSettings;
  maxJsonBytes: number;
  maxFileBytes: number;
  /** Free disk space below which uploads are refused. */
  minFreeBytes: number;
  /** Maximum number of files in one run. */
  maxFiles: number;
  /** Folder for spool files, on the file system of the object store. */
  uploadDir: string;
  cursorKey: Buffer;
  linkKey: Buffer;
}

export interface AppDeps {
  settings: AppSettings;
  services: AppServices;
  checks: DependencyChecks;
  liveness?: LivenessCheck;
  metrics: Metrics;
  logger: Logger;
  now: () => number;
  /** Counts the requests of all processes; this process counts its own without it. */
  leaseRequests?: LeaseRequests | null;
}

/** Returns a server that is ready to listen. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, logger, metrics } = deps;
  const { corsOrigins, basePath, trustProxy, tls } = settings;
  const access = accessDeps(deps);
  const { traffic } = access;
  watchTraffic(traffic, metrics);
  const { uploadDir: directory, maxFileBytes, minFreeBytes } = settings;
  const uploads = { directory, maxFileBytes, minFreeBytes, traffic };
  await removeAbandoned(uploads, deps.now());
  const app = await createServer({ logger, metrics, access, corsOrigins, basePath, trustProxy, tls });
  const routes = allRoutes({ ...deps, basePath });
  const { maxJsonBytes, maxFiles, cursorKey } = settings;
  const served = [...routes, ...mcpRoutes({ ...deps, traffic })];
  registerRoutes(app, served, { access, audit: deps.services.audit, uploads, maxJsonBytes, maxFiles, cursorKey });
  registerDocs(app, () => describeApi(routes, API, basePath), basePath);
  registerGuide(app, basePath);
  registerConsole(app, basePath);
  await app.ready();
  return app;
}

function watchTraffic(traffic: Traffic, metrics: Metrics): void {
  metrics.addGauge('quire_http_requests_in_service', 'Requests of keys that are processed', [], async () => [
    { value: traffic.requestsInService },
  ]);
  metrics.addGauge('quire_http_memory_bytes', 'Memory of bodies and answers in progress', [], async () => [
    { value: traffic.bytesInUse },
  ]);
}

export function allRoutes(
  deps: Pick<AppDeps, 'services' | 'checks' | 'liveness' | 'metrics'> & { basePath: string },
): Route[] {
  const { services } = deps;
  return [
    ...healthRoutes(deps.checks, deps.metrics, deps.liveness),
    ...whoamiRoutes(),
    ...workspaceRoutes(services.workspaces),
    ...keyRoutes(services.keys),
    ...collectionRoutes(services.collections),
    ...configurationRoutes(services.configurations, services.configurationTester),
    ...documentRoutes({
      documents: services.documents,
      removal: services.documentRemoval,
      content: services.content,
      basePath: deps.basePath,
    }),
    ...pageRoutes(services.pagePictures),
    ...searchRoutes(services.search),
    ...chatRoutes(services.chats),
    ...messageRoutes(services.answers),
    ...runRoutes(services.runs, services.runOutputs),
    ...webhookRoutes(services.webhooks, services.deliveries),
    ...eventRoutes({
      changes: services.changes,
      isInScope: (workspaceId, ids, scope) => services.documents.idsInScope(workspaceId, ids, scope),
      authenticate: (key) => services.keys.authenticate(key),
    }),
    ...auditRoutes(services.audit),
    ...connectorRoutes(services.connectors, services.syncs),
  ];
}

const API = {
  title: 'Quire',
  version: VERSION,
  description: 'Collections that make documents searchable, and stateless document processing.',
};

/** Describes the API without a running service: only the declarations are read, no handler is called. */
export function describeWithoutServices(used?: Set<string>): JsonSchema {
  const services = {} as AppServices;
  const routes = allRoutes({ services, checks: {}, metrics: new Metrics(), basePath: '' });
  const describing = describeApi(routes, API, '', used);
  for (;;) {
    const { done, value } = describing.next();
    if (done === true) return value;
  }
}

function accessDeps({ services, settings, now, leaseRequests = null }: AppDeps): AccessDeps {
  const { liveIndexes } = services;
  const { keys, workspaces, collections, configurations, documents, chats, runs, webhooks, deliveries } = services;
  return {
    authenticate: (key) => keys.authenticate(key),
    workspaceExists: (workspaceId) => workspaces.exists(workspaceId),
    loaders: {
      col: (id, { ws = '' }) => collections.findById(ws, id),
      doc_id: async (id, { ws = '', col }) => {
        const record = await documents.findById(ws, id);
        return record?.collection_id === col ? record : undefined;
      },
      key_id: (id, { ws = '' }) => keys.findById(ws, id),
      model_id: (id, { ws = '' }) => configurations.findById(ws, 'models', id),
      embedder_id: (id, { ws = '' }) => configurations.findById(ws, 'embedders', id),
      parser_id: (id, { ws = '' }) => configurations.findById(ws, 'parsers', id),
      chat_id: (id, { ws = '' }, principal) => chats.findById(ws, principal, id),
      run_id: (id, { ws = '' }) => runs.findById(ws, id),
      webhook_id: (id, { ws = '' }) => webhooks.findById(ws, id),
      delivery_id: (id, { ws = '' }) => deliveries.findById(ws, id),
      connector_id: (id, { ws = '' }) => services.connectors.findById(ws, id),
      sync_id: (id, { ws = '', connector_id = '' }) => services.syncs.findById(ws, connector_id, id),
      message_id: (id, { ws = '', chat_id = '' }, principal) => chats.findMessage(ws, principal, chat_id, id),
    },
    isInScope: (document, scope) => documents.isInScope(document, scope),
    recallCollection: async (id, { ws = '' }) => (await liveIndexes.recall(ws, [id]))?.get(id)?.collection,
    verifyLink: (path, params, query) => isSignedLink(path, params, query, settings.linkKey, now()),
    limiter: limiterOf(settings.rateLimitPerMinute, leaseRequests),
    traffic: new Traffic(settings.traffic),
  };
}

function limiterOf(perMinute: number, lease: LeaseRequests | null): KeyRateLimiter {
  return lease === null || perMinute === 0 ? new RateLimiter(perMinute) : new SharedRateLimiter(perMinute, lease);
}

function isSignedLink(path: string, params: Params, query: URLSearchParams, key: Buffer, nowMs: number): boolean {
  const name = linkNameOf(path);
  const { ws, col, doc_id: id } = params;
  if (name === undefined || ws === undefined || col === undefined || id === undefined) return false;
  const link = { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' };
  return verifyLink({ id, workspace_id: ws, collection_id: col }, name, link, key, nowMs);
}
