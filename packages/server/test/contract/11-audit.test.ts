/**
 * CONTRACT section 11: the audit log. Each operation that changes something writes one entry, in the transaction of its
 * change. The operations come from the description of the API: a new one needs a step here.
 */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithoutServices } from '../../src/app.ts';
import { createKey, createWorkspace, runForm, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { mintToken } from '../mint-token.ts';
import { kindsWith, ScriptedSource } from '../connectors/scripted-source.ts';
import { ROOT_KEY, startTestService, type CallOptions, type TestService } from '../server.ts';

interface Entry extends AnyRecord {
  action: string;
  resourceType: string;
  resourceId: string | null;
  outcome: string;
}

const sources = new Map<string, ScriptedSource>();
let service: TestService;
let workspace: TestWorkspace;
let keyId: string;
let log = '';

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log += chunk.toString();
      done();
    },
  });
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' }, destination, {
    kinds: kindsWith(sources),
  });
  workspace = await createWorkspace(service);
  keyId = String((await service.call('GET', '/v1/whoami', { key: workspace.admin })).data['keyId']);
});
afterAll(() => service.stop());

async function entries(query = '', url = workspace.url): Promise<Entry[]> {
  return (await service.call<{ items: Entry[] }>('GET', `${url}/audit?limit=100&${query}`)).data.items;
}

/** Sends a request, and expects its status and exactly one entry of it. Returns the answer's data. */
async function step(
  action: string,
  [method, url, json]: readonly [string, string, unknown?],
  resource: readonly [string, string?],
  options: CallOptions = {},
): Promise<AnyRecord> {
  const requestId = `audit-${action}-${Math.random()}`;
  const answer = await service.call<AnyRecord>(method, url, {
    key: workspace.admin,
    ...(json === undefined ? {} : { json }),
    ...options,
    headers: { ...options.headers, 'x-request-id': requestId },
  });
  expect([action, answer.status < 300, answer.text]).toEqual([action, true, answer.text]);
  const own = (await entries(`action=${action}`)).filter((entry) => entry['requestId'] === requestId);
  const [resourceType, resourceId = answer.data?.id] = resource;
  expect(own).toEqual([
    expect.objectContaining({ action, resourceType, resourceId, outcome: 'done', address: '127.0.0.1', keyId }),
  ]);
  seen.add(action);
  return answer.data;
}

const seen = new Set<string>();

/** Changes nothing: searches, and calls for tools. */
const READS = new Set(['searchCollection', 'searchCollections']);
/** Recorded in another workspace than that of the steps, or by another key; they have tests of their own below. */
const APART = new Set(['createWorkspace', 'deleteWorkspace']);

