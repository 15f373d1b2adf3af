import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { oneAtATime } from './one-at-a-time.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('work of one name is done one after the other, of another name meanwhile', async () => {
  const steps: string[] = [];
  let otherDone = (): void => undefined;
  const other = new Promise<void>((resolve) => (otherDone = resolve));
  const first = oneAtATime(database.db, 'a', async () => {
    steps.push('first begins');
    await other;
    steps.push('first ends');
  });
  while (steps.length === 0) await database.pool.query('select');
  const second = oneAtATime(database.db, 'a', async () => void steps.push('second'));
  await oneAtATime(database.db, 'b', async () => otherDone());
  await Promise.all([first, second]);
  expect(steps).toEqual(['first begins', 'first ends', 'second']);
});

test('failed work does not block other work', async () => {
  const failed = oneAtATime(database.db, 'a', () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrowError('no');
  let isDone = false;
  await oneAtATime(database.db, 'a', async () => void (isDone = true));
  expect(isDone).toBe(true);
});
