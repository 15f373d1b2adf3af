/** The rights of a filtered token on each operation. A new operation needs a case here. */
import { expect } from 'vitest';
import { describeWithoutServices } from '../../../src/app.ts';
import { createDocument, type AnyRecord } from '../../factories.ts';
import { openEvents } from '../../event-reader.ts';
import type { CallOptions } from '../../server.ts';
import {
  type Operation,
  FILTER,
  LEGAL,
  HR,
  service,
  workspace,
  token,
  collection,
  inside,
  outside,
  failed,
  removed,
  elsewhere,
  ownChat,
  ids,
  leaks,
  items,
  see,
  read,
  urlOf,
  probe,
} from './filtered-token.ts';

const described = describeWithoutServices() as { paths: Record<string, Record<string, { operationId: string }>> };
export const OPERATIONS: readonly Operation[] = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
);

type Case = (operation: Operation) => Promise<void>;

/** The filter cannot be applied to what the operation does. */
const refused: Case = async (operation) => {
  // An operation on a record of a kind that this test does not create is answered with 404.
  const known = [...operation.path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in ids);
  expect(await probe(operation)).toBe(known ? 403 : 404);
};

/** No document or chat of others exists for the token. */
const hidden: Case = async (operation) => {
  expect(await probe(operation)).toBe(404);
  for (const id of [failed.id, removed.id]) expect(await probe(operation, { doc_id: id })).toBe(404);
};

/** Needs no key, or shows nothing of a workspace. */
const open: Case = async () => undefined;

const searches: Case = async ({ path }) => {
  const url = urlOf(path);
  const found = async (json: Record<string, unknown>) =>
    (((await see('POST', url, json)).data['hits'] as { documentId: string }[]) ?? []).map((hit) => hit.documentId);
  const all = path.includes('{col}') ? [inside.id] : [inside.id, elsewhere.id].toSorted();
  for (const mode of ['hybrid', 'dense', 'sparse']) {
    // The word of the other documents is spelt differently, as answers may repeat the query.
    expect((await found({ query: 'rent', mode, explain: true, highlight: true, limit: 100 })).toSorted()).toEqual(all);
  }
  expect(await found({ query: 'rent', filter: { 'metadata.team': 'hr' } })).toEqual([]);
  expect(await found({ query: 'rent', filter: { or: [{ 'metadata.team': 'hr' }, { id: outside.id }] } })).toEqual([]);
  expect(await found({ query: 'rent', filter: { not: FILTER } })).toEqual([]);
  expect(await found({ query: 'rent', filter: { id: inside.id } })).toEqual([inside.id]);
};

/** Uploads of a form, as bytes and as JSON. */
function upload(path: string, metadata: object | undefined, content: string): [string, CallOptions] {
  const url = urlOf(path, { doc_id: inside.id });
  if (path.endsWith('/raw')) {
    const json = { name: 'new.md', content, contentType: 'text/markdown', ...(metadata && { metadata }) };
    return [url, { json }];
  }
  if (path.endsWith('/file-binary')) {
    const headers = { 'content-type': 'text/markdown', 'content-disposition': 'attachment; filename="new.md"' };
    return [url, { body: content, headers }];
  }
  const body = new FormData();
  body.append('file', new Blob([content]), 'new.md');
  if (metadata !== undefined) body.append('metadata', JSON.stringify(metadata));
  return [url, { body }];
}

const total = async (): Promise<unknown> => (await service.call('GET', `${collection.url}/docs`)).data['total'];

