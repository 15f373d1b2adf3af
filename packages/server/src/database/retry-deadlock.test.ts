import { expect, test } from 'vitest';
import { retryDeadlock } from './retry-deadlock.ts';

/** Fails so many times before it succeeds, and counts its calls. */
function failing(times: number, code: string) {
  let calls = 0;
  const work = async (): Promise<string> => {
    calls += 1;
    if (calls <= times) throw Object.assign(new Error('aborted'), { code });
    return 'done';
  };
  return { work, calls: () => calls };
}

test('a transaction that was the victim of a deadlock runs again', async () => {
  const { work, calls } = failing(4, '40P01');
  expect(await retryDeadlock(work)).toBe('done');
  expect(calls()).toBe(5);
});

test('after five tries the error is thrown', async () => {
  const { work, calls } = failing(9, '40P01');
  await expect(retryDeadlock(work)).rejects.toThrow('aborted');
  expect(calls()).toBe(5);
});

test('another error is thrown at once', async () => {
  const { work, calls } = failing(1, '23505');
  await expect(retryDeadlock(work)).rejects.toThrow('aborted');
  expect(calls()).toBe(1);
});