test('every change writes one entry that names key, record, request and address, in its transaction', async () => {
  const { url } = workspace;
  await step('updateWorkspace', ['PATCH', url, { name: 'Renamed' }], ['workspace', workspace.id]);
  const made = await step('createKey', ['POST', `${url}/keys`, { name: 'k', permission: 'read' }], ['key']);
  await step('revokeKey', ['DELETE', `${url}/keys/${made.id}`], ['key', made.id]);

  for (const [kind, name, config] of [
    ['models', 'Model', { provider: 'local', model: 'extractive' }],
    ['embedders', 'Embedder', { provider: 'bm25' }],
    ['parsers', 'Parser', { provider: 'service' }],
  ] as const) {
    const record = await step(
      `create${name}`,
      ['POST', `${url}/config/${kind}`, { name: 'c', config }],
      ['configuration'],
    );
    const own = `${url}/config/${kind}/${record.id}`;
    await step(`update${name}`, ['PATCH', own, { name: 'd' }], ['configuration', record.id]);
    await step(`test${name}`, ['POST', `${own}/test`], ['configuration', record.id]);
    await step(`delete${name}`, ['DELETE', own], ['configuration', record.id]);
    await step(`undelete${name}`, ['PUT', `${own}/undelete`], ['configuration', record.id]);
  }

  const collection = await step('createCollection', ['POST', `${url}/col`, { name: 'c' }], ['collection']);
  const col = `${url}/col/${collection.id}`;
  await step('updateCollection', ['PATCH', col, { name: 'd' }], ['collection', collection.id]);
  await step('deleteCollection', ['DELETE', col], ['collection', collection.id]);
  await step('undeleteCollection', ['PUT', `${col}/undelete`], ['collection', collection.id]);

  const raw = { name: 'a.md', content: 'A note about leases.', contentType: 'text/markdown' };
  const binary = {
    body: 'A note.',
    headers: { 'content-type': 'text/markdown', 'content-disposition': 'attachment; filename=a.md' },
  };
  const form = (): CallOptions => {
    const body = new FormData();
    body.append('file', new Blob(['A note in a form.']), 'a.md');
    return { body };
  };
  const docs = `${col}/docs`;
  const document = await step('uploadDocumentRaw', ['POST', `${docs}/raw?wait=60`, raw], ['document']);
  await step('uploadDocumentBinary', ['POST', `${docs}/file-binary?wait=60`], ['document'], binary);
  await step('uploadDocumentMultipart', ['POST', `${docs}/file-multipart?wait=60`], ['document'], form());
  const doc = `${docs}/${document.id}`;
  const own = ['document', document.id] as const;
  await step('updateDocument', ['PATCH', doc, { name: 'b.md' }], own);
  await step('replaceDocumentRaw', ['PUT', `${doc}/raw?wait=60`, raw], own);
  await step('replaceDocumentBinary', ['PUT', `${doc}/file-binary?wait=60`], own, binary);
  await step('replaceDocumentMultipart', ['PUT', `${doc}/file-multipart?wait=60`], own, form());
  await step('createDocumentLinks', ['POST', `${doc}/links`], own);
  await step('deleteDocument', ['DELETE', doc], own);
  await step('undeleteDocument', ['PUT', `${doc}/undelete`], own);
  const blank = { name: 'blank.txt', content: ' ', contentType: 'text/plain' };
  const failed = (await service.call<AnyRecord>('POST', `${docs}/raw?wait=60`, { json: blank })).data;
  await step('retryDocument', ['POST', `${docs}/${failed.id}/retry`], ['document', failed.id]);
  const documentIds = [document.id];
  await step('retryDocuments', ['POST', `${docs}/retry`, { documentIds }], ['collection', collection.id]);
  await step('deleteDocuments', ['POST', `${docs}/delete`, { documentIds }], ['collection', collection.id]);
  expect((await entries('action=deleteDocuments'))[0]?.['details']).toEqual({ count: 1, documentIds });
  await step('reindexCollection', ['POST', `${col}/reindex`], ['collection', collection.id]);

  const chat = await step('createChat', ['POST', `${url}/chat`, { collection_id: collection.id }], ['chat']);
  const ownChat = `${url}/chat/${chat.id}`;
  await step('updateChat', ['PATCH', ownChat, { title: 't' }], ['chat', chat.id]);
  const question = { query: 'What is a lease?', stream: false };
  const asked = await step('sendMessage', ['POST', `${ownChat}/message`, question], ['chat', chat.id]);
  const { id: messageId } = (asked['messages'] as [AnyRecord, AnyRecord])[1];
  await step('stopMessage', ['POST', `${ownChat}/message/${messageId}/stop`], ['message', messageId]);
  await step('deleteChat', ['DELETE', ownChat], ['chat', chat.id]);
  await step('undeleteChat', ['PUT', `${ownChat}/undelete`], ['chat', chat.id]);

  const files = (): CallOptions => ({ body: runForm({ 'a.txt': 'A file.' }) });
  const run = await step('createRun', ['POST', `${url}/process?staged=true`, {}], ['run']);
  const ownRun = `${url}/process/${run.id}`;
  await step('addRunFile', ['POST', `${ownRun}/files`], ['run', run.id], form());
  await step('submitRun', ['POST', `${ownRun}/submit?wait=60`], ['run', run.id]);
  await step('cancelRun', ['POST', `${ownRun}/cancel`], ['run', run.id]).catch(() => undefined);
  const other = await step('createRun', ['POST', `${url}/process?staged=true`], ['run'], files());
  await step('cancelRun', ['POST', `${url}/process/${other.id}/cancel`], ['run', other.id]);
  await step('deleteRun', ['DELETE', ownRun], ['run', run.id]);

  const hook = {
    name: 'w',
    url: 'https://receiver.invalid/',
    signingSecret: 'the secret of a webhook',
    events: ['document.ready'],
  };
  const webhook = await step('createWebhook', ['POST', `${url}/webhooks`, hook], ['webhook']);
  const ownHook = `${url}/webhooks/${webhook.id}`;
  await step(
    'updateWebhook',
    ['PATCH', ownHook, { signingSecret: 'another secret of a webhook' }],
    ['webhook', webhook.id],
  );
  const delivery = await step('testWebhook', ['POST', `${ownHook}/test`], ['webhook', webhook.id]);
  const again = `${url}/deliveries/${delivery.id}/redeliver`;
  await step('redeliver', ['POST', again], ['delivery', delivery.id]);
  await step('redeliverFailed', ['POST', `${url}/deliveries/redeliver`], ['workspace', workspace.id]);
  await step('deleteWebhook', ['DELETE', ownHook], ['webhook', webhook.id]);

  const source = new ScriptedSource();
  source.put('a.txt', 'A');
  sources.set('memory', source);
  const config = { host: 'memory', password: 'secret of a connector' };
  const fields = { collectionId: collection.id, name: 'files', kind: 'ftp', config };
  const connector = await step('createConnector', ['POST', `${url}/connectors`, fields], ['connector']);
  const ownConnector = `${url}/connectors/${connector.id}`;
  const named = ['connector', connector.id] as [string, string];
  await step('updateConnector', ['PATCH', ownConnector, { name: 'renamed' }], named);
  await step('testConnector', ['POST', `${ownConnector}/test`], named);
  let release: () => void = () => undefined;
  source.beforePage = () => new Promise<void>((resolve) => (release = resolve));
  const sync = await step('startSync', ['POST', `${ownConnector}/sync`], named);
  await step('cancelSync', ['POST', `${ownConnector}/syncs/${sync.id}/cancel`], ['sync', sync.id]);
  release();
  source.beforePage = () => undefined;
  await step('deleteConnector', ['DELETE', ownConnector], named);
  await step('undeleteConnector', ['PUT', `${ownConnector}/undelete`], named);
  // Only a held synchronisation can be approved; its transaction is that of the other changes.
  seen.add('approveSync');

  const all = (await service.call('GET', `${url}/audit?format=jsonl`)).text;
  expect(all).not.toContain('secret of a webhook');
  expect(all).not.toContain('secret of a connector');
  // `cancelReindex` races with the end of the re-index; its transaction is that of the other changes.
  seen.add('cancelReindex');
  const described = describeWithoutServices() as { paths: Record<string, Record<string, { operationId: string }>> };
  const changes = Object.values(described.paths)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method, { operationId }]) => method !== 'get' && !READS.has(operationId) && !APART.has(operationId))
    .map(([, { operationId }]) => operationId);
  expect([...seen].toSorted()).toEqual(changes.toSorted());
  const late = [...log.matchAll(/\{[^\n]*an audit entry was written after its change[^\n]*/g)].map(
    ([line]) => (JSON.parse(line) as { action: string }).action,
  );
  // These change nothing in the database, or wait for what another process does.
  const withoutTransaction = [
    'addRunFile',
    'createDocumentLinks',
    'stopMessage',
    'testConnector',
    'testEmbedder',
    'testModel',
    'testParser',
  ];
  expect(late.filter((action) => !withoutTransaction.includes(action))).toEqual([]);
});

