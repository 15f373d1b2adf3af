import { expect, test } from 'vitest';
import { RecentReads } from './recent-reads.ts';

function setUp() {
  const clock = { now: 0 };
  const reads: string[] = [];
  const records = new Map([['a', 1]]);
  const recent = new RecentReads<number>({ keptMs: 500, now: () => clock.now, maxKept: 3 });
  const get = (key: string) =>
    recent.get(key, async () => {
      reads.push(key);
      return records.get(key);
    });
  return { clock, reads, records, recent, get };
}

test('a record is read once within its lifetime, also by concurrent callers', async () => {
  const { clock, reads, get } = setUp();
  expect(await Promise.all([get('a'), get('a')])).toEqual([1, 1]);
  clock.now = 499;
  expect(await get('a')).toBe(1);
  expect(reads).toEqual(['a']);
  clock.now = 500;
  await get('a');
  expect(reads).toEqual(['a', 'a']);
});

test('an absent record is read again', async () => {
  const { reads, records, get } = setUp();
  expect(await get('b')).toBeUndefined();
  records.set('b', 2);
  expect(await get('b')).toBe(2);
  expect(reads).toEqual(['b', 'b']);
});

test('a failed read is not cached', async () => {
  const { recent, get } = setUp();
  await expect(recent.get('a', () => Promise.reject(new Error('no connection')))).rejects.toThrow('no connection');
  expect(await get('a')).toBe(1);
});

test('a read that was running when the cache was cleared is not cached', async () => {
  const { reads, records, recent, get } = setUp();
  const early = get('a');
  recent.forgetAll();
  records.set('a', 7);
  expect(await get('a')).toBe(7);
  expect(await early).toBe(1);
  expect(reads).toEqual(['a', 'a']);
});

test('the cache holds at most its maximum', async () => {
  const { reads, records, get } = setUp();
  for (const key of ['a', 'b', 'c', 'd']) {
    records.set(key, 1);
    await get(key);
  }
  await get('a');
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'a']);
});

test('a cached record is available at once until it expires or the cache is cleared', async () => {
  const { clock, recent, get } = setUp();
  const reading = get('a');
  expect(recent.peek('a')).toBeUndefined();
  await reading;
  clock.now = 499;
  expect(recent.peek('a')).toBe(1);
  clock.now = 500;
  expect(recent.peek('a')).toBeUndefined();
  await get('a');
  recent.forgetAll();
  expect(recent.peek('a')).toBeUndefined();
});
