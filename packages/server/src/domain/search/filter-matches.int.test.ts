/** Compares cached match lists with the database after random changes by several transactions. */
import * as fc from 'fast-check';
import { expressionBuilder, sql } from 'kysely';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { idleEmbedders } from '../../../test/idle-embedders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { GraphileJobQueue } from '../../queue/graphile-queue.ts';
import { CollectionService } from '../collections/service.ts';
import { readDocumentFilter } from '../documents/filter.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import { WorkspaceService } from '../workspaces/service.ts';
import { FilterMatches } from './filter-matches.ts';
import type { SearchedDocuments } from './matching-documents.ts';

const FILTERS = [
  { 'metadata.n': 1 },
  { 'metadata.n': { ne: 1 } },
  { 'metadata.n': { gte: 1 } },
  { 'metadata.n': null },
  { not: { 'metadata.n': { exists: true } } },
  { or: [{ name: 'a.txt' }, { sizeBytes: { gt: 2 } }] },
  { createdAt: { gt: '2020-01-01' }, 'metadata.n': { in: [0, 2] } },
].map((written) => readDocumentFilter(written, []));

let database: TestDatabase;
let ws: string;
let collections: string[];
let among: SearchedDocuments;
let keys: string[];
let matches: FilterMatches;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const queue = new GraphileJobQueue(db);
  const service = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
  ws = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('w')).id;
  const created = [await service.create(ws, { name: 'a' }), await service.create(ws, { name: 'b' })];
  collections = created.map(({ record }) => record.id);
});
afterAll(() => database.drop());

beforeEach(async () => {
  among = { workspaceId: ws, collectionIds: collections };
  await empty();
});

async function empty(): Promise<void> {
  await database.pool.query('delete from documents');
  keys = [];
  for (let n = 0; n < 8; n += 1) await insert(n % 4, n % 2 === 0);
  matches = new FilterMatches({ database: database.db, now: () => 0 });
}

