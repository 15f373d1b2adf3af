/** Each operation of the API as a call of the client, with any parameters and body. */
import type { Quire } from '@quire/client';

export interface Given {
  /** Path parameters after that of the workspace, in their order. */
  ids: readonly string[];
  /** Query parameters. The type lets tests also send what the client's own types exclude. */
  query: never;
  /** Body, with the same type for the same reason. */
  json: never;
}

/** Sends the request. A list is read by a page, an answer or a stream up to its end or its first event. */
export type Call = (quire: Quire, given: Given) => Promise<unknown>;

const file = { name: 'a.txt', content: 'text' };

const documents = (quire: Quire, { ids: [collection = ''] }: Given) => quire.collection(collection).documents;

const CONFIGURATIONS = { Model: 'models', Embedder: 'embedders', Parser: 'parsers' } as const;

/** The calls of models, embedders and parsers, which have the same shape. */
const configurationCalls: Record<string, Call> = Object.fromEntries(
  Object.entries(CONFIGURATIONS).flatMap(([name, kind]): [string, Call][] => [
    [`create${name}`, (quire, { json }) => quire[kind].create(json)],
    [`list${name}s`, (quire, { query }) => quire[kind].list(query).page()],
    [`get${name}`, (quire, { ids: [id = ''] }) => quire[kind].get(id)],
    [`update${name}`, (quire, { ids: [id = ''], json }) => quire[kind].update(id, json)],
    [`delete${name}`, (quire, { ids: [id = ''], query }) => quire[kind].delete(id, query)],
    [`undelete${name}`, (quire, { ids: [id = ''] }) => quire[kind].undelete(id)],
    [`test${name}`, (quire, { ids: [id = ''] }) => quire[kind].test(id)],
  ]),
);

const accountCalls: Record<string, Call> = {
  getHealth: (quire) => quire.health(),
  getReadiness: (quire) => quire.readiness(),
  getMetrics: (quire) => quire.metrics(),
  whoami: (quire) => quire.whoami(),
  createWorkspace: (quire, { json }) => quire.workspaces.create(json),
  listWorkspaces: (quire, { query }) => quire.workspaces.list(query).page(),
  getWorkspace: async (quire) => quire.workspaces.get(await quire.workspaceId()),
  updateWorkspace: async (quire, { json }) => quire.workspaces.update(await quire.workspaceId(), json),
  deleteWorkspace: async (quire) => quire.workspaces.delete(await quire.workspaceId()),
  createKey: (quire, { json }) => quire.keys.create(json),
  listKeys: (quire, { query }) => quire.keys.list(query).page(),
  revokeKey: (quire, { ids: [id = ''] }) => quire.keys.revoke(id),
  followEvents: (quire) => quire.events().next(),
  listAuditEntries: (quire, { query }) => quire.audit.list(query).page(),
};

const documentCalls: Record<string, Call> = {
  createCollection: (quire, { json }) => quire.collections.create(json),
  listCollections: (quire, { query }) => quire.collections.list(query).page(),
  getCollection: (quire, { ids: [id = ''] }) => quire.collections.get(id),
  updateCollection: (quire, { ids: [id = ''], json }) => quire.collections.update(id, json),
  deleteCollection: (quire, { ids: [id = ''], query }) => quire.collections.delete(id, query),
  undeleteCollection: (quire, { ids: [id = ''] }) => quire.collections.undelete(id),
  reindexCollection: (quire, { ids: [id = ''] }) => quire.collections.reindex(id),
  cancelReindex: (quire, { ids: [id = ''] }) => quire.collections.cancelReindex(id),
  uploadDocumentMultipart: (quire, given) => documents(quire, given).upload(file, { metadata: {}, ...options(given) }),
  replaceDocumentMultipart: (quire, given) => documents(quire, given).replace(idOf(given), file, { metadata: {} }),
  uploadDocumentBinary: (quire, given) => documents(quire, given).upload(file, options(given)),
  replaceDocumentBinary: (quire, given) => documents(quire, given).replace(idOf(given), file),
  uploadDocumentRaw: (quire, given) => documents(quire, given).uploadText(given.json, given.query),
  replaceDocumentRaw: (quire, given) => documents(quire, given).replaceText(idOf(given), given.json, given.query),
  listDocuments: (quire, given) => documents(quire, given).list(given.query).page(),
  getDocument: (quire, given) => documents(quire, given).get(idOf(given), given.query),
  updateDocument: (quire, given) => documents(quire, given).update(idOf(given), given.json),
  deleteDocument: (quire, given) => documents(quire, given).delete(idOf(given), given.query),
  retryDocument: (quire, given) => documents(quire, given).retry(idOf(given)),
  retryDocuments: (quire, given) => documents(quire, given).retryMany(given.json),
  undeleteDocument: (quire, given) => documents(quire, given).undelete(idOf(given)),
  deleteDocuments: (quire, given) => documents(quire, given).deleteMany(given.json),
  listChunks: (quire, given) => documents(quire, given).chunks(idOf(given), given.query).page(),
  getChunk: (quire, given) => documents(quire, given).chunk(idOf(given), idOf(given, 2), given.query),
  getDocumentOriginal: (quire, given) => documents(quire, given).original(idOf(given)),
  getDocumentMarkdown: (quire, given) => documents(quire, given).markdown(idOf(given)),
  getDocumentHtml: (quire, given) => documents(quire, given).html(idOf(given)),
  getDocumentThumbnail: (quire, given) => documents(quire, given).thumbnail(idOf(given)),
  createDocumentLinks: (quire, given) => documents(quire, given).links(idOf(given), given.json),
  listPages: (quire, given) => documents(quire, given).pages(idOf(given)),
  getPage: (quire, given) => documents(quire, given).page(idOf(given), idOf(given, 2) as never, given.query),
  searchCollection: (quire, { ids: [collection = ''], json }) => quire.collection(collection).search(json),
  searchCollections: (quire, { json }) => quire.search(json),
};

