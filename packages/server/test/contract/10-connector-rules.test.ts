/** CONTRACT section 10, rules: exact records, deletions, the brake, dry runs, retries, webhooks, metrics and audit. */
import { startReceiver, type Receiver } from '@quire/outbound/testing/receiver';
import { SourceUnavailable } from '@quire/connectors/connector-error';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts, useConnectorRequests, type Sync } from '../connectors/connector-requests.ts';
import { createKey, type AnyRecord } from '../factories.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const requests = useConnectorRequests(() => ({
  QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
  QUIRE_EXTRA_CA_FILE: receiver.caFile,
}));

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

/** Writes `count` files and synchronises them. */
async function imported(count: number, fields: Record<string, unknown> = {}): Promise<string> {
  const api = requests();
  for (let at = 0; at < count; at += 1) api.source.put(`${at}.txt`, `Content of ${at}`);
  const connector = await api.connect(fields);
  expect((await api.sync(connector)).counts).toEqual(counts({ listed: count, added: count }));
  return connector;
}

const remove = (count: number): void => {
  for (let at = 0; at < count; at += 1) requests().source.files.delete(`${at}.txt`);
};

describe('records', () => {
  test('a connector, a synchronisation and an item have exactly the fields of the contract', async () => {
    const api = requests();
    const settings = {
      schedule: '0 3 * * *',
      deletions: 'keep',
      maxDeletionShare: 0.5,
      include: ['**/*.txt'],
      exclude: ['drafts/**'],
      maxFileBytes: 1000,
      metadata: { team: 'legal' },
    };
    const connector = await imported(1, settings);
    const { data: record } = await api.call('GET', connector);
    const { data: sync } = await api.call<{ items: AnyRecord[] }>('GET', `${connector}/syncs`);
    expect(record).toEqual({
      id: connector.split('/')[2],
      workspaceId: api.workspace.id,
      collectionId: api.collection.id,
      name: 'Files',
      kind: 'ftp',
      config: { host: api.host },
      ...settings,
      status: 'idle',
      lastSync: sync.items[0],
      nextSyncAt: TIMESTAMP,
      itemCounts: { synced: 1, failed: 0, skipped: 0 },
      createdAt: TIMESTAMP,
      modifiedAt: TIMESTAMP,
      deletedAt: null,
    });
    expect(sync.items).toEqual([
      {
        id: ID,
        connectorId: record.id,
        trigger: 'manual',
        dryRun: false,
        status: 'done',
        phase: null,
        counts: counts({ listed: 1, added: 1 }),
        progress: { toFetch: 1, fetched: 1, fetchedBytes: 12 },
        verification: { checked: 0, present: 0, unknown: 0 },
        changes: [],
        warnings: [],
        error: null,
        nextTryAt: null,
        startedAt: TIMESTAMP,
        finishedAt: TIMESTAMP,
      },
    ]);
    expect(await api.items(connector)).toEqual([
      {
        path: '0.txt',
        url: null,
        status: 'synced',
        sizeBytes: 12,
        version: expect.any(String),
        sourceModifiedAt: null,
        documentId: ID,
        error: null,
        lastSeenAt: TIMESTAMP,
        syncedAt: TIMESTAMP,
      },
    ]);
  });

  test('items are listed in the order of their paths, in pages', async () => {
    const api = requests();
    const connector = await imported(12);
    const page = async (query: string) =>
      (await api.call<{ items: { path: string }[]; cursor: string | null }>('GET', `${connector}/items${query}`)).data;
    const first = await page('?limit=7');
    const second = await page(`?limit=7&cursor=${first.cursor}`);
    const paths = Array.from({ length: 12 }, (_each, at) => `${at}.txt`).toSorted();
    expect([first.items, second.items].map((items) => items.map(({ path }) => path))).toEqual([
      paths.slice(0, 7),
      paths.slice(7),
    ]);
    expect(second.cursor).toBe(null);
  });

  test('omitted settings have the defaults of the contract', async () => {
    const api = requests();
    const { data } = await api.call('GET', await api.connect());
    expect(data).toMatchObject({
      schedule: null,
      deletions: 'mirror',
      maxDeletionShare: 0.2,
      include: [],
      exclude: [],
      maxFileBytes: null,
      metadata: {},
      lastSync: null,
      nextSyncAt: null,
      itemCounts: { synced: 0, failed: 0, skipped: 0 },
    });
  });

  test('a deletion is repeatable; reading needs a read key and synchronising a write key', async () => {
    const api = requests();
    const connector = await imported(1);
    const read = await createKey(api.service, api.workspace, { permission: 'read' });
    expect((await api.call('GET', connector, undefined, read)).status).toBe(200);
    const refused = ['sync', `syncs/${(await api.sync(connector)).id}/cancel`];
    for (const path of refused)
      expect((await api.call('POST', `${connector}/${path}`, undefined, read)).status).toBe(403);
    const first = await api.call('DELETE', connector);
    const second = await api.call('DELETE', connector);
    expect([first.status, second.status, second.data['deletedAt']]).toEqual([200, 200, first.data['deletedAt']]);
    expect((await api.call('PATCH', connector, { name: 'x' })).detail[0]?.type).toBe('deleted');
    expect((await api.call('GET', connector)).status).toBe(200);
  });
});

