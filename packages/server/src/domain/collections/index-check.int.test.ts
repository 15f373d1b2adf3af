import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { GraphileJobQueue } from '../../queue/graphile-queue.ts';
import { ArrayIndex } from '@quire/search/hot/testing/array-index';
import { IndexCheck } from './index-check.ts';

let database: TestDatabase;
let check: IndexCheck;

beforeAll(async () => {
  database = await createTestDatabase();
  const queue = new GraphileJobQueue(database.db);
  check = new IndexCheck({ database: database.db, queue, searchIndex: new ArrayIndex() });
});
afterAll(() => database.drop());

async function rebuilds(): Promise<number> {
  const { rows } = await database.pool.query<{ jobs: number }>(
    'select count(*)::int as jobs from graphile_worker.jobs',
  );
  return rows[0]?.jobs ?? 0;
}

test('a rebuild that waits or runs is not queued again, one that is used up is', async () => {
  await check.rebuild('c1', 1);
  await check.rebuild('c1', 1);
  expect(await rebuilds()).toBe(1);
  await database.pool.query("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody'");
  await check.rebuild('c1', 1);
  expect(await rebuilds()).toBe(1);
  await check.rebuild('c1', 2);
  expect(await rebuilds()).toBe(2);

  await database.pool.query(
    'update graphile_worker._private_jobs set locked_at = null, locked_by = null, attempts = max_attempts',
  );
  await check.rebuild('c1', 1);
  const { rows } = await database.pool.query('select from graphile_worker.jobs where attempts < max_attempts');
  expect(rows).toHaveLength(1);
});