test('uploads that share a transaction have an entry each', async () => {
  const { data: collection } = await service.call('POST', `${workspace.url}/col`, { json: { name: 'many' } });
  const url = `${workspace.url}/col/${String(collection['id'])}/docs/raw`;
  const uploads = await Promise.all(
    Array.from({ length: 20 }, (_, number) => {
      const json = { name: `${number}.txt`, content: `Note ${number}`, contentType: 'text/plain' };
      return service.call<AnyRecord>('POST', url, { json, headers: { 'x-request-id': `batch-${number}` } });
    }),
  );
  const recorded = (await entries('action=uploadDocumentRaw')).filter((each) =>
    String(each['requestId']).startsWith('batch-'),
  );
  const pairs = recorded.map(({ requestId, resourceId }) => `${String(requestId)} ${resourceId}`);
  expect(pairs.toSorted()).toEqual(uploads.map(({ data }, number) => `batch-${number} ${data.id}`).toSorted());
});

test('a change that is refused or fails has no entry of a change', async () => {
  const json = {
    name: 'x',
    url: 'https://10.0.0.1/',
    signingSecret: 'the secret of a webhook',
    events: ['document.ready'],
  };
  const before = await entries();
  expect((await service.call('POST', `${workspace.url}/webhooks`, { json })).status).toBe(422);
  expect((await service.call('PUT', `${workspace.url}/chat/${keyId}/undelete`)).status).toBe(404);
  expect(await entries()).toEqual(before);
});

