import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { toApiError } from '../http/plugins/error-handler.ts';
import { FilterTimeout } from '../shared/filter-timeout.ts';
import { isOutdatedPlan } from '../shared/outdated-plan.ts';
import { withFilterLimit } from './filter-limit.ts';
import { preparedPool } from './prepared-pool.ts';

let database: TestDatabase;
let pool: Pool;
let db: Kysely<Record<string, never>>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.connectionString, max: 1 });
  db = new Kysely({ dialect: new PostgresDialect({ pool: preparedPool(pool) }) });
  await pool.query('create table letters (id integer primary key, letter text)');
  await pool.query("insert into letters values (1, 'a'), (2, 'b')");
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const letter = async (id: number) =>
  (await sql<{ letter: string }>`select * from letters where id = ${id}`.execute(db)).rows;
const prepared = async (): Promise<string[]> =>
  (await pool.query('select statement from pg_prepared_statements order by 1')).rows.map((row) => row.statement);

test('a statement is prepared when it comes for the third time', async () => {
  await letter(1);
  await letter(2);
  expect(await prepared()).toEqual([]);
  expect(await letter(2)).toEqual([{ id: 2, letter: 'b' }]);
  expect(await letter(1)).toEqual([{ id: 1, letter: 'a' }]);
  expect(await prepared()).toEqual(['select * from letters where id = $1']);
});

test('a statement on a changed table is prepared again', async () => {
  for (let use = 0; use < 4; use += 1) await letter(1);
  await pool.query("alter table letters add column capital text default 'A'");
  expect(await letter(1)).toEqual([{ id: 1, letter: 'a', capital: 'A' }]);
});

test('after a migration one transaction of a pool fails, and its other connections prepare again', async () => {
  await pool.query('alter table letters drop column if exists capital');
  const wide = new Pool({ connectionString: database.connectionString, max: 2 });
  const other = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: preparedPool(wide) }) });
  const read = () =>
    other.transaction().execute((transaction) => sql`select * from letters where id = ${1}`.execute(transaction));
  // Both connections prepare the statement.
  for (let use = 0; use < 4; use += 1) await Promise.all([read(), read()]);
  await pool.query("alter table letters add column capital text default 'A'");
  const error = await read().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(isOutdatedPlan(error)).toBe(true);
  expect(toApiError(error, 'r1').status).toBe(503);
  const changed = [{ id: 1, letter: 'a', capital: 'A' }];
  const rows = await Promise.all([read(), read(), read()]);
  expect(rows.map((each) => each.rows)).toEqual([changed, changed, changed]);
  await pool.query('alter table letters drop column capital');
  await other.destroy();
});

test('counts of changed rows are returned', async () => {
  for (let use = 0; use < 4; use += 1) {
    const result = await sql`update letters set letter = ${'c'} where id = ${2}`.execute(db);
    expect(result.numAffectedRows).toBe(1n);
  }
});

test('countless different statements do not pile up', async () => {
  for (let width = 1; width <= 100; width += 1) {
    for (let use = 0; use < 3; use += 1) {
      await sql`select 1 where 1 in (${sql.join(Array.from({ length: width }, () => 1))})`.execute(db);
    }
  }
  expect((await prepared()).length).toBeLessThanOrEqual(64 + 10);
});

test('statements that evaluate a filter have a time limit of their own, and no others', async () => {
  const single = new Pool({ connectionString: database.connectionString, max: 1, options: '-c statement_timeout=30s' });
  const limited = preparedPool(single, { filterTimeoutMs: 50, statementTimeoutMs: 30_000 });
  const other = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool: limited }) });
  const limit = async (executor = other) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(executor)).rows[0]?.statement_timeout;
  const inTransaction = () =>
    other
      .transaction()
      .execute(async (transaction) => [
        await limit(transaction),
        await withFilterLimit({}, () => limit(transaction)),
        await limit(transaction),
      ]);
  expect(await limit()).toBe('30s');
  expect(await withFilterLimit({}, () => limit())).toBe('50ms');
  expect(await withFilterLimit(undefined, () => limit())).toBe('30s');
  expect(await inTransaction()).toEqual(['30s', '50ms', '50ms']);
  expect(await withFilterLimit({}, inTransaction)).toEqual(['50ms', '50ms', '50ms']);
  expect(await limit()).toBe('30s');
  await expect(withFilterLimit({}, () => sql`select pg_sleep(60)`.execute(other))).rejects.toThrow(FilterTimeout);
  expect((await single.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
  await other.destroy();
});
