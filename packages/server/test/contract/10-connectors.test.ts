/** CONTRACT section 10 over the real service, with a source in memory as the kind `ftp`. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kindsWith, ScriptedSource } from '../connectors/scripted-source.ts';
import { createCollection, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestAnswer, type TestService } from '../server.ts';

interface Sync {
  id: string;
  status: string;
  phase: string | null;
  counts: Record<string, number>;
  changes: { path: string; change: string; reason: string | null }[];
  error: { type: string; message: string } | null;
}
interface List<T> {
  items: T[];
  total: number;
  cursor: string | null;
}
type Item = AnyRecord & { path: string; status: string; documentId: string; error: { type: string } | null };

const sources = new Map<string, ScriptedSource>();
let service: TestService;
let workspace: TestWorkspace;
let collection: AnyRecord & { url: string };
let source: ScriptedSource;
let host = '';
let hosts = 0;

beforeAll(async () => {
  service = await startTestService({}, undefined, {
    kinds: kindsWith(sources),
    scheduleMs: 50,
    retryDelayMs: () => 1,
    sourceDelayMs: () => 1,
  });
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

beforeEach(async () => {
  hosts += 1;
  host = `source-${hosts}`;
  source = new ScriptedSource();
  sources.set(host, source);
  collection = await createCollection(service, workspace);
});

const call = <T = AnyRecord>(method: string, path: string, json?: unknown): Promise<TestAnswer<T>> =>
  service.call<T>(method, `${workspace.url}${path}`, { key: workspace.admin, ...(json === undefined ? {} : { json }) });

async function connect(fields: Record<string, unknown> = {}): Promise<string> {
  const json = { collectionId: collection.id, name: 'Files', kind: 'ftp', config: { host }, ...fields };
  const answer = await call('POST', '/connectors', json);
  if (answer.status !== 201) throw new Error(answer.text);
  return `/connectors/${answer.data.id}`;
}

async function sync(connector: string, query = ''): Promise<Sync> {
  const started = await call<Sync>('POST', `${connector}/sync${query}`);
  if (started.status !== 202) throw new Error(started.text);
  return ended(connector, started.data.id);
}

async function ended(connector: string, id: string): Promise<Sync> {
  const { data } = await call<Sync>('GET', `${connector}/syncs/${id}?wait=60`);
  return data;
}

const items = async (connector: string, query = ''): Promise<Item[]> =>
  (await call<List<Item>>('GET', `${connector}/items${query}`)).data.items;

const documents = async (): Promise<AnyRecord[]> =>
  (await call<List<AnyRecord>>('GET', `/col/${collection.id}/docs`)).data.items;

const names = async (): Promise<unknown[]> => (await documents()).map(({ name }) => name).toSorted();

const counts = (changes: Record<string, number>): Record<string, number> => ({
  listed: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  deleted: 0,
  failed: 0,
  ...changes,
});

describe('synchronisation', () => {
  test('files become documents with their source in the metadata, and searches find them', async () => {
    source.put('contracts/lease.md', 'The lease ends in May.');
    source.put('notes.txt', 'Nothing of note.');
    const connector = await connect({ metadata: { team: 'legal' } });
    expect(await sync(connector)).toMatchObject({
      status: 'done',
      phase: null,
      counts: counts({ listed: 2, added: 2 }),
      error: null,
    });
    const [lease] = await items(connector, '?path=contracts/');
    expect(lease).toMatchObject({ path: 'contracts/lease.md', status: 'synced', error: null });
    const { data } = await call('GET', `/col/${collection.id}/docs/${lease!.documentId}?wait=60`);
    expect(data).toMatchObject({
      name: 'lease.md',
      status: 'ready',
      metadata: {
        team: 'legal',
        source: { connectorId: connector.split('/')[2], path: 'contracts/lease.md', url: null, modifiedAt: null },
      },
    });
    const found = await call<{ hits: AnyRecord[] }>('POST', `/col/${collection.id}/search`, { query: 'lease' });
    expect(found.data.hits.map(({ documentId }) => documentId)).toContain(lease!.documentId);
  });

  test('an unchanged source is listed and nothing is fetched', async () => {
    source.put('a.txt', 'A');
    const connector = await connect();
    await sync(connector);
    source.fetches.length = 0;
    expect((await sync(connector)).counts).toEqual(counts({ listed: 1, unchanged: 1 }));
    expect(source.fetches).toEqual([]);
  });

  test('a replaced file becomes a new revision, a deleted one a deleted document, and one that comes back is restored', async () => {
    for (const name of ['a', 'b', 'c']) source.put(`${name}.txt`, `Content of ${name}`);
    const connector = await connect();
    await sync(connector);
    const before = new Map((await items(connector)).map(({ path, documentId }) => [path, documentId]));
    source.put('a.txt', 'Another content');
    source.files.delete('b.txt');
    expect((await sync(connector)).counts).toEqual(counts({ listed: 2, updated: 1, unchanged: 1, deleted: 1 }));
    expect(await names()).toEqual(['a.txt', 'c.txt']);
    const { data } = await call('GET', `/col/${collection.id}/docs/${before.get('a.txt')!}`);
    expect(data['revision']).toBe(2);
    expect((await items(connector, '?status=deleted')).map(({ path }) => path)).toEqual(['b.txt']);
    source.put('b.txt', 'Content of b');
    expect((await sync(connector)).counts).toEqual(counts({ listed: 3, added: 1, unchanged: 2 }));
    expect((await items(connector, '?path=b'))[0]?.documentId).toBe(before.get('b.txt'));
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});
