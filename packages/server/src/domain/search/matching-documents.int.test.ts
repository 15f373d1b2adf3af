import { expressionBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idleEmbedders } from '../../../test/idle-embedders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { GraphileJobQueue } from '../../queue/graphile-queue.ts';
import { CollectionService } from '../collections/service.ts';
import { readDocumentFilter } from '../documents/filter.ts';
import { WorkspaceService } from '../workspaces/service.ts';
import { readMatches } from './matching-documents.ts';

const DOCUMENTS = 2000;
let database: TestDatabase;
let ws: string;
let col: string;
/** Keys of the documents with `metadata.n` from 0 up; every tenth has `metadata.tenth`. */
let keys: bigint[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const queue = new GraphileJobQueue(db);
  const collections = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
  ws = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('w')).id;
  col = (await collections.create(ws, { name: 'c' })).record.id;
  const other = (await collections.create(ws, { name: 'other' })).record.id;
  await fill(other);
  keys = await fill(col);
  await sql`update documents set deleted_at = now() where key = ${String(keys[7])}::bigint`.execute(db);
  await sql`update documents set searchable_revision = null where key = ${String(keys[8])}::bigint`.execute(db);
  await database.pool.query('vacuum analyze documents');
});
afterAll(() => database.drop());

async function fill(collectionId: string): Promise<bigint[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
       searchable_revision, content_id, metadata)
     select gen_random_uuid(), $1, $2, 'a.txt', 'txt', 'text/plain', 4, '', 'ready', 1, gen_random_uuid(),
       jsonb_build_object('n', n) || case when n % 10 = 0 then '{"tenth": true}'::jsonb else '{}' end
     from generate_series(0, $3 - 1) n returning key`,
    [ws, collectionId, DOCUMENTS],
  );
  return rows.map((row) => BigInt(row.key));
}

test.each([
  ['few', { 'metadata.n': { gte: 5, lt: 15 } }, (n: number) => n >= 5 && n < 15],
  ['many', { 'metadata.n': { gte: 5 } }, (n: number) => n >= 5],
  ['those that have something', { 'metadata.tenth': { exists: true } }, (n: number) => n % 10 === 0],
  ['none', { 'metadata.n': { gt: 1e9 } }, () => false],
  ['equal to one of many values', { 'metadata.n': { in: [...Array(50).keys()] } }, (n: number) => n < 50],
  ['equal ones, of a range', { 'metadata.n': { in: [1, 2, 3], gt: 1 } }, (n: number) => n === 2 || n === 3],
  [
    'one or the other',
    { or: [{ 'metadata.n': { lt: 3 } }, { 'metadata.n': 500 }, { 'metadata.m': { exists: true } }] },
    (n: number) => n < 3 || n === 500,
  ],
] as const)('finds documents of the collection that can be found: %s', async (_, written, isWanted) => {
  const filter = readDocumentFilter(written, []);
  const found = await readMatches(database.db, { workspaceId: ws, collectionIds: [col] }, filter, DOCUMENTS);
  const wanted = keys.filter((_key, n) => isWanted(n) && n !== 7 && n !== 8);
  expect([...(found?.keys.toSorted() ?? [])]).toEqual(wanted);
});

test('lists at most the requested number', async () => {
  const among = { workspaceId: ws, collectionIds: [col] };
  const tenth = readDocumentFilter({ 'metadata.tenth': true }, []);
  expect(await readMatches(database.db, among, tenth, 199)).toBeNull();
  expect((await readMatches(database.db, among, tenth, 200))?.keys).toHaveLength(200);
});

test.each([
  { 'metadata.n': { lt: 3 } },
  { 'metadata.tenth': { exists: true } },
  { or: [{ 'metadata.n': { lt: 3 } }, { 'metadata.n': 500 }, { and: [{ 'metadata.m': { exists: true } }] }] },
])('a database index finds the candidates of %j', async (written) => {
  const among = { workspaceId: ws, collectionIds: [col] };
  const { narrowing } = readDocumentFilter(written, []);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select key from documents
    where searchable_revision is not null and deleted_at is null and ${narrowing!(among)}`.execute(database.db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Bitmap Index Scan on documents_by_metadata_terms');
  expect(plan).not.toContain('Seq Scan');
});

test.each([{ 'metadata.n': 3 }, { 'metadata.n': { in: [...Array(50).keys()] } }])(
  'the index on values finds the candidates of %j',
  async (written) => {
    const { narrowing } = readDocumentFilter(written, []);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select key from documents where workspace_id = ${ws} and searchable_revision is not null
        and deleted_at is null and ${narrowing!({ workspaceId: ws, collectionIds: [col] })}`.execute(database.db);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Bitmap Index Scan on documents_by_metadata ');
    expect(plan).not.toContain('Seq Scan');
  },
);

test.each([
  [{ createdAt: { gte: '2001-01-01', lt: '2001-01-02' } }, /documents_by_columns\b.*Index Cond:[^\n]*created_at/s],
  [{ createdAt: '2001-01-01' }, /documents_by_columns\b.*Index Cond:[^\n]*created_at/s],
  [{ name: 'a.txt' }, /documents_by_name\b.*Index Cond:[^\n]*hashtextextended/s],
])('a column index finds the matches of %j', async (written, expected) => {
  const condition = readDocumentFilter(written, []);
  const plan = await database.db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    await sql`set local enable_bitmapscan = off`.execute(transaction);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select key from documents where workspace_id = ${ws} and collection_id = any(${[col]}::uuid[])
        and searchable_revision is not null and deleted_at is null and ${condition(expressionBuilder())}`.execute(
      transaction,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(expected);
});