describe('deletions', () => {
  test('with `deletions: keep` the documents of deleted files stay, however many they are', async () => {
    const api = requests();
    const connector = await imported(12, { deletions: 'keep' });
    remove(12);
    const sync = await api.sync(connector);
    expect([sync.status, sync.counts]).toEqual(['done', counts({})]);
    expect((await api.names()).length).toBe(12);
  });

  test('`maxDeletionShare` is the share above which deletions are held back', async () => {
    const api = requests();
    const connector = await imported(20, { maxDeletionShare: 0.5 });
    remove(10);
    expect((await api.sync(connector)).counts).toEqual(counts({ listed: 10, unchanged: 10, deleted: 10 }));
    requests().source.files.delete('10.txt');
    await api.call('PATCH', connector, { maxDeletionShare: 0 });
    const held = await api.sync(connector);
    expect([held.status, held.error?.type, held.counts['deleted']]).toEqual(['held', 'held', 0]);
    expect(held.changes).toEqual([{ path: '10.txt', change: 'delete', reason: null }]);
    await api.call('PATCH', connector, { maxDeletionShare: 1 });
    expect((await api.sync(connector)).counts).toEqual(counts({ listed: 9, unchanged: 9, deleted: 1 }));
  });

  test('what a listing leaves out keeps its document while the source has it, also in a dry run', async () => {
    const api = requests();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) api.source.put(name, `Content of ${name}`);
    const connector = await api.connect();
    await api.sync(connector);
    api.source.hidden.add('a.txt');
    api.source.files.delete('b.txt');
    const expected = {
      status: 'done',
      counts: counts({ listed: 1, unchanged: 1, deleted: 1 }),
      verification: { checked: 2, present: 1, unknown: 0 },
      warnings: [{ type: 'files_left_out', message: 'The listing left out a file that exists; its document stays' }],
    };
    expect(await api.sync(connector, '?dryRun=true')).toMatchObject(expected);
    expect(await api.names()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await api.sync(connector)).toMatchObject(expected);
    expect(await api.names()).toEqual(['a.txt', 'c.txt']);
    expect((await api.items(connector, '?path=a'))[0]).toMatchObject({ status: 'synced', error: null });
  });

  test('only held deletions can be approved, once, and the approval is audited', async () => {
    const api = requests();
    const connector = await imported(3);
    const approve = (id: string) => api.call<Sync>('POST', `${connector}/syncs/${id}/approve`);
    const done = await api.sync(connector);
    const refused = await approve(done.id);
    expect([refused.status, refused.detail[0]?.ctx]).toEqual([409, { status: 'done' }]);
    api.source.files.clear();
    const { id } = await api.sync(connector);
    expect((await approve(id)).status).toBe(202);
    await api.ended(connector, id);
    expect((await approve(id)).status).toBe(409);
    const { data } = await api.call<{ items: AnyRecord[] }>('GET', '/audit?action=approveSync&outcome=done');
    expect(data.items.filter(({ resourceId }) => resourceId === id).length).toBe(1);
  });
});

