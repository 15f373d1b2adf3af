import { expect, it } from 'vitest';
import { rankOf, TaskQueue } from './task-queue.ts';

const task = (name: string, arrivedAtMs: number, expectedMs: number) => ({
  name,
  rank: rankOf(arrivedAtMs, expectedMs, 'normal'),
  long: expectedMs > 1500,
});

function order(queue: TaskQueue<ReturnType<typeof task>>): string[] {
  const names = [];
  for (let next = queue.take(true); next !== undefined; next = queue.take(true)) names.push(next.name);
  return names;
}

it('takes small files before a large one that arrived earlier', () => {
  const queue = new TaskQueue<ReturnType<typeof task>>();
  queue.add(task('large', 0, 5_000));
  queue.add(task('small', 100, 5));
  queue.add(task('smaller', 100, 1));
  expect(order(queue)).toEqual(['smaller', 'small', 'large']);
});

it('takes a large file before small ones that arrived after its handicap', () => {
  const queue = new TaskQueue<ReturnType<typeof task>>();
  queue.add(task('large', 0, 600_000));
  queue.add(task('small', 61_000, 1));
  expect(order(queue)).toEqual(['large', 'small']);
});

it('keeps the order of arrival for equal durations', () => {
  const queue = new TaskQueue<ReturnType<typeof task>>();
  for (const name of ['first', 'second', 'third']) queue.add(task(name, 0, 1));
  expect(order(queue)).toEqual(['first', 'second', 'third']);
});

it('skips long tasks if only short ones may start', () => {
  const queue = new TaskQueue<ReturnType<typeof task>>();
  queue.add(task('long', 0, 2_000));
  expect(queue.take(false)).toBeUndefined();
  queue.add(task('short', 90_000, 1));
  expect(queue.take(false)?.name).toBe('short');
  expect(queue.take(true)?.name).toBe('long');
});

it('ranks low priority later and high priority earlier', () => {
  expect(rankOf(0, 0, 'low')).toBe(30_000);
  expect(rankOf(0, 0, 'high')).toBe(-10_000);
});
