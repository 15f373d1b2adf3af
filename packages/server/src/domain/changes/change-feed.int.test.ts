import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/postgres.ts';
import type { Database } from '../../database/tables.ts';
import { ChangeFeed } from './change-feed.ts';
import { KEPT_MS } from './change-log.ts';
import type { Position } from './position.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.connectionString });
  db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const INSERT = `insert into changes (workspace_id, kind, id) values ($1, 'run', $2)`;

/** A feed as of one process, whose notifications the test sends. */
function openFeed(now: () => number = Date.now) {
  const listeners = new Set<() => void>();
  const subscribe = (_topic: string, listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const feed = new ChangeFeed({ database: db, notifications: { subscribe }, now });
  const announce = (): void => listeners.forEach((listener) => listener());
  return { feed, announce };
}

/** Reads until all the ids were seen; returns the ids in order and the last position. */
async function readIds(
  { feed, announce }: ReturnType<typeof openFeed>,
  workspaceId: string,
  start: Position | undefined,
  wanted: number,
  begun: () => Promise<void> = async () => {},
): Promise<{ ids: string[]; end: Position | undefined }> {
  const stop = new AbortController();
  const ids: string[] = [];
  let end = start;
  let isFirst = true;
  for await (const page of feed.follow(workspaceId, start, 50, stop.signal)) {
    ids.push(...page.changes.map(({ change }) => change.id));
    end = page.end;
    if (isFirst) await begun();
    isFirst = false;
    announce();
    if (ids.length >= wanted) stop.abort();
  }
  return { ids, end };
}

test('a change of a transaction that commits late is read once, after later changes', async () => {
  const workspaceId = randomUUID();
  const [late, early] = [randomUUID(), randomUUID()];
  const feed = openFeed();
  const slow = await pool.connect();
  await slow.query('begin');
  await slow.query(INSERT, [workspaceId, late]);
  const first = await readIds(feed, workspaceId, undefined, 1, async () => {
    await pool.query(INSERT, [workspaceId, early]);
  });
  expect(first.ids).toEqual([early]);
  await slow.query('commit');
  slow.release();
  const third = randomUUID();
  await pool.query(INSERT, [workspaceId, third]);
  expect((await readIds(feed, workspaceId, first.end, 2)).ids).toEqual([late, third]);
});

test('a position of one process continues in another, also within a window of changes', async () => {
  const workspaceId = randomUUID();
  const ids = Array.from({ length: 450 }, () => randomUUID());
  const [one, two] = [openFeed(), openFeed()];
  const before = (await readIds(two, workspaceId, undefined, 0)).end;
  const insertAll = async (): Promise<void> => {
    await pool.query(`insert into changes (workspace_id, kind, id) select $1, 'run', unnest($2::uuid[])`, [
      workspaceId,
      ids,
    ]);
  };
  const stop = new AbortController();
  const cuts: { seen: string[]; position: Position }[] = [];
  const seen: string[] = [];
  let isFirst = true;
  for await (const page of one.feed.follow(workspaceId, undefined, 50, stop.signal)) {
    if (isFirst) await insertAll();
    isFirst = false;
    one.announce();
    for (const { change, position } of page.changes) {
      seen.push(change.id);
      if (seen.length % 75 === 0) cuts.push({ seen: [...seen], position });
    }
    if (seen.length === ids.length) stop.abort();
  }
  expect(seen).toEqual(ids);
  expect(cuts.length).toBe(6);
  for (const { seen: already, position } of cuts.slice(0, -1)) {
    const rest = await readIds(two, workspaceId, position, ids.length - already.length);
    expect([...already, ...rest.ids]).toEqual(ids);
  }
  expect((await readIds(two, workspaceId, before, ids.length)).ids).toEqual(ids);
});

test('several changes of one resource are read as one', async () => {
  const workspaceId = randomUUID();
  const [often, once] = [randomUUID(), randomUUID()];
  const feed = openFeed();
  const read = await readIds(feed, workspaceId, undefined, 2, async () => {
    const client = await pool.connect();
    await client.query('begin');
    for (const id of [often, once, often, often]) await client.query(INSERT, [workspaceId, id]);
    await client.query('commit');
    client.release();
  });
  expect(read.ids).toEqual([once, often]);
});

test('nothing is followed any more after the last reader has left', async () => {
  const feed = openFeed();
  await readIds(feed, randomUUID(), undefined, 0);
  expect(feed.feed.size).toBe(0);
});

test('old changes are deleted, and a position from before them is not readable', async () => {
  const workspaceId = randomUUID();
  const { feed } = openFeed();
  const age = sql`interval '1 millisecond' * ${KEPT_MS + 60_000}`;
  await pool.query(INSERT, [workspaceId, randomUUID()]);
  await sql`update changes set changed_at = now() - ${age}`.execute(db);
  await pool.query(INSERT, [workspaceId, randomUUID()]);
  const { rows: before } = await pool.query<{ count: number }>('select count(*)::int as count from changes');
  expect(await feed.removeOld()).toBe((before[0]?.count ?? 0) - 1);
  const { rows } = await pool.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot');
  const position = { from: rows[0]?.snapshot ?? '', window: null };
  expect(await feed.isReadable({ ...position, takenMs: Date.now() })).toBe(true);
  expect(await feed.isReadable({ ...position, takenMs: Date.now() - KEPT_MS - 1 })).toBe(false);
});