test('a dry run names the reason of each skipped file and fetches nothing', async () => {
  const api = requests();
  const connector = await api.connect({ include: ['docs/**', 'page'], exclude: ['**/draft.*'], maxFileBytes: 10 });
  for (const path of ['docs/a.txt', 'docs/draft.txt', 'docs/tool.exe', 'other.txt', 'page']) api.source.put(path, 'x');
  api.source.put('docs/large.txt', 'more than ten bytes');
  const skip = { type: 'robots', message: 'robots.txt forbids the page' } as const;
  api.source.describe = (entry) => (entry.path === 'page' ? { ...entry, skip } : entry);
  const sync = await api.sync(connector, '?dryRun=true');
  expect([sync.status, sync.counts]).toEqual(['done', counts({ listed: 6, added: 1, skipped: 5 })]);
  expect(Object.fromEntries(sync.changes.map(({ path, reason }) => [path, reason]))).toEqual({
    'docs/a.txt': null,
    'docs/draft.txt': 'A pattern of `exclude` matches the path',
    'docs/large.txt': 'The file has 19 bytes, the limit is 10',
    'docs/tool.exe': 'Files of this type are not supported',
    'other.txt': 'No pattern of `include` matches the path',
    page: 'robots.txt forbids the page',
  });
  expect([api.source.fetches, await api.items(connector), await api.names()]).toEqual([[], [], []]);
  expect((await api.call('GET', connector)).data['lastSync']).toBe(null);
  await api.sync(connector);
  const skipped = await api.items(connector, '?status=skipped');
  expect(skipped.map(({ path, error }) => [path, error?.type])).toEqual([
    ['docs/draft.txt', 'excluded'],
    ['docs/large.txt', 'too_large'],
    ['docs/tool.exe', 'unsupported_file_type'],
    ['other.txt', 'excluded'],
    ['page', 'robots'],
  ]);
});

test('one bad file is the error of that item, and the next synchronisation tries it again when it changed', async () => {
  const api = requests();
  for (const name of ['a', 'b']) api.source.put(`${name}.txt`, `Content of ${name}`);
  const connector = await api.connect();
  api.source.fault = { kind: 'file', path: 'a.txt' };
  const sync = await api.sync(connector);
  expect([sync.status, sync.error?.type, sync.counts]).toEqual([
    'done_with_errors',
    'items_failed',
    counts({ listed: 2, added: 1, failed: 1 }),
  ]);
  expect((await api.items(connector, '?status=failed')).map(({ path, error }) => [path, error])).toEqual([
    ['a.txt', { type: 'permission', message: 'reading is not allowed' }],
  ]);
  api.source.fault = null;
  api.source.put('a.txt', 'Changed');
  expect((await api.sync(connector)).counts).toEqual(counts({ listed: 2, added: 1, unchanged: 1 }));
});

test('a source that limits the rate is waited for', async () => {
  const api = requests();
  api.source.put('a.txt', 'A');
  let refusals = 2;
  const limit = (): void => {
    refusals -= 1;
    if (refusals >= 0) throw new SourceUnavailable('429 Too Many Requests', 1);
  };
  api.source.beforePage = limit;
  const connector = await api.connect();
  expect((await api.sync(connector)).counts).toEqual(counts({ listed: 1, added: 1 }));
  api.source.put('a.txt', 'B');
  refusals = 2;
  api.source.beforePage = () => undefined;
  api.source.beforeFetch = limit;
  expect((await api.sync(connector)).counts).toEqual(counts({ listed: 1, updated: 1 }));
  expect(refusals).toBe(-1);
});