const creates: Case = async ({ method, path }) => {
  const before = await total();
  const send = async (metadata: object | undefined, content: string, query = ''): Promise<number> => {
    const [url, options] = upload(path, metadata, content);
    return (await see(method, `${url}${query}`, undefined, options)).status;
  };
  expect(await send(HR, 'A note.')).toBe(403);
  expect(await send(undefined, 'A note.')).toBe(403);
  expect(await total()).toBe(before);
  if (path.endsWith('/file-binary')) return;
  expect(await send(LEGAL, `A note by ${path}.`, '?wait=60')).toBe(202);
  // A document outside of the filter with the same bytes is no duplicate.
  const twin = await createDocument(service, collection, { content: `Same by ${path}.`, metadata: HR });
  leaks.push(twin.id);
  expect(await send(LEGAL, `Same by ${path}.`, '?duplicates=reject&wait=60')).toBe(202);
  expect(await send(LEGAL, `Same by ${path}.`, '?duplicates=reject')).toBe(409);
  const known = [inside.id, outside.id, failed.id];
  for (const { id } of items(await service.call('GET', `${collection.url}/docs`))) {
    if (!known.includes(id)) await service.call('DELETE', `${collection.url}/docs/${id}?purge=true`);
  }
};

const replaces: Case = async (operation) => {
  await hidden(operation);
  const before = (await service.call<AnyRecord>('GET', inside.url)).data;
  const [url, options] = upload(operation.path, HR, 'The lease ends in June. The rent is 900.');
  const answer = await see(operation.method, `${url}?wait=60`, undefined, options);
  // Bytes come without metadata, so the document stays in the filter.
  expect(answer.status).toBe(operation.path.endsWith('/file-binary') ? 202 : 403);
  const after = (await service.call<AnyRecord>('GET', inside.url)).data;
  expect(after['metadata']).toEqual(before['metadata']);
};

const selects: Case = async ({ method, path, operationId }) => {
  const url = urlOf(path);
  for (const json of [{ documentIds: [outside.id, failed.id] }, { filter: { 'metadata.team': 'hr' } }]) {
    const { data } = await see(method, url, json);
    expect(data).toEqual(operationId === 'deleteDocuments' ? { deleted: 0 } : { retried: 0 });
  }
};

