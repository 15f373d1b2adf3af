import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { createPool } from './connect.ts';
import { migrateDatabase, readMigrations } from './migrate.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quire-migrations-'));
  await database.pool.query('drop table if exists schema_migrations, a, b');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, sql: string): Promise<void> => writeFile(path.join(folder, name), sql);
const migrate = (): Promise<void> => migrateDatabase(database.pool, logger, folder);

test('the template has every migration of the repository and the queue', async () => {
  const fresh = await createTestDatabase();
  try {
    const { rows } = await fresh.pool.query('select name, sha256 from schema_migrations order by name');
    expect(rows).toEqual((await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 })));
    const queue = await fresh.pool.query('select count(*) from graphile_worker.jobs');
    expect(queue.rows).toEqual([{ count: '0' }]);
  } finally {
    await fresh.drop();
  }
});

test('new files are applied in order, once', async () => {
  await write('0001_a.sql', 'create table a (n integer)');
  await migrate();
  await write('0002_b.sql', 'insert into a values (7); create table b as select n from a');
  await migrate();
  await migrate();
  expect((await database.pool.query('select n from b')).rows).toEqual([{ n: 7 }]);
});

test('a new database is one line of the log, and each later file another', async () => {
  const lines: object[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line) as object) });
  await write('0001_a.sql', 'create table a (n integer)');
  await write('0002_b.sql', 'create table b (n integer)');
  await migrateDatabase(database.pool, log, folder);
  await write('0003_c.sql', 'insert into b values (7)');
  await migrateDatabase(database.pool, log, folder);
  expect(lines).toEqual([
    { level: 30, migrations: 2, msg: 'created the schema of the database' },
    { level: 30, migration: '0003_c.sql', msg: 'migrated the database' },
  ]);
});

test('two processes at once apply each file once', async () => {
  await write('0001_a.sql', 'create table a (n integer)');
  const other = createPool({ connection: database.connectionString, poolSize: 2, applicationName: 'other', logger });
  try {
    await Promise.all([migrate(), migrateDatabase(other, logger, folder)]);
  } finally {
    await other.end();
  }
  expect((await database.pool.query('select name from schema_migrations')).rows).toEqual([{ name: '0001_a.sql' }]);
});

test('a file that fails leaves nothing of itself', async () => {
  await write('0001_a.sql', 'create table a (n integer)');
  await write('0002_b.sql', 'create table b (n integer); select 1/0');
  await expect(migrate()).rejects.toThrow('division by zero');
  expect((await database.pool.query(`select to_regclass('a') as a, to_regclass('b') as b`)).rows).toEqual([
    { a: 'a', b: null },
  ]);
});

test('a changed, a missing and a late file are refused', async () => {
  await write('0001_a.sql', 'create table a (n integer)');
  await write('0003_b.sql', 'create table b (n integer)');
  await migrate();
  await write('0001_a.sql', 'create table a (n bigint)');
  await expect(migrate()).rejects.toThrow('The migration 0001_a.sql was changed after it had been applied');
  await write('0001_a.sql', 'create table a (n integer)');
  await write('0002_late.sql', 'select 1');
  await expect(migrate()).rejects.toThrow(
    'The migration 0002_late.sql comes before 0003_b.sql, which was already applied',
  );
  await rm(path.join(folder, '0002_late.sql'));
  await rm(path.join(folder, '0003_b.sql'));
  await expect(migrate()).rejects.toThrow('has the migration 0003_b.sql, which this version of Quire does not know');
});
