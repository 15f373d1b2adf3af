/**
 * CONTRACT section 2: no route shows, counts, lists, streams, cites, links or changes a document outside of the filter
 * and the collections of a token. The operations come from the description of the API: a new one needs a case here.
 */
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWithoutServices } from '../../src/app.ts';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createKey,
  createRun,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { mintToken } from '../mint-token.ts';
import { openEvents } from '../event-reader.ts';
import { startTestService, type CallOptions, type TestAnswer, type TestService } from '../server.ts';

interface Operation {
  method: string;
  path: string;
  operationId: string;
}

const described = describeWithoutServices() as { paths: Record<string, Record<string, { operationId: string }>> };
const OPERATIONS: readonly Operation[] = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
);

const NOWHERE = '0192f0c4-0000-7000-8000-00000000ffff';
/** Words that only documents outside of the filter contain. */
const SECRET = 'zyzzyva';
const FILTER = { 'metadata.team': 'legal' };
const LEGAL = { team: 'legal' };
const HR = { team: 'hr' };

let service: TestService;
let workspace: TestWorkspace;
let token: string;
let key: string;
let keyId: string;
let collection: AnyRecord & { url: string };
/** In the filter. */
let inside: AnyRecord & { url: string };
/** Outside of the filter: ready, failed and deleted. */
let outside: AnyRecord & { url: string };
let failed: AnyRecord & { url: string };
let removed: AnyRecord & { url: string };
/** In the filter, but of another collection, which the limited token does not reach. */
let elsewhere: AnyRecord & { url: string };
let foreignChat: AnyRecord & { url: string };
let ownChat: AnyRecord & { url: string };
let ids: Record<string, string>;
/** Texts that no answer to the token may contain. */
let leaks: string[] = [];

const items = (answer: TestAnswer<Record<string, unknown>>): AnyRecord[] => answer.data['items'] as AnyRecord[];

/** Calls with the token and checks that the answer shows nothing from outside of the filter. */
async function see(
  method: string,
  url: string,
  json?: unknown,
  options: CallOptions = {},
): Promise<TestAnswer<Record<string, unknown>>> {
  const answer = await service.call(method, url, { key: token, ...(json === undefined ? {} : { json }), ...options });
  for (const leak of leaks) expect([method, url, answer.text.includes(leak)]).toEqual([method, url, false]);
  return answer;
}