export const CASES: Readonly<Record<string, Case>> = {
  getHealth: open,
  getReadiness: open,
  getMetrics: refused,
  whoami: open,
  createWorkspace: refused,
  listWorkspaces: refused,
  getWorkspace: refused,
  updateWorkspace: refused,
  deleteWorkspace: refused,
  createKey: refused,
  listKeys: refused,
  revokeKey: refused,
  createCollection: refused,
  listCollections: async ({ method, path }) => {
    const listed = items(await see(method, urlOf(path))).find(({ id }) => id === collection.id);
    expect([listed?.['documentCounts'], listed?.['failedByType']]).toEqual([{ indexing: 0, ready: 1, failed: 0 }, {}]);
  },
  getCollection: async ({ method, path }) => {
    const { data } = await see(method, urlOf(path));
    expect(data).toMatchObject({
      documentCounts: { indexing: 0, ready: 1, failed: 0 },
      failedByType: {},
      chunkCount: 1,
      reindex: null,
    });
  },
  updateCollection: refused,
  deleteCollection: refused,
  undeleteCollection: refused,
  reindexCollection: refused,
  cancelReindex: refused,
  listDocuments: async ({ method, path }) => {
    const listed = async (query: string): Promise<unknown[]> => {
      const answer = await see(method, `${urlOf(path)}?${query}`);
      return [answer.data['total'], ...items(answer).map(({ id }) => id)];
    };
    expect(await listed('')).toEqual([1, inside.id]);
    for (const query of ['name=wages', 'status=failed', 'status=deleted', 'errorType=no_text']) {
      expect([query, ...(await listed(query))]).toEqual([query, 0]);
    }
  },
  getDocument: async (operation) => {
    await hidden(operation);
    expect(await probe(operation, { doc_id: inside.id })).toBe(200);
  },
  listChunks: hidden,
  getChunk: hidden,
  listPages: hidden,
  getPage: hidden,
  listRunPages: refused,
  getRunPage: refused,
  getDocumentOriginal: hidden,
  getDocumentMarkdown: hidden,
  getDocumentHtml: hidden,
  getDocumentThumbnail: hidden,
  createDocumentLinks: async (operation) => {
    await hidden(operation);
    const { data } = await see(operation.method, urlOf(operation.path, { doc_id: inside.id }), {});
    // A link ends with the token, here after ten minutes.
    expect(Date.parse(String(data['expiresAt']))).toBeLessThanOrEqual(Date.now() + 600_000);
  },
  uploadDocumentMultipart: creates,
  uploadDocumentBinary: creates,
  uploadDocumentRaw: creates,
  replaceDocumentMultipart: replaces,
  replaceDocumentBinary: replaces,
  replaceDocumentRaw: replaces,
  updateDocument: async (operation) => {
    await hidden(operation);
    const url = urlOf(operation.path, { doc_id: inside.id });
    for (const team of ['hr', null]) {
      expect((await see(operation.method, url, { name: 'x', metadata: { team } })).status).toBe(403);
    }
    expect(await read(url)).toMatchObject({ name: expect.not.stringMatching(/^x$/), metadata: LEGAL });
    expect((await see(operation.method, url, { metadata: { year: 2026 } })).status).toBe(200);
  },
  retryDocument: hidden,
  retryDocuments: selects,
  deleteDocument: async (operation) => {
    await hidden(operation);
    expect((await see('DELETE', `${urlOf(operation.path)}?purge=true`)).status).toBe(404);
  },
  undeleteDocument: hidden,
  deleteDocuments: selects,
  searchCollection: searches,
  searchCollections: searches,
  createChat: async () => undefined,
  listChats: async ({ method, path }) => {
    const answer = await see(method, urlOf(path));
    expect([answer.data['total'], items(answer).map(({ id }) => id)]).toEqual([1, [ownChat.id]]);
  },
  getChat: hidden,
  updateChat: hidden,
  deleteChat: hidden,
  undeleteChat: hidden,
  getChatHistory: hidden,
  sendMessage: async (operation) => {
    await hidden(operation);
    for (const stream of [true, false]) {
      const { text, status } = await see('POST', `${ownChat.url}/message`, { query: 'What is the rent?', stream });
      expect([status, text.includes(inside.id)]).toEqual([200, true]);
    }
  },
  resumeMessage: hidden,
  stopMessage: hidden,
  listAuditEntries: refused,
  createRun: refused,
  listRuns: refused,
  getRun: refused,
  addRunFile: refused,
  submitRun: refused,
  cancelRun: refused,
  deleteRun: refused,
  getRunOutput: refused,
  approveSync: refused,
  cancelSync: refused,
  createConnector: refused,
  deleteConnector: refused,
  getConnector: refused,
  getSync: refused,
  listConnectorItems: refused,
  listConnectors: refused,
  listSyncs: refused,
  startSync: refused,
  testConnector: refused,
  undeleteConnector: refused,
  updateConnector: refused,
  createWebhook: refused,
  followEvents: async () => {
    const events = await openEvents(service, workspace.url, token);
    const json = { name: 'note.md', content: 'Text.', contentType: 'text/markdown' };
    const created = async (metadata: object): Promise<string> =>
      (await service.call<AnyRecord>('POST', `${collection.url}/docs/raw?wait=60`, { json: { ...json, metadata } }))
        .data.id;
    const hidden = await created(HR);
    const shown = await created(LEGAL);
    const seen = await events.until(({ data }) => data.id === shown && data.state?.['status'] === 'ready');
    expect(seen.map(({ data }) => data.id)).not.toContain(hidden);
    await events.close();
  },
  listWebhooks: refused,
  getWebhook: refused,
  updateWebhook: refused,
  deleteWebhook: refused,
  testWebhook: refused,
  listWebhookDeliveries: refused,
  listDeliveries: refused,
  getDelivery: refused,
  redeliver: refused,
  redeliverFailed: refused,
  ...Object.fromEntries(
    ['Model', 'Embedder', 'Parser'].flatMap((kind) =>
      [
        `create${kind}`,
        `list${kind}s`,
        `get${kind}`,
        `update${kind}`,
        `delete${kind}`,
        `undelete${kind}`,
        `test${kind}`,
      ].map((name) => [name, refused]),
    ),
  ),
};
