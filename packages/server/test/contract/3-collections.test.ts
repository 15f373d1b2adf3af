/** CONTRACT section 3: collections. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCollection,
  createDocument,
  createKey,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

test('a collection is made with the defaults of its workspace for what is left out', async () => {
  const made = await service.call('POST', `${workspace.url}/col`, { json: { name: 'Leases', metadata: { a: [1] } } });
  expect(made.status).toBe(201);
  expect(made.data).toEqual({
    id: expect.stringMatching(UUID),
    workspaceId: workspace.id,
    name: 'Leases',
    description: null,
    parserId: expect.stringMatching(UUID),
    embedderId: expect.stringMatching(UUID),
    sparseEmbedderId: expect.stringMatching(UUID),
    chunking: { maxTokens: expect.any(Number), overlapTokens: expect.any(Number) },
    rerank: null,
    metadata: { a: [1] },
    documentCounts: { indexing: 0, ready: 0, failed: 0 },
    archiveCounts: { indexing: 0, ready: 0, failed: 0 },
    failedByType: {},
    chunkCount: 0,
    reindex: null,
    createdAt: expect.stringMatching(TIMESTAMP),
    modifiedAt: expect.stringMatching(TIMESTAMP),
    deletedAt: null,
  });
  expect((await service.call('GET', `${workspace.url}/col/${String(made.data['id'])}`)).data).toEqual(made.data);
});

test('its counts follow its documents', async () => {
  const collection = await createCollection(service, workspace);
  await createDocument(service, collection);
  const { data } = await service.call('GET', collection.url);
  expect([data['documentCounts'], data['chunkCount']]).toEqual([{ indexing: 0, ready: 1, failed: 0 }, 1]);
});

test('failed documents are counted by type of error, and listed by it', async () => {
  const collection = await createCollection(service, workspace);
  await createDocument(service, collection, { name: 'full.md' });
  await createDocument(service, collection, { name: 'blank.txt', content: ' ', contentType: 'text/plain' });
  const gone = await createDocument(service, collection, { name: 'b.txt', content: '\n', contentType: 'text/plain' });
  const { data } = await service.call('GET', collection.url);
  expect([data['documentCounts'], data['failedByType']]).toEqual([
    { indexing: 0, ready: 1, failed: 2 },
    { no_text: 2 },
  ]);
  await service.call('DELETE', gone.url);
  const listed = await service.call<{ items: AnyRecord[] }>('GET', `${workspace.url}/col`);
  expect(listed.data.items.find(({ id }) => id === collection.id)?.['failedByType']).toEqual({ no_text: 1 });
  const named = async (query: string) =>
    (await service.call<{ items: AnyRecord[] }>('GET', `${collection.url}/docs?${query}`)).data.items.map(
      ({ name }) => name,
    );
  expect(await named('errorType=no_text')).toEqual(['blank.txt']);
  expect(await named('errorType=corrupt')).toEqual([]);
  expect(await named('errorType=no_text&status=ready')).toEqual([]);
  expect(await named('errorType=no_text&status=deleted')).toEqual(['b.txt']);
  const wrong = await service.call('GET', `${collection.url}/docs?errorType=lost`);
  expect(wrong.detail.map(({ type, loc }) => [type, ...loc])).toEqual([['enum', 'query', 'errorType']]);
});

test('ids of another role or another workspace are refused by name', async () => {
  const mine = await createCollection(service, workspace);
  const other = await createCollection(service, await createWorkspace(service));
  const json = { name: 'x', parserId: mine['embedderId'], embedderId: other['embedderId'] };
  const answer = await service.call('POST', `${workspace.url}/col`, { json });
  expect(answer.detail.map(({ type, loc }) => [type, loc])).toEqual([
    ['value_error', ['body', 'parserId']],
    ['value_error', ['body', 'embedderId']],
  ]);
});

test('name, description and metadata change without a re-index; chunking starts one', async () => {
  const collection = await createCollection(service, workspace, {
    description: 'old',
    chunking: { maxTokens: 200, overlapTokens: 10 },
  });
  const plain = await service.call('PATCH', collection.url, {
    json: { name: 'New', description: null, metadata: { b: 2 } },
  });
  expect([
    plain.status,
    plain.data['name'],
    plain.data['description'],
    plain.data['metadata'],
    plain.data['reindex'],
  ]).toEqual([200, 'New', null, { b: 2 }, null]);
  const chunking = await service.call('PATCH', collection.url, { json: { chunking: { maxTokens: 100 } } });
  expect(chunking.data['chunking']).toEqual({ maxTokens: 100, overlapTokens: 10 });
  expect(chunking.data['reindex']).toMatchObject({
    status: expect.stringMatching(/running|done/),
    progress: expect.any(Number),
  });
});

test('a re-index can be requested, and cancelling fails while none runs', async () => {
  const collection = await createCollection(service, workspace);
  const cancelled = await service.call('DELETE', `${collection.url}/reindex`);
  expect([cancelled.status, cancelled.detail[0]?.type]).toEqual([409, 'conflict']);
  expect((await service.call('POST', `${collection.url}/reindex`)).status).toBe(202);
});

test('deleting is soft: out of lists, readable, closed to changes, restored by undelete', async () => {
  const own = await createWorkspace(service);
  const collection = await createCollection(service, own);
  const first = await service.call('DELETE', collection.url, { key: own.admin });
  const again = await service.call('DELETE', collection.url, { key: own.admin });
  expect([first.status, again.status, again.data['deletedAt']]).toEqual([200, 200, first.data['deletedAt']]);
  expect(first.data['deletedAt']).toMatch(TIMESTAMP);
  const list = (query: string) => service.call<{ total: number }>('GET', `${own.url}/col${query}`);
  expect([(await list('')).data.total, (await list('?includeDeleted=true')).data.total]).toEqual([0, 1]);
  expect((await service.call('GET', collection.url)).data['deletedAt']).toBe(first.data['deletedAt']);
  const document = { name: 'a.txt', content: 'a', contentType: 'text/plain' };
  const changes = await Promise.all([
    service.call('PATCH', collection.url, { json: { name: 'x' } }),
    service.call('POST', `${collection.url}/reindex`),
    service.call('POST', `${collection.url}/docs/raw`, { json: document }),
    service.call('POST', `${collection.url}/search`, { json: { query: 'x' } }),
  ]);
  expect(changes.map((answer) => [answer.status, answer.detail[0]?.type])).toEqual(changes.map(() => [409, 'deleted']));
  const restored = await service.call('PUT', `${collection.url}/undelete`);
  expect([restored.status, restored.data['deletedAt']]).toEqual([200, null]);
  expect((await service.call('POST', `${collection.url}/docs/raw`, { json: document })).status).toBe(202);
});

test('a purged collection cannot be restored', async () => {
  const collection = await createCollection(service, workspace);
  const document = await createDocument(service, collection);
  expect((await service.call('DELETE', `${collection.url}?purge=true`)).status).toBe(200);
  expect((await service.call('GET', collection.url)).status).toBe(404);
  expect((await service.call('GET', document.url)).status).toBe(404);
});

test('a limited key lists its collections only', async () => {
  const own = await createWorkspace(service);
  const [first] = [await createCollection(service, own), await createCollection(service, own)];
  const key = await createKey(service, own, { permission: 'read', collectionIds: [first.id] });
  const { data } = await service.call<{ items: { id: string }[]; total: number }>('GET', `${own.url}/col`, { key });
  expect([data.items.map((item) => item.id), data.total]).toEqual([[first.id], 1]);
});