const read = async (url: string): Promise<unknown> => (await service.call('GET', url)).data;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  collection = await createCollection(service, workspace);
  const other = await createCollection(service, workspace);
  const document = (fields: Record<string, unknown>, into = collection) => createDocument(service, into, fields);
  inside = await document({ name: 'lease.md', content: 'The lease ends in May. The rent is 900.', metadata: LEGAL });
  outside = await document({ name: 'wages.md', content: `The rent of ${SECRET} is 4,000.`, metadata: HR });
  failed = await document({ name: `${SECRET}.txt`, content: ' ', contentType: 'text/plain', metadata: HR });
  removed = await document({ name: 'old.md', content: `The rent of ${SECRET} was 3,000.`, metadata: HR });
  await service.call('DELETE', removed.url);
  elsewhere = await document({ name: 'other.md', content: 'The rent of another lease.', metadata: LEGAL }, other);
  key = await createKey(service, workspace, { permission: 'admin' });
  keyId = String((await service.call('GET', '/v1/whoami', { key })).data['keyId']);
  token = mintToken(keyId, key, { permission: 'admin', filter: FILTER, sub: 'ada' });

  foreignChat = await createChat(service, workspace, { collection_id: collection.id });
  const answered = await ask(service, foreignChat, `What is the rent of ${SECRET}?`);
  const [chunk] = items(await service.call('GET', `${outside.url}/chunks`));
  ownChat = (await see('POST', `${workspace.url}/chat`, { collection_id: collection.id })).data as never;
  ownChat.url = `${workspace.url}/chat/${ownChat.id}`;

  const { models, embedders, parsers } = Object.fromEntries(
    await Promise.all(
      ['models', 'embedders', 'parsers'].map(async (kind) => [
        kind,
        items(await service.call('GET', `${workspace.url}/config/${kind}`))[0]!.id,
      ]),
    ),
  ) as Record<'models' | 'embedders' | 'parsers', string>;
  const hook = {
    name: 'w',
    url: 'https://receiver.invalid/',
    signingSecret: 'a secret of the tests',
    events: ['document.ready'],
  };
  const webhook = (await service.call('POST', `${workspace.url}/webhooks`, { json: hook })).data;
  const delivery = (await service.call('POST', `${workspace.url}/webhooks/${String(webhook['id'])}/test`)).data;
  const run = await createRun(service, workspace, { files: { 'a.txt': 'A file of somebody else.' } });
  ids = {
    ws: workspace.id,
    col: collection.id,
    doc_id: outside.id,
    chunk_id: chunk!.id,
    key_id: keyId,
    model_id: models,
    embedder_id: embedders,
    parser_id: parsers,
    chat_id: foreignChat.id,
    message_id: answered.messages[1].id,
    run_id: run.id,
    webhook_id: String(webhook['id']),
    delivery_id: String(delivery['id']),
    page: '1',
    file: '1',
    path: 'outputs/a.md',
  };
  leaks = [SECRET, outside.id, failed.id, removed.id, chunk!.id, String(outside['sha256'])];
});
afterAll(() => service.stop());

const urlOf = (path: string, changed: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => changed[name] ?? ids[name] ?? NOWHERE);

/** Sends a request without a valid body: access is checked before the body is read. */
const probe = async ({ method, path }: Operation, changed: Record<string, string> = {}): Promise<number> =>
  (await see(method, urlOf(path, changed), method === 'GET' || method === 'DELETE' ? undefined : {})).status;

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

const CASES: Readonly<Record<string, Case>> = {
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

test('every operation of the API has a case', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(OPERATIONS.map(({ operationId }) => operationId).toSorted());
});

describe('with a filtered token', () => {
  test.each(OPERATIONS.map((operation) => [operation.operationId, operation] as const))(
    '%s neither shows nor changes a document outside of the filter',
    async (name, operation) => {
      const untouched = [outside, failed, removed];
      const before = await Promise.all(untouched.map(({ url }) => read(url)));
      await CASES[name]?.(operation);
      expect(await Promise.all(untouched.map(({ url }) => read(url)))).toEqual(before);
    },
  );
});

test('MCP tools show a filtered token nothing from outside of the filter', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = async (name: string, input: object): Promise<string> => {
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const answer = await see('POST', `${workspace.url}/mcp`, json, { headers });
    expect([name, answer.status]).toEqual([name, 200]);
    return answer.text;
  };
  expect(await call('search', { query: 'the rent' })).toContain(inside.id);
  expect(await call('list_documents', { collection: collection.id })).toContain(inside.id);
  expect(await call('fetch', { id: outside.id })).toContain('There is no such document');
  await call('ask', { question: 'What is the rent?' });
});

describe('with a token for one collection', () => {
  const ofCollections = OPERATIONS.filter(({ path }) => path.includes('{col}'));
  test.each(ofCollections.map((operation) => [operation.operationId, operation] as const))(
    '%s answers 404 for another collection',
    async (_name, { method, path }) => {
      const limited = mintToken(keyId, key, { permission: 'admin', filter: {}, collectionIds: [collection.id] });
      const url = urlOf(path, { col: String(elsewhere['collectionId']), doc_id: elsewhere.id });
      const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} };
      expect((await service.call(method, url, { key: limited, ...json })).status).toBe(404);
    },
  );
});