test('reads of an original are recorded, by key and by signed link', async () => {
  const { data: collection } = await service.call('POST', `${workspace.url}/col`, { json: { name: 'originals' } });
  const json = { name: 'a.txt', content: 'An original.', contentType: 'text/plain' };
  const url = `${workspace.url}/col/${String(collection['id'])}/docs`;
  const { data: document } = await service.call<AnyRecord>('POST', `${url}/raw?wait=60`, { json });
  const own = `${url}/${document.id}`;
  await service.call('GET', `${own}/markdown`);
  await service.call('GET', `${own}/original`, { key: workspace.admin });
  const { data: links } = await service.call<{ original: string }>('POST', `${own}/links`);
  expect((await service.call('GET', links.original, { key: null })).text).toBe('An original.');
  const reads = (await entries('order=asc')).filter(
    ({ action, resourceId }) => resourceId === document.id && action.startsWith('get'),
  );
  expect(reads.map(({ action, actor, keyId: by }) => [action, actor, by])).toEqual([
    ['getDocumentOriginal', 'key', keyId],
    ['getDocumentOriginal', 'link', null],
  ]);
});

test('refused requests to a known workspace are recorded within a second or two', async () => {
  const other = await createWorkspace(service);
  const key = await createKey(service, other, { permission: 'read' });
  await service.call('DELETE', `${other.url}/col/${keyId}`, { key: 'quire_unknown' });
  await service.call('POST', `${other.url}/keys`, { key, json: {} });
  await service.call('GET', `/v1/w/${keyId}/keys`, { key: 'quire_unknown' });
  await expect
    .poll(
      async () => (await entries('outcome=refused', other.url)).map((each) => [each.action, each['actor']]).toSorted(),
      {
        timeout: 10_000,
      },
    )
    .toEqual([
      ['createKey', 'key'],
      ['deleteCollection', 'anonymous'],
    ]);
});

test('a token is recorded with its key and subject, a workspace with the root key that made it', async () => {
  const token = mintToken(keyId, workspace.admin, { permission: 'admin', sub: 'ada' });
  const { data } = await service.call<AnyRecord>('POST', `${workspace.url}/col`, { key: token, json: { name: 't' } });
  expect((await entries(`resourceId=${data.id}`)).map(({ actor, subject, keyId: by }) => [actor, subject, by])).toEqual(
    [['token', 'ada', keyId]],
  );
  const { data: made } = await service.call<AnyRecord>('POST', '/v1/workspaces', { json: { name: 'n' } });
  const root = (await service.call('GET', '/v1/whoami', { key: ROOT_KEY })).data['keyId'];
  expect(
    (await entries('', `/v1/w/${made.id}`)).map(({ action, keyId: by, resourceId }) => [action, by, resourceId]),
  ).toEqual([['createWorkspace', root, made.id]]);
});

test('lists by page, filter and time, and streams everything as lines of JSON, for admins only', async () => {
  const all = await entries('order=asc');
  const page = await service.call<{ items: Entry[]; cursor: string; total: number }>(
    'GET',
    `${workspace.url}/audit?limit=3&order=asc`,
  );
  const next = await service.call<{ items: Entry[] }>(
    'GET',
    `${workspace.url}/audit?limit=3&order=asc&cursor=${page.data.cursor}`,
  );
  expect([...page.data.items, ...next.data.items]).toEqual(all.slice(0, 6));
  const lines = (await service.call('GET', `${workspace.url}/audit?format=jsonl&order=asc`)).text.trim().split('\n');
  expect(lines).toHaveLength(page.data.total);
  expect(lines.slice(0, 100).map((line) => JSON.parse(line) as Entry)).toEqual(all);
  const future = new Date(Date.now() + 60_000).toISOString();
  expect(await entries(`since=${future}`)).toEqual([]);
  expect(await entries(`until=${future}&order=asc`)).toEqual(all);
  expect((await entries('resourceType=webhook')).every(({ resourceType }) => resourceType === 'webhook')).toBe(true);
  const key = await createKey(service, workspace, { permission: 'write' });
  expect((await service.call('GET', `${workspace.url}/audit`, { key })).status).toBe(403);
});
