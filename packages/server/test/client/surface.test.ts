/** Each operation of the API is reachable by a method of the client, which sends it to the documented address. */
import { readFileSync } from 'node:fs';
import { Quire } from '@quire/client';
import { expect, test } from 'vitest';

const ID = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';
const file = { name: 'a.txt', content: 'text' };

const CONNECTOR: Parameters<Quire['connectors']['create']>[0] = JSON.parse('{}');

type Call = (quire: Quire) => Promise<unknown>;

const documents = (quire: Quire) => quire.collection(ID).documents;

const CALLS: Record<string, Call> = {
  getHealth: (quire) => quire.health(),
  getReadiness: (quire) => quire.readiness(),
  getMetrics: (quire) => quire.metrics(),
  whoami: (quire) => quire.whoami(),
  createWorkspace: (quire) => quire.workspaces.create({ name: 'w' }),
  listWorkspaces: (quire) => quire.workspaces.list().page(),
  getWorkspace: (quire) => quire.workspaces.get(ID),
  updateWorkspace: (quire) => quire.workspaces.update(ID, { name: 'w' }),
  deleteWorkspace: (quire) => quire.workspaces.delete(ID),
  createKey: (quire) => quire.keys.create({ name: 'k', permission: 'read' }),
  listKeys: (quire) => quire.keys.list().page(),
  revokeKey: (quire) => quire.keys.revoke(ID),
  createCollection: (quire) => quire.collections.create({ name: 'c' }),
  listCollections: (quire) => quire.collections.list().page(),
  getCollection: (quire) => quire.collections.get(ID),
  updateCollection: (quire) => quire.collections.update(ID, { name: 'c' }),
  deleteCollection: (quire) => quire.collections.delete(ID),
  undeleteCollection: (quire) => quire.collections.undelete(ID),
  reindexCollection: (quire) => quire.collections.reindex(ID),
  cancelReindex: (quire) => quire.collections.cancelReindex(ID),
  createModel: (quire) => quire.models.create({ name: 'm', config: { provider: 'local', model: 'extractive' } }),
  listModels: (quire) => quire.models.list().page(),
  getModel: (quire) => quire.models.get(ID),
  updateModel: (quire) => quire.models.update(ID, { name: 'm' }),
  deleteModel: (quire) => quire.models.delete(ID, { force: true }),
  undeleteModel: (quire) => quire.models.undelete(ID),
  testModel: (quire) => quire.models.test(ID),
  createEmbedder: (quire) => quire.embedders.create({ name: 'e', config: { provider: 'bm25' } }),
  listEmbedders: (quire) => quire.embedders.list().page(),
  getEmbedder: (quire) => quire.embedders.get(ID),
  updateEmbedder: (quire) => quire.embedders.update(ID, { name: 'e' }),
  deleteEmbedder: (quire) => quire.embedders.delete(ID),
  undeleteEmbedder: (quire) => quire.embedders.undelete(ID),
  testEmbedder: (quire) => quire.embedders.test(ID),
  createParser: (quire) => quire.parsers.create({ name: 'p', config: { provider: 'service' } }),
  listParsers: (quire) => quire.parsers.list().page(),
  getParser: (quire) => quire.parsers.get(ID),
  updateParser: (quire) => quire.parsers.update(ID, { name: 'p' }),
  deleteParser: (quire) => quire.parsers.delete(ID),
  undeleteParser: (quire) => quire.parsers.undelete(ID),
  testParser: (quire) => quire.parsers.test(ID),
  uploadDocumentMultipart: (quire) => documents(quire).upload(file, { metadata: { year: 2026 } }),
  replaceDocumentMultipart: (quire) => documents(quire).replace(ID, file, { metadata: {} }),
  uploadDocumentBinary: (quire) => documents(quire).upload(file),
  replaceDocumentBinary: (quire) => documents(quire).replace(ID, file),
  uploadDocumentRaw: (quire) => documents(quire).uploadText({ ...file, contentType: 'text/plain' }),
  replaceDocumentRaw: (quire) => documents(quire).replaceText(ID, { ...file, contentType: 'text/plain' }),
  listDocuments: (quire) => documents(quire).list({ status: 'failed' }).page(),
  getDocument: (quire) => documents(quire).get(ID, { include: ['blocks', 'chunks'] }),
  updateDocument: (quire) => documents(quire).update(ID, { name: 'd' }),
  deleteDocument: (quire) => documents(quire).delete(ID, { purge: true }),
  retryDocument: (quire) => documents(quire).retry(ID),
  retryDocuments: (quire) => documents(quire).retryMany({ filter: { status: 'failed' } }),
  undeleteDocument: (quire) => documents(quire).undelete(ID),
  deleteDocuments: (quire) => documents(quire).deleteMany({ documentIds: [ID] }),
  listChunks: (quire) => documents(quire).chunks(ID).page(),
  getChunk: (quire) => documents(quire).chunk(ID, ID, { include: ['vectors'] }),
  getDocumentOriginal: (quire) => documents(quire).original(ID),
  getDocumentMarkdown: (quire) => documents(quire).markdown(ID),
  getDocumentHtml: (quire) => documents(quire).html(ID),
  getDocumentThumbnail: (quire) => documents(quire).thumbnail(ID),
  createDocumentLinks: (quire) => documents(quire).links(ID),
  listPages: (quire) => documents(quire).pages(ID),
  getPage: (quire) => documents(quire).page(ID, 1, { width: 800, box: [0, 0, 1, 1], mark: true }),
  listRunPages: (quire) => quire.runs.pages(ID, 1),
  getRunPage: (quire) => quire.runs.page(ID, 1, 1),
  searchCollection: (quire) => quire.collection(ID).search('query'),
  searchCollections: (quire) => quire.search({ query: 'query', collectionIds: [ID] }),
  createChat: (quire) => quire.chats.create({ title: 't', collection_id: ID }),
  listChats: (quire) => quire.chats.list().page(),
  getChat: (quire) => quire.chats.get(ID),
  updateChat: (quire) => quire.chats.update(ID, { title: 't' }),
  deleteChat: (quire) => quire.chats.delete(ID),
  undeleteChat: (quire) => quire.chats.undelete(ID),
  getChatHistory: (quire) => quire.chat(ID).history({ order: 'desc' }).page(),
  sendMessage: (quire) => quire.chat(ID).ask('question').final,
  resumeMessage: (quire) => quire.chat(ID).follow(ID).final,
  stopMessage: (quire) => quire.chat(ID).stop(ID),
  createRun: (quire) => quire.runs.create([file]),
  listRuns: (quire) => quire.runs.list({ status: 'done' }).page(),
  getRun: (quire) => quire.runs.get(ID, { wait: 10 }),
  deleteRun: (quire) => quire.runs.delete(ID),
  addRunFile: (quire) => quire.runs.addFile(ID, file),
  submitRun: (quire) => quire.runs.submit(ID),
  cancelRun: (quire) => quire.runs.cancel(ID),
  getRunOutput: (quire) => quire.runs.output(ID, 'a.txt/parse.md'),
  createWebhook: (quire) =>
    quire.webhooks.create({ name: 'w', url: 'https://a.example/', signingSecret: 's'.repeat(16), events: [] }),
  listWebhooks: (quire) => quire.webhooks.list().page(),
  getWebhook: (quire) => quire.webhooks.get(ID),
  updateWebhook: (quire) => quire.webhooks.update(ID, { name: 'w' }),
  deleteWebhook: (quire) => quire.webhooks.delete(ID),
  testWebhook: (quire) => quire.webhooks.test(ID),
  listWebhookDeliveries: (quire) => quire.webhooks.deliveries(ID).page(),
  listDeliveries: (quire) => quire.deliveries.list({ status: 'failed' }).page(),
  getDelivery: (quire) => quire.deliveries.get(ID),
  redeliver: (quire) => quire.deliveries.redeliver(ID),
  redeliverFailed: (quire) => quire.deliveries.redeliverFailed(),
  createConnector: (quire) => quire.connectors.create(CONNECTOR),
  listConnectors: (quire) => quire.connectors.list().page(),
  getConnector: (quire) => quire.connectors.get(ID),
  updateConnector: (quire) => quire.connectors.update(ID, { name: 'c' }),
  deleteConnector: (quire) => quire.connectors.delete(ID),
  undeleteConnector: (quire) => quire.connectors.undelete(ID),
  testConnector: (quire) => quire.connectors.test(ID),
  listConnectorItems: (quire) => quire.connectors.items(ID).page(),
  startSync: (quire) => quire.connectors.sync(ID),
  listSyncs: (quire) => quire.connectors.syncs(ID).page(),
  getSync: (quire) => quire.connectors.getSync(ID, ID),
  cancelSync: (quire) => quire.connectors.cancelSync(ID, ID),
  approveSync: (quire) => quire.connectors.approveSync(ID, ID),
  followEvents: (quire) => quire.events().next(),
  listAuditEntries: (quire) => quire.audit.list().page(),
};

