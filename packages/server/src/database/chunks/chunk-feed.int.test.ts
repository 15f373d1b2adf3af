import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KeyRange } from '@quire/search/resident/key-ranges';
import type { RowChanges } from '@quire/search/resident/row-source';
import type { IndexTable } from '@quire/search/search-index';
import { toFloat16 } from '@quire/shared/float16';
import pino from 'pino';
import { DatabaseProxy } from '../../../test/database-proxy.ts';
import { idleEmbedders } from '../../../test/idle-embedders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { CollectionService } from '../../domain/collections/service.ts';
import { WorkspaceService } from '../../domain/workspaces/service.ts';
import { GraphileJobQueue } from '../../queue/graphile-queue.ts';
import { createWatchedPool } from '../connect.ts';
import { ChunkFeed } from './chunk-feed.ts';

let database: TestDatabase;
let feed: ChunkFeed;
let collections: CollectionService;
let ws: string;
let table: IndexTable;
let collectionId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const queue = new GraphileJobQueue(db);
  feed = new ChunkFeed(database.pool);
  collections = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
  ws = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('w')).id;
});
afterAll(() => database.drop());
beforeEach(async () => {
  collectionId = (await collections.create(ws, { name: 'c' })).record.id;
  const { rows } = await database.pool.query<{ name: string }>(
    'select table_name as name from collection_indexes where collection_id = $1',
    [collectionId],
  );
  table = { name: rows[0]!.name, dimensions: 3 };
});

interface Executor {
  query(text: string, values: unknown[]): Promise<unknown>;
}