describe('a chat made with a filtered token', () => {
  let memo: AnyRecord & { url: string };
  let chat: AnyRecord & { url: string };
  const history = async (caller: string) => (await service.call('GET', `${chat.url}/history`, { key: caller })).text;

  beforeAll(async () => {
    memo = await createDocument(service, collection, {
      name: 'memo.md',
      content: 'The parking permit costs 30 per month.',
      metadata: LEGAL,
    });
    const { data } = await see('POST', `${workspace.url}/chat`, { collection_id: collection.id });
    chat = { ...(data as AnyRecord), url: `${workspace.url}/chat/${String(data['id'])}` };
  });

  test('is hidden from tokens with another filter or another subject', async () => {
    const others = [
      mintToken(keyId, key, { permission: 'read', filter: FILTER, sub: 'bob' }),
      mintToken(keyId, key, { permission: 'read', filter: { 'metadata.team': 'hr' }, sub: 'ada' }),
    ];
    for (const other of others) expect((await service.call('GET', chat.url, { key: other })).status).toBe(404);
    const same = mintToken(keyId, key, { permission: 'read', filter: FILTER, sub: 'ada', lifetime: 60 });
    expect((await service.call('GET', chat.url, { key: same })).status).toBe(200);
  });

  test('keeps the filter for questions of other callers, and when the chat is given another filter', async () => {
    await service.call('PATCH', chat.url, { json: { filter: { 'metadata.team': 'hr' } } });
    const answered = await ask(service, chat, 'What is the rent?');
    expect(answered.messages[1].citations).toEqual([]);
    await service.call('PATCH', chat.url, { json: { filter: null } });
  });

  test('hides an answer once a document behind it has left the filter', async () => {
    const asked = await see('POST', `${chat.url}/message`, {
      query: 'What does the parking permit cost?',
      stream: false,
    });
    const [, answer] = asked.data['messages'] as { id: string; citations: { documentId: string }[] }[];
    expect(answer?.citations.map(({ documentId }) => documentId)).toContain(memo.id);
    expect(await history(token)).toContain('costs 30 per month');
    await service.call('PATCH', memo.url, { json: { metadata: { team: 'hr' } } });
    const shown = [
      await history(token),
      (await see('GET', `${chat.url}/message/${answer?.id}/stream`)).text,
      (await see('POST', `${chat.url}/message/${answer?.id}/stop`)).text,
    ];
    for (const text of shown) {
      expect(text).not.toContain('costs 30 per month');
      expect(text).not.toContain(memo.id);
      expect(text).toContain('"type":"restricted"');
    }
    expect(await history(key)).toContain('costs 30 per month');
    const next = await see('POST', `${chat.url}/message`, { query: 'And the parking permit?', stream: false });
    expect(next.text).not.toContain('costs 30 per month');
  });
});

test('a filtered token cannot upload, change or delete an archive, whose members it may not see', async () => {
  const body = (): FormData => {
    const form = new FormData();
    form.append('file', new Blob([zipSync({ 'a.md': strToU8('A member.') }).slice()]), 'all.zip');
    form.append('metadata', JSON.stringify(LEGAL));
    return form;
  };
  const url = `${collection.url}/docs`;
  expect((await see('POST', `${url}/file-multipart`, undefined, { body: body() })).status).toBe(403);
  const made = (await service.call<AnyRecord>('POST', `${url}/file-multipart?wait=60`, { body: body() })).data;
  const archive = `${url}/${made.id}`;
  expect((await see('GET', archive)).status).toBe(200);
  for (const [method, path, json] of [
    ['PATCH', '', { name: 'x.zip' }],
    ['DELETE', '', undefined],
    ['PUT', '/undelete', {}],
    ['POST', '/retry', {}],
  ] as const) {
    expect([method, (await see(method, `${archive}${path}`, json)).status]).toEqual([method, 403]);
  }
  expect((await see('POST', `${url}/delete`, { documentIds: [made.id] })).data).toEqual({ deleted: 0 });
});
