// large: starts and kills a PostgreSQL server
/** Readers of changes after a crash of PostgreSQL that lost transactions, whose ids are then given out again. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ChunkFeed } from '../src/database/chunks/chunk-feed.ts';
import { connectDatabase } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrateDatabase } from '../src/database/migrate.ts';
import { ChangeLog } from '../src/domain/changes/change-log.ts';
import { CollectionService } from '../src/domain/collections/service.ts';
import { readDocumentFilter } from '../src/domain/documents/filter.ts';
import { FilterMatches } from '../src/domain/search/filter-matches.ts';
import { WorkspaceService } from '../src/domain/workspaces/service.ts';
import { GraphileJobQueue } from '../src/queue/graphile-queue.ts';
import { idleEmbedders } from './idle-embedders.ts';

/** Number of transactions whose ids the crash takes back, and of the later ones that take these ids and more. */
const LOST = 10;
const LATER = 30;

const logger = pino({ level: 'silent' });
const folder = await mkdtemp(path.join(tmpdir(), 'quire-crash-positions-'));
// The log is written to disk by commits that wait for it, and otherwise at the end of the test.
const settings = { wal_writer_delay: '10s', wal_writer_flush_after: '1GB', autovacuum: 'off' };
const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), logger, settings });
const handle = connectDatabase({
  connection: server.connectionString,
  poolSize: 4,
  applicationName: 'crash positions',
  logger,
});
const { db, pool } = handle;
await migrateDatabase(pool, logger);
const queue = new GraphileJobQueue(db);
const collections = new CollectionService({ database: db, queue, embedders: idleEmbedders(db) });
const ws = (await new WorkspaceService({ database: db, queue, onDeleted: () => undefined }).create('w')).id;
let collectionId: string;

beforeEach(async () => {
  collectionId = (await collections.create(ws, { name: 'c' })).record.id;
});
afterAll(async () => {
  await handle.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Commits transactions without waiting for the disk. */
async function commitUnwritten(): Promise<void> {
  const client = await pool.connect();
  await client.query('set synchronous_commit to off');
  for (let count = 0; count < LOST; count++) await client.query('select pg_current_xact_id()');
  await client.query('reset synchronous_commit');
  client.release();
}

/** Ends the server at once, and waits until it has been started again. */
async function crash(): Promise<void> {
  const { pid } = server;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => server.pid).not.toBe(pid);
  await expect.poll(() => pool.query('select 1').catch(() => undefined)).toMatchObject({ rowCount: 1 });
}

async function addDocument(): Promise<void> {
  await pool.query(
    `with document as (
       insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, status,
         searchable_revision, content_id, chunk_count)
       values ($1, $2, $3, 'a.txt', 'txt', 'text/plain', 4, '', 'ready', 1, gen_random_uuid(), 1) returning id
     )
     insert into chunks (workspace_id, collection_id, document_id, revision, generation, ordinal, id, text, headings,
       block_ids, boxes, token_count, content_hash, terms)
     select $2, $3, id, 1, 1, 0, gen_random_uuid(), 'a', '{}', '{}', '[]', 1, '', 'a' from document`,
    [randomUUID(), ws, collectionId],
  );
}

async function addDocuments(): Promise<void> {
  for (let count = 0; count < LATER; count++) await addDocument();
}

test('an index finds the chunks that were written after the crash', async () => {
  const feed = new ChunkFeed(pool);
  const { rows } = await pool.query<{ name: string }>(
    'select table_name as name from collection_indexes where collection_id = $1',
    [collectionId],
  );
  const table = { name: rows[0]!.name, dimensions: null };
  let found = 0;
  const changes = { add: async (batch: { rows: number }) => void (found += batch.rows), remove: async () => undefined };
  const first = await feed.read(table, null, changes);
  await commitUnwritten();
  const position = (await feed.compare([{ name: table.name, position: first! }])).get(table.name);
  expect(position).not.toBe(first);
  await crash();
  await addDocuments();
  expect((await feed.compare([{ name: table.name, position: position! }])).get(table.name)).toBeNull();
  await feed.read(table, position!, changes);
  expect(found).toBe(LATER);

  await commitUnwritten();
  const read = await feed.read(table, null, changes);
  await crash();
  found = 0;
  await addDocuments();
  await feed.read(table, read!, changes);
  expect(found).toBe(LATER);
});

test('a viewer of events is shown the changes that were made after the crash', async () => {
  const log = new ChangeLog(db);
  await commitUnwritten();
  const from = await log.snapshot();
  await crash();
  await addDocuments();
  const changes = await log.read(ws, { from, window: null }, await log.snapshot(), 1_000);
  expect(changes.filter(({ kind }) => kind === 'document')).toHaveLength(LATER);
});

test.each([0, 1, 200])(
  'a list of matching documents is exact after the crash, with %i changes before',
  async (number) => {
    const matches = new FilterMatches({ database: db, now: () => 0 });
    const among = { workspaceId: ws, collectionIds: [collectionId] };
    const filter = readDocumentFilter({ name: 'a.txt' }, []);
    await commitUnwritten();
    expect(await matches.list(among, filter)).toHaveLength(0);
    for (let count = 0; count < number; count++) await addDocument();
    await commitUnwritten();
    expect(await matches.list(among, filter)).toHaveLength(number);
    await crash();
    await addDocuments();
    expect(await matches.list(among, filter)).toHaveLength(number + LATER);
  },
);