test('a source that does not answer is named while the synchronisation runs, with the time of the next try', async () => {
  const api = requests();
  api.source.beforePage = () => {
    throw new SourceUnavailable('files.example.com cannot be reached (ECONNREFUSED)', 600_000);
  };
  const connector = await api.connect();
  const { data: started } = await api.call<Sync>('POST', `${connector}/sync`);
  const path = `${connector}/syncs/${started.id}`;
  await expect.poll(async () => (await api.call<Sync>('GET', path)).data.error, { timeout: 30_000 }).not.toBe(null);
  const { data: sync } = await api.call<Sync & { nextTryAt: string }>('GET', path);
  expect([sync.status, sync.phase, sync.error, sync.nextTryAt]).toEqual([
    'running',
    'listing',
    { type: 'source_unavailable', message: 'files.example.com cannot be reached (ECONNREFUSED)' },
    TIMESTAMP,
  ]);
  const { data: record } = await api.call('GET', connector);
  expect([record['status'], record['lastSync']]).toEqual(['syncing', sync]);
  const { data: ended } = await api.call<Sync>('POST', `${path}/cancel`);
  expect(ended).toMatchObject({ status: 'cancelled', nextTryAt: null, error: { type: 'cancelled' } });
});

test('a connector is failing after a listing that failed, deletes nothing, and is idle after the next one', async () => {
  const api = requests();
  const connector = await imported(1);
  const statusOf = async () => (await api.call('GET', connector)).data['status'];
  api.source.fault = { kind: 'missing-root' };
  const failed = await api.sync(connector);
  expect([failed.status, failed.error?.type, await statusOf()]).toEqual(['failed', 'listing_failed', 'failing']);
  expect(await api.names()).toEqual(['0.txt']);
  api.source.fault = null;
  expect([(await api.sync(connector)).status, await statusOf()]).toEqual(['done', 'idle']);
});

test('a change of permissions alone changes the metadata and keeps the revision', async () => {
  const api = requests();
  api.source.describe = (entry) => ({ ...entry, permissions: ['group:staff'] });
  const connector = await imported(1);
  api.source.fetches.length = 0;
  api.source.describe = (entry) => ({ ...entry, permissions: ['public'] });
  expect((await api.sync(connector)).counts).toEqual(counts({ listed: 1, updated: 1 }));
  const [document] = await api.documents();
  expect([document?.['revision'], document?.['metadata'], api.source.fetches]).toMatchObject([
    1,
    { source: { path: '0.txt', permissions: ['public'] } },
    [],
  ]);
});

test('a webhook receives each synchronisation that ended, also a held and a failed one, and metrics count them', async () => {
  const api = requests();
  const hook = { name: 'Hook', signingSecret: 'a-signing-secret-of-the-tests', events: ['connector.synced'] };
  await api.call('POST', '/webhooks', { ...hook, url: `${receiver.url}/synced` });
  const connector = await imported(2);
  api.source.files.clear();
  const held = await api.sync(connector);
  api.source.fault = { kind: 'missing-root' };
  const failed = await api.sync(connector);
  const own = () =>
    receiver.received
      .map(
        ({ body }) => JSON.parse(body) as { type: string; workspaceId: string; data: Sync & { connectorId: string } },
      )
      .filter(({ data }) => data.connectorId === held.connectorId);
  await expect.poll(() => own().length, { timeout: 30_000 }).toBe(3);
  const events = own().toSorted((one, other) => (one.data.id < other.data.id ? -1 : 1));
  expect(events.map(({ type, workspaceId, data }) => [type, workspaceId, data.status, data.error?.type])).toEqual([
    ['connector.synced', api.workspace.id, 'done', undefined],
    ['connector.synced', api.workspace.id, 'held', 'held'],
    ['connector.synced', api.workspace.id, 'failed', 'listing_failed'],
  ]);
  expect(events.slice(1).map(({ data }) => data)).toEqual([held, failed]);

  const metrics = (await api.service.call('GET', '/metrics')).text;
  for (const status of ['done', 'held', 'failed']) {
    expect(metrics).toMatch(
      new RegExp(`quire_connector_sync_duration_seconds_count\\{kind="ftp",status="${status}"\\} [1-9]`),
    );
  }
  expect(metrics).toMatch(/quire_connector_fetches_total\{kind="ftp",outcome="settled"\} [1-9]/);
});
