/** CONTRACT section 11: live events. */
import { connect as connectSocket } from 'node:net';
import { once } from 'node:events';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvents, type EventReader, type ReadEvent } from '../event-reader.ts';
import {
  createCollection,
  createDocument,
  createKey,
  createRun,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;
let workspace: TestWorkspace;
let birds: AnyRecord & { url: string };
let fish: AnyRecord & { url: string };

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  birds = await createCollection(service, workspace, { name: 'Birds' });
  fish = await createCollection(service, workspace, { name: 'Fish' });
});
afterAll(() => service.stop());

const open = (key = workspace.admin, lastEventId?: string): Promise<EventReader> =>
  openEvents(service, workspace.url, key, lastEventId);

const isDocument = (id: string, state: Record<string, unknown> | null) => (event: ReadEvent) =>
  event.type === 'document' &&
  event.data.id === id &&
  (state === null
    ? event.data.state === null
    : Object.entries(state).every(([name, value]) => event.data.state?.[name] === value));

test('a document is followed from its upload to its erasure', async () => {
  const events = await open();
  const { id, url } = await createDocument(service, birds);
  const ready = (await events.until(isDocument(id, { status: 'ready' }))).at(-1);
  expect(ready?.data).toEqual({
    id,
    collectionId: birds.id,
    state: {
      status: 'ready',
      stage: null,
      progress: 1,
      deadlineAt: null,
      revision: 1,
      searchableRevision: 1,
      errorType: null,
      deleted: false,
    },
  });
  await service.call('DELETE', url);
  await events.until(isDocument(id, { deleted: true }));
  await service.call('DELETE', `${url}?purge=true`);
  await events.until(isDocument(id, null));
  await events.close();
});

test('runs and collections are followed', async () => {
  const events = await open();
  const { id } = await createRun(service, workspace, { files: { 'a.md': 'Text.' } });
  const run = (await events.until(({ type, data }) => type === 'run' && data.state?.['status'] === 'done')).at(-1);
  expect(run?.data).toEqual({ id, state: { status: 'done', progress: 1, errorType: null } });
  const collection = await createCollection(service, workspace, { name: 'Third' });
  await service.call('DELETE', collection.url);
  const gone = (await events.until(({ data }) => data.id === collection.id && data.state?.['deleted'] === true)).at(-1);
  expect([gone?.type, gone?.data.state]).toEqual(['collection', { deleted: true, reindexing: false }]);
  await events.close();
});

test('a stream that is cut after any event resumes without a gap or a repeat', async () => {
  const first = await open();
  const marker = await createCollection(service, workspace, { name: 'Marker' });
  await first.until(({ data }) => data.id === marker.id);
  const start = first.lastId();
  await first.close();
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push((await createDocument(service, fish)).id);
  const last = await createCollection(service, workspace, { name: 'Last' });
  const readFrom = async (id: string | undefined): Promise<ReadEvent[]> => {
    const events = await open(workspace.admin, id);
    const read = await events.until(({ data }) => data.id === last.id);
    await events.close();
    return read;
  };
  const all = await readFrom(start);
  expect(all.flatMap(({ data }) => (ids.includes(data.id) ? data.id : [])).toSorted()).toEqual(ids.toSorted());
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const [index, { id }] of all.slice(0, -1).entries()) {
    expect((await readFrom(id)).map(({ data }) => data)).toEqual(all.slice(index + 1).map(({ data }) => data));
  }
});

test('an id that is unknown or too old is answered with the event reset', async () => {
  const old = `${(Date.now() - 3 * 3_600_000).toString(36)}~1:1:`;
  const future = `${Date.now().toString(36)}~1:9000000000000:`;
  for (const id of ['nonsense', old, future, `${Date.now().toString(36)}~9:1:`]) {
    const events = await open(workspace.admin, id);
    expect([id, (await events.next())?.type]).toEqual([id, 'reset']);
    await events.close();
  }
});

test('a key that is limited to a collection sees only its documents, and no runs', async () => {
  const key = await createKey(service, workspace, { permission: 'read', collectionIds: [fish.id] });
  const events = await open(key);
  const all = await open();
  await createRun(service, workspace, { files: { 'a.md': 'Text.' } });
  await createDocument(service, birds);
  const { id } = await createDocument(service, fish);
  const seen = await events.until(isDocument(id, { status: 'ready' }));
  expect(new Set(seen.map(({ type, data }) => `${type} ${data.collectionId}`))).toEqual(
    new Set([`document ${fish.id}`]),
  );
  expect((await all.until(isDocument(id, { status: 'ready' }))).some(({ type }) => type === 'run')).toBe(true);
  await Promise.all([events.close(), all.close()]);
});

test('another workspace is not seen, and its key answers 404', async () => {
  const other = await createWorkspace(service, 'Other');
  const events = await open();
  const theirs = await createCollection(service, other);
  const ours = await createCollection(service, workspace, { name: 'Ours' });
  const seen = await events.until(({ data }) => data.id === ours.id);
  expect(seen.map(({ data }) => data.id)).not.toContain(theirs.id);
  expect((await service.call('GET', `${workspace.url}/events`, { key: other.admin })).status).toBe(404);
  await events.close();
});

test('a stream ends when its key is revoked', async () => {
  const { data } = await service.call<AnyRecord & { key: string }>('POST', `${workspace.url}/keys`, {
    json: { name: 'short', permission: 'read' },
  });
  const events = await open(data.key);
  await service.call('DELETE', `${workspace.url}/keys/${data.id}`);
  await createCollection(service, workspace, { name: 'After' });
  expect(await events.next()).toBeUndefined();
});

test('a reader that does not read holds back neither others nor the service, and misses nothing', async () => {
  const { port, hostname } = new URL(service.address);
  const socket = connectSocket(Number(port), hostname);
  socket.write(`GET ${workspace.url}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.admin}\r\n\r\n`);
  await once(socket, 'readable');
  const events = await open();
  const database = new Client({ connectionString: service.connectionString });
  await database.connect();
  // More than the buffers of a connection: 30,000 events of about 200 bytes.
  await database.query(
    `insert into changes (workspace_id, kind, id, collection_id)
     select $1, 'document', gen_random_uuid(), $2 from generate_series(1, 30000)`,
    [workspace.id, fish.id],
  );
  await database.end();
  const last = await createCollection(service, workspace, { name: 'Last' });
  expect((await events.until(({ data }) => data.id === last.id)).length).toBe(30_001);
  let text = '';
  for await (const chunk of socket) {
    text = `${text}${String(chunk)}`;
    if (text.includes(last.id)) break;
  }
  expect(text.match(/^event: document$/gm)?.length).toBe(30_000);
  await events.close();
});
