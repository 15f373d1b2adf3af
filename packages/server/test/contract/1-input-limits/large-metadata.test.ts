/** Metadata that an earlier version stored, larger than is accepted now: lists and searches stay bounded with them. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCollection, createDocument, createWorkspace, type AnyRecord } from '../../factories.ts';
import { startTestService, type TestService } from '../../server.ts';

const MIB = 1024 * 1024;
/** Size of the metadata of each document: two are shown together. */
const LARGE = 1.5 * MIB;
let service: TestService;
let ws: string;
let collection: AnyRecord & { url: string };
/** The documents, oldest first. */
let ids: string[];

beforeAll(async () => {
  service = await startTestService({ QUIRE_FILTER_TIMEOUT_SECONDS: '0.1' });
  const workspace = await createWorkspace(service);
  ws = workspace.url;
  collection = await createCollection(service, workspace);
  const made: AnyRecord[] = [];
  for (const name of ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'])
    made.push(await createDocument(service, collection, { name, content: `The heron of ${name}.` }));
  ids = made.map(({ id }) => id);
  await database("update documents set metadata = jsonb_build_object('name', name, 'text', repeat('x', $1))", [LARGE]);
});
afterAll(() => service.stop());

async function database(statement: string, values: unknown[] = []): Promise<Client> {
  const client = new Client({ connectionString: service.connectionString });
  await client.connect();
  await client.query(statement, values);
  await client.end();
  return client;
}

interface Page {
  items: AnyRecord[];
  cursor: string | null;
  total: number;
}

test('a page of a list ends before 4 MB of metadata, with a cursor to the rest', async () => {
  const seen: string[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data }: { data: Page } = await service.call<Page>(
      'GET',
      `${collection.url}/docs?order=asc&cursor=${cursor}`,
    );
    seen.push(data.items.map(({ id }) => id));
    expect([data.total, JSON.stringify(data.items[0]?.['metadata']).length > LARGE]).toEqual([5, true]);
    cursor = data.cursor;
  }
  expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});

test('a record larger than a page has one of its own', async () => {
  await database("update collections set metadata = jsonb_build_object('text', repeat('x', $1))", [9 * MIB]);
  await createCollection(service, { url: ws }, { name: 'second' });
  const { data } = await service.call<Page>('GET', `${ws}/col?order=asc`);
  const next = await service.call<Page>('GET', `${ws}/col?order=asc&cursor=${data.cursor ?? ''}`);
  const names = [data, next.data].map(({ items, cursor }) => [items.map(({ name }) => name), cursor === null]);
  expect(names.flat(1).length).toBe(4);
  expect(data.items.length + next.data.items.length).toBe(2);
});

interface Found {
  hits: { documentName: string; metadata: Record<string, unknown> }[];
  warnings: { type: string; message: string }[];
}

test('a search leaves out the metadata of the hits beyond 4 MB, and says so', async () => {
  const { data } = await service.call<Found>('POST', `${collection.url}/search`, { json: { query: 'heron' } });
  const shown = data.hits.map(({ documentName, metadata }) => metadata['name'] === documentName);
  expect(shown).toEqual([true, true, false, false, false]);
  expect(data.hits[2]?.metadata).toEqual({});
  expect(data.warnings).toEqual([
    {
      type: 'metadata_omitted',
      message:
        'The metadata of 3 hits are left out: those of all hits have more than 4 MB. GET of the document returns them.',
    },
  ]);
});

test('hits before the offset do not count', async () => {
  const json = { query: 'heron', offset: 3 };
  const { data } = await service.call<Found>('POST', `${collection.url}/search`, { json });
  expect(data.hits.map(({ documentName, metadata }) => metadata['name'] === documentName)).toEqual([true, true]);
  expect(data.warnings).toEqual([]);
});

test('a filter that takes long is ended, with the reason', async () => {
  // One document with a list that each condition reads from start to end.
  const list = "(select jsonb_agg('x' || n) from generate_series(1, 5000) n)";
  await database(`update documents set metadata = jsonb_build_object('list', ${list}) where name = 'a.md'`);
  const conditions = Array.from({ length: 200 }, (_, n) => ({ not: { 'metadata.list': { gt: `y${n}` } } }));
  const json = { query: 'heron', filter: { and: conditions } };
  const answer = await service.call('POST', `${collection.url}/search`, { json });
  expect([answer.status, answer.detail[0]?.type, answer.headers.get('retry-after')]).toEqual([503, 'timeout', '5']);
  expect(answer.detail[0]?.msg).toContain('QUIRE_FILTER_TIMEOUT_SECONDS');
  const removal = await service.call('POST', `${collection.url}/docs/delete`, { json: { filter: json.filter } });
  expect([removal.status, removal.detail[0]?.type]).toEqual([503, 'timeout']);
  // The limit holds for filters alone, also on the connections that had one.
  const others = await Promise.all(
    Array.from({ length: 20 }, () => service.call<Page>('GET', `${collection.url}/docs?name=zzz`)),
  );
  expect(others.map(({ status, data }) => [status, data.total])).toEqual(others.map(() => [200, 0]));
});
