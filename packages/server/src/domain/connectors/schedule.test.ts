import { expect, test } from 'vitest';
import { nextDue, scheduleProblem, type ScheduleState } from './schedule.ts';

const NOW = new Date('2026-03-02T10:20:00Z');
const state = (changes: Partial<ScheduleState> = {}): ScheduleState => ({
  schedule: '0 * * * *',
  paused: false,
  failures: 0,
  needsAttention: false,
  ...changes,
});
const due = (changes: Partial<ScheduleState> = {}, random = 0): string | undefined =>
  nextDue(state(changes), NOW, random)?.toISOString();

test('the next time is in UTC, and later by up to a tenth of the interval', () => {
  expect(due()).toBe('2026-03-02T11:00:00.000Z');
  expect(due({}, 0.5)).toBe('2026-03-02T11:03:00.000Z');
  expect(due({}, 1)).toBe('2026-03-02T11:06:00.000Z');
  expect(due({ schedule: '30 3 * * 1' })).toBe('2026-03-09T03:30:00.000Z');
});

test('after five failures in a row a connector is due once a day at most', () => {
  expect(due({ failures: 4 })).toBe('2026-03-02T11:00:00.000Z');
  expect(due({ failures: 5 })).toBe('2026-03-03T10:20:00.000Z');
  expect(due({ failures: 5, schedule: '0 0 1 * *' })).toBe('2026-04-01T00:00:00.000Z');
});

test('a connector that has no schedule, is paused or needs attention is never due', () => {
  for (const changes of [{ schedule: null }, { paused: true }, { needsAttention: true }]) {
    expect([changes, due(changes)]).toEqual([changes, undefined]);
  }
});

test('a schedule has five fields and comes due', () => {
  const problems = ['0 3 * * *', '*/5 1-3 * * MON', '0 0 31 2 *', '0 0 3 * * *', 'daily', ''].map(
    (schedule) => scheduleProblem(schedule) ?? null,
  );
  const fields = 'a schedule is a cron expression of five fields: minute, hour, day of month, month, day of week';
  expect(problems).toEqual([null, null, 'the schedule never comes due', fields, fields, fields]);
});
