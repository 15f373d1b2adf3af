import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
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

test('a transaction over a changed table fails, the next one does not', async () => {
  for (let use = 0; use < 4; use += 1) await letter(1);
  await pool.query('alter table letters drop column capital');
  const read = (): Promise<unknown> =>
    db.transaction().execute((transaction) => sql`select * from letters where id = ${1}`.execute(transaction));
  await expect(read()).rejects.toThrow('cached plan must not change result type');
  expect(await read()).toMatchObject({ rows: [{ id: 1, letter: 'a' }] });
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