async function addDocument(chunks: number, executor: Executor = database.pool): Promise<string> {
  const id = randomUUID();
  await executor.query(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
       searchable_revision, content_id, chunk_count)
     values ($1, $2, $3, 'a.txt', 'txt', 'text/plain', 4, '', 'ready', 1, gen_random_uuid(), $4)`,
    [id, ws, collectionId, chunks],
  );
  await executor.query(
    `insert into chunks (workspace_id, collection_id, document_id, revision, generation, ordinal, id, text, headings,
       block_ids, boxes, token_count, content_hash, terms, embedding)
     select $1, $2, $3, 1, 1, n, gen_random_uuid(), 'a', '{}', '{}', '[]', 1, '', 'flügel t' || n,
       case when n % 2 = 0 then $4::bytea end
     from generate_series(1, $5::int) n`,
    [ws, collectionId, id, toFloat16(Float32Array.of(1, -0.5, 0.000_02)), chunks],
  );
  return id;
}

interface Read {
  position: string | undefined;
  terms: string[];
  vectors: number[][];
  keys: bigint[];
  removed: bigint[];
}

async function read(since: string | null, known: readonly KeyRange[] = []): Promise<Read> {
  const found: Read = { position: undefined, terms: [], vectors: [], keys: [], removed: [] };
  const changes: RowChanges = {
    add: async (batch) => {
      for (let row = 0; row < batch.rows; row += 1) {
        found.keys.push(batch.chunkKeys[row]!);
        const bytes = batch.terms.subarray(batch.termOffsets[row], batch.termOffsets[row + 1]);
        found.terms.push(Buffer.from(bytes).toString());
        found.vectors.push([...batch.vectors!.subarray(row * 3, row * 3 + 3)]);
      }
    },
    remove: async (keys) => void found.removed.push(...keys),
  };
  found.position = await feed.read(table, since, changes, known);
  return found;
}

test('reads all chunks with their terms and vectors, in several batches', async () => {
  await addDocument(2_500);
  const { position, terms, vectors, keys, removed } = await read(null);
  expect(position).toMatch(/^\d+:\d+:/);
  expect(terms).toEqual(Array.from({ length: 2_500 }, (_, at) => `flügel t${at + 1}`));
  expect(vectors.slice(0, 2)).toEqual([
    [0, 0, 0],
    [1, -0.5, expect.closeTo(0.000_02, 6)],
  ]);
  expect([new Set(keys).size, removed]).toEqual([2_500, []]);
  expect(await feed.find(table)).toMatchObject({ rows: 2_500 });
});

test('reads chunks and removals of transactions that a position did not see, also of one that began before it', async () => {
  const first = await addDocument(3);
  const slow = await database.pool.connect();
  await slow.query('begin');
  await addDocument(2, slow);
  const before = await read(null);
  expect(before.keys).toHaveLength(3);
  const later = await addDocument(1);
  const between = await read(before.position!);
  expect(between.keys).toHaveLength(1);
  await slow.query('commit');
  slow.release();
  const after = await read(between.position!);
  expect(after.keys).toHaveLength(2);
  await database.pool.query('delete from documents where id = any($1)', [[first, later]]);
  const last = await read(after.position!);
  expect(last.keys).toEqual([]);
  expect(last.removed.toSorted()).toEqual([...before.keys, ...between.keys].toSorted());
});

test('leaves out the rows that the caller has', async () => {
  await addDocument(2);
  const { position } = await read(null);
  await addDocument(6);
  const [first = 0n, ...others] = (await read(position!)).keys.toSorted((a, b) => Number(a - b));
  const known = [
    { first, last: first },
    { first: others[1]!, last: others[3]! },
  ];
  expect((await read(position!, known)).keys.toSorted()).toEqual([others[0], others[4]]);
});

test('names the table that is being built to replace another', async () => {
  expect(await feed.successors([table.name])).toEqual([]);
  await database.pool.query(
    `insert into collection_indexes (collection_id, generation, workspace_id, status, table_name, dimensions, recipe)
     select collection_id, 2, workspace_id, 'building', table_name || '_2', 3, recipe from collection_indexes
     where table_name = $1`,
    [table.name],
  );
  expect(await feed.successors([table.name])).toEqual([{ name: `${table.name}_2`, dimensions: 3 }]);
  expect(await feed.successors([`${table.name}_2`])).toEqual([]);
});

test('compares positions of many tables at once', async () => {
  await addDocument(1);
  const { position } = await read(null);
  const compared = () =>
    feed.compare([
      { name: table.name, position: position! },
      { name: 'none', position: null },
    ]);
  expect([...(await compared())]).toEqual([[table.name, expect.stringMatching(/^\d+:\d+:/)]]);
  const id = await addDocument(1);
  expect([...(await compared())]).toEqual([[table.name, null]]);
  const { position: next } = await read(position!);
  await database.pool.query('delete from chunks where document_id = $1', [id]);
  expect([...(await feed.compare([{ name: table.name, position: next! }]))]).toEqual([[table.name, null]]);
});

test('a position of the future, as after a crash of PostgreSQL that lost transactions, counts as changed', async () => {
  await addDocument(1);
  const position = '900000000:900000000:';
  expect([...(await feed.compare([{ name: table.name, position }]))]).toEqual([[table.name, null]]);
});

test('refuses positions of another database or from before the removals that are kept, and tables that do not exist', async () => {
  const id = await addDocument(1);
  const { position } = await read(null);
  expect((await read('900000000:900000000:')).position).toBeUndefined();
  expect((await read("1'; drop table chunks")).position).toBeUndefined();
  await database.pool.query('delete from documents where id = $1', [id]);
  await database.pool.query("update removed_chunks set removed_at = now() - interval '8 days'");
  await feed.removeOld();
  expect((await read(position!)).position).toBeUndefined();
  // A transaction of another test that began before the removal holds the snapshot back while it is open.
  await expect.poll(async () => (await read((await read(null)).position!)).position, { timeout: 60_000 }).toBeDefined();
  table = { name: 'none', dimensions: 3 };
  expect(await feed.find(table)).toBeUndefined();
  expect((await read(null)).position).toBeUndefined();
});

test('leaves usable connections after a read that was stopped', async () => {
  await addDocument(2_500);
  const stopped = feed.read(table, null, {
    add: () => Promise.reject(new Error('stopped')),
    remove: () => Promise.resolve(),
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect((await read(null)).keys).toHaveLength(2_500);
});

test('a reading or comparison whose connection is lost without a close fails, and the next one is answered', async () => {
  await addDocument(2);
  const proxy = await DatabaseProxy.start(database.connectionString);
  const { pool, watch } = createWatchedPool({
    connection: proxy.through(database.connectionString),
    poolSize: 4,
    applicationName: 'watched feed',
    watch: { intervalMs: 50, suspectAfterMs: 100 },
    logger: pino({ level: 'silent' }),
  });
  const watched = new ChunkFeed(pool, watch);
  const names = [{ name: table.name, position: null }];
  const read = () => watched.read(table, null, { add: () => Promise.resolve(), remove: () => Promise.resolve() });
  try {
    await Promise.all([read(), watched.compare(names)]);
    await proxy.fail('blackHole');
    const lost = Promise.allSettled([read(), watched.compare(names)]);
    await expect.poll(() => proxy.caught).toBe(2);
    await proxy.recover();
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([...(await watched.compare(names)).keys()]).toEqual([table.name]);
    expect(await read()).toMatch(/^\d+:\d+:/);
  } finally {
    await pool.end();
    await watch.stop();
    await proxy.close();
  }
});