interface Operation {
  operationId: string;
  method: string;
  path: string;
  query: string[];
}

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string; parameters?: { name: string; in: string }[] }>>;
};

const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, parameters = [] }]) =>
    operationId === undefined
      ? []
      : [
          {
            operationId,
            method: method.toUpperCase(),
            path,
            query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
          },
        ],
  ),
);

/** Replaces each parameter by a pattern; `path` parameters of outputs contain slashes. */
const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? '.+' : '[^/]+'))}$`);

test('every operation has a call', () => {
  expect(operations.map(({ operationId }) => operationId).filter((id) => CALLS[id] === undefined)).toEqual([]);
});

test.each(operations)('$operationId is sent as $method $path', async ({ operationId, method, path, query }) => {
  const sent: { method: string; url: URL }[] = [];
  const quire = new Quire({
    url: 'http://quire.test/base',
    key: 'key',
    retries: 0,
    fetch: (url, init) => {
      sent.push({ method: init.method ?? 'GET', url: new URL(url) });
      const isWhoami = url.endsWith('/whoami');
      // All other calls fail at once: only their request counts.
      const body = isWhoami ? { data: { workspaceId: ID }, status: 'ok' } : { detail: [] };
      return Promise.resolve(Response.json(body, { status: isWhoami ? 200 : 404 }));
    },
  });
  await CALLS[operationId]?.(quire).catch(() => undefined);
  const found = sent.find((each) => each.method === method && pattern(`/base${path}`).test(each.url.pathname));
  expect(found?.method).toBe(method);
  expect([...(found?.url.searchParams.keys() ?? [])].filter((name) => !query.includes(name))).toEqual([]);
});