const chatCalls: Record<string, Call> = {
  createChat: (quire, { json }) => quire.chats.create(json),
  listChats: (quire, { query }) => quire.chats.list(query).page(),
  getChat: (quire, given) => quire.chats.get(idOf(given, 0)),
  updateChat: (quire, given) => quire.chats.update(idOf(given, 0), given.json),
  deleteChat: (quire, given) => quire.chats.delete(idOf(given, 0), given.query),
  undeleteChat: (quire, given) => quire.chats.undelete(idOf(given, 0)),
  getChatHistory: (quire, given) => quire.chat(idOf(given, 0)).history(given.query).page(),
  sendMessage: (quire, given) => quire.chat(idOf(given, 0)).ask('question').final,
  resumeMessage: (quire, given) => quire.chat(idOf(given, 0)).follow(idOf(given)).final,
  stopMessage: (quire, given) => quire.chat(idOf(given, 0)).stop(idOf(given)),
};

const runCalls: Record<string, Call> = {
  createRun: (quire, { query }) => quire.runs.create([file], {}, query),
  listRuns: (quire, { query }) => quire.runs.list(query).page(),
  getRun: (quire, given) => quire.runs.get(idOf(given, 0), given.query),
  deleteRun: (quire, given) => quire.runs.delete(idOf(given, 0)),
  addRunFile: (quire, given) => quire.runs.addFile(idOf(given, 0), file),
  submitRun: (quire, given) => quire.runs.submit(idOf(given, 0), given.query),
  cancelRun: (quire, given) => quire.runs.cancel(idOf(given, 0)),
  getRunOutput: (quire, given) => quire.runs.output(idOf(given, 0), idOf(given)),
  listRunPages: (quire, given) => quire.runs.pages(idOf(given, 0), idOf(given) as never),
  getRunPage: (quire, given) =>
    quire.runs.page(idOf(given, 0), idOf(given) as never, idOf(given, 2) as never, given.query),
};

const webhookCalls: Record<string, Call> = {
  createWebhook: (quire, { json }) => quire.webhooks.create(json),
  listWebhooks: (quire, { query }) => quire.webhooks.list(query).page(),
  getWebhook: (quire, given) => quire.webhooks.get(idOf(given, 0)),
  updateWebhook: (quire, given) => quire.webhooks.update(idOf(given, 0), given.json),
  deleteWebhook: (quire, given) => quire.webhooks.delete(idOf(given, 0)),
  testWebhook: (quire, given) => quire.webhooks.test(idOf(given, 0)),
  listWebhookDeliveries: (quire, given) => quire.webhooks.deliveries(idOf(given, 0), given.query).page(),
  listDeliveries: (quire, { query }) => quire.deliveries.list(query).page(),
  getDelivery: (quire, given) => quire.deliveries.get(idOf(given, 0)),
  redeliver: (quire, given) => quire.deliveries.redeliver(idOf(given, 0)),
  redeliverFailed: (quire, { json }) => quire.deliveries.redeliverFailed(json),
};

const connectorCalls: Record<string, Call> = {
  createConnector: (quire, { json }) => quire.connectors.create(json),
  listConnectors: (quire, { query }) => quire.connectors.list(query).page(),
  getConnector: (quire, given) => quire.connectors.get(idOf(given, 0)),
  updateConnector: (quire, given) => quire.connectors.update(idOf(given, 0), given.json),
  deleteConnector: (quire, given) => quire.connectors.delete(idOf(given, 0), given.query),
  undeleteConnector: (quire, given) => quire.connectors.undelete(idOf(given, 0)),
  testConnector: (quire, given) => quire.connectors.test(idOf(given, 0)),
  listConnectorItems: (quire, given) => quire.connectors.items(idOf(given, 0), given.query).page(),
  startSync: (quire, given) => quire.connectors.sync(idOf(given, 0), given.query),
  listSyncs: (quire, given) => quire.connectors.syncs(idOf(given, 0), given.query).page(),
  getSync: (quire, given) => quire.connectors.getSync(idOf(given, 0), idOf(given), given.query),
  cancelSync: (quire, given) => quire.connectors.cancelSync(idOf(given, 0), idOf(given)),
  approveSync: (quire, given) => quire.connectors.approveSync(idOf(given, 0), idOf(given)),
};

export const CALLS: Record<string, Call> = {
  ...accountCalls,
  ...configurationCalls,
  ...documentCalls,
  ...chatCalls,
  ...runCalls,
  ...webhookCalls,
  ...connectorCalls,
};

/** Query parameters, as further options of an upload. */
const options = ({ query }: Given): object => query;

/** Returns a path parameter, by default that of the record below the collection, chat or run. */
function idOf({ ids }: Given, index = 1): string {
  return ids[index] ?? '';
}