async function insert(n: number, isFound: boolean): Promise<void> {
  const { rows } = await database.pool.query<{ key: string }>(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
       searchable_revision, content_id, metadata)
     values (gen_random_uuid(), $1, $2, $3, 'txt', 'text/plain', $4, '', 'ready', $5, gen_random_uuid(), $6) returning key`,
    [ws, collections[n % 2], n === 3 ? 'a.txt' : 'b.txt', n, isFound ? 1 : null, n === 0 ? {} : { n }],
  );
  keys.push(rows[0]!.key);
}

async function found(condition: DocumentCondition | null): Promise<bigint[]> {
  const { rows } = await sql<{ key: string }>`
    select key from documents where workspace_id = ${ws} and collection_id = any(${collections}::uuid[])
      and searchable_revision is not null and deleted_at is null
      and ${condition === null ? sql`true` : condition(expressionBuilder())} order by key`.execute(database.db);
  return rows.map(({ key }) => BigInt(key));
}

/** Returns listed keys without deleted documents, which a search drops anyway. */
async function listed(filter: DocumentCondition): Promise<bigint[]> {
  const list = new Set((await matches.list(among, filter)) ?? []);
  return (await found(null)).filter((key) => list.has(key));
}

const CHANGES = [
  `update documents set metadata = '{"n": 1}' where key = $1`,
  `update documents set metadata = '{"n": [2, 1]}' where key = $1`,
  `update documents set metadata = '{}' where key = $1`,
  `update documents set name = 'a.txt', modified_at = now() where key = $1`,
  `update documents set size_bytes = 3, revision = revision + 1, searchable_revision = revision + 1 where key = $1`,
  `update documents set size_bytes = 1, searchable_revision = 1 where key = $1`,
  `update documents set deleted_at = now() where key = $1`,
  `update documents set deleted_at = null where key = $1`,
  `update documents set searchable_revision = null where key = $1`,
  `delete from documents where key = $1`,
];
/** Number of documents that a transaction changes which stays open during the test. */
const OPEN_DOCUMENTS = 3;
const position = fc.nat({ max: 30 });
const change = fc.constantFrom(...CHANGES);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change'), change, position }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('openly'), change, position }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('commit', 'rollback') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('insert'), n: fc.nat({ max: 3 }), isFound: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('list'), filter: fc.constantFrom(...FILTERS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('together'), change, position, filter: fc.constantFrom(...FILTERS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

async function take(given: Step, open: PoolClient): Promise<void> {
  const other = (at: number) => keys[OPEN_DOCUMENTS + (at % (keys.length - OPEN_DOCUMENTS))];
  if ('filter' in given && 'change' in given) {
    const { change: statement, position: at, filter } = given;
    await Promise.all([
      matches.list(among, filter),
      database.pool.query(statement, [other(at)]),
      matches.list(among, filter),
      database.pool.query(statement, [other(at + 1)]),
      matches.list(among, filter),
    ]);
    expect(await listed(filter)).toEqual(await found(filter));
  } else if ('change' in given) {
    if (given.do === 'change') await database.pool.query(given.change, [other(given.position)]);
    else await open.query(given.change, [keys[given.position % OPEN_DOCUMENTS]]);
  } else if ('filter' in given) {
    expect(await listed(given.filter)).toEqual(await found(given.filter));
  } else if ('n' in given) await insert(given.n, given.isFound);
  else await open.query(`${given.do}; begin`);
}

test('a cached list equals a database read through all changes and open transactions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await empty();
      const open = await database.pool.connect();
      try {
        await open.query('begin');
        for (const each of steps) await take(each, open);
        await open.query('commit');
      } finally {
        // Destroys the connection, because its transaction may be open.
        open.release(true);
      }
      for (const filter of FILTERS) expect(await listed(filter)).toEqual(await found(filter));
    }),
    { numRuns: 15 },
  );
});

test('a change in an open transaction enters a list once it is committed', async () => {
  const filter = readDocumentFilter({ 'metadata.late': true }, []);
  const open = await database.pool.connect();
  try {
    await open.query('begin');
    await open.query(`update documents set metadata = '{"late": true}' where key = $1`, [keys[0]]);
    expect(await listed(filter)).toEqual([]);
    await database.pool.query(`update documents set metadata = '{"late": true}' where key = $1`, [keys[2]]);
    expect(await listed(filter)).toEqual([BigInt(keys[2]!)]);
    await open.query('commit');
  } finally {
    open.release(true);
  }
  expect(await listed(filter)).toEqual([BigInt(keys[0]!), BigInt(keys[2]!)]);
});

test('a filter that matches many documents yields a share, which searches refine', async () => {
  const filter = readDocumentFilter({ sizeBytes: { gte: 0 } }, []);
  const shareOf = async () => {
    const found = await matches.of(among, filter);
    return 'share' in found ? found.share : undefined;
  };
  expect(await shareOf()).toBe(1);
  matches.learn(among, filter, 0.5);
  expect(await shareOf()).toBe(0.875);
});

test('filters without an identity do not share lists', async () => {
  const one = readDocumentFilter({ 'metadata.n': 1 }, []);
  const other = readDocumentFilter({ 'metadata.n': '1' }, []);
  expect(await listed(one)).toEqual(await found(one));
  expect(await listed(other)).toEqual([]);
  expect(await listed(one)).toEqual(await found(one));
});

test('a list is read again when most documents of a collection changed', async () => {
  const filter = readDocumentFilter({ 'metadata.n': { ne: 0 } }, []);
  await listed(filter);
  await database.pool.query(
    `insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
       searchable_revision, content_id, metadata)
     select gen_random_uuid(), $1, $2, 'c.txt', 'txt', 'text/plain', 4, '', 'ready', 1, gen_random_uuid(), jsonb_build_object('n', n % 2)
     from generate_series(1, 6000) n`,
    [ws, collections[0]],
  );
  const expected = await found(filter);
  expect(expected.length).toBeGreaterThanOrEqual(3000);
  expect(await listed(filter)).toEqual(expected);
});
