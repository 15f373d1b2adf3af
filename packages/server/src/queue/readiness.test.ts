import { expect, test } from 'vitest';
import { describeDeath, describeQueue } from './readiness.ts';

const lane = { name: 'main', silentMs: 400, sinceFetchMs: 400, running: 2, restarts: 0 };
const waits = (name: string, oldestDueMs: number) => ({ lane: name, oldestDueMs, starvedMs: null });

test('a queue whose lanes fetch is ready, with the oldest due job and the last fetch of each lane', () => {
  expect(
    describeQueue(
      [waits('main', 1234), waits('connectors', 20)],
      [lane, { ...lane, name: 'small-documents', sinceFetchMs: 90, running: 0 }],
    ),
  ).toEqual({
    ready: true,
    detail:
      'the oldest due job has waited 1.2 s; lane main fetched 0.4 s ago, 2 running; lane small-documents fetched 0.1 s ago, 0 running',
  });
});

test('a workspace whose job waits for a minute without a running one is named, and the process stays ready', () => {
  const starved = { lane: 'main', oldestDueMs: 90_000, starvedMs: 61_000 };
  expect(describeQueue([starved, { ...starved, lane: 'connectors', starvedMs: 60_000 }], [])).toEqual({
    ready: true,
    detail:
      'lane main starves a workspace, whose oldest due job has waited 61.0 s; the oldest due job has waited 90.0 s',
  });
});

test('a busy lane that verified its locks is ready, however long ago it fetched', () => {
  expect(describeQueue([], [{ ...lane, sinceFetchMs: 600_000 }]).ready).toBe(true);
});

test('a lane without an answer for more than 30 s makes the queue not ready', () => {
  const stalled = { ...lane, silentMs: 30_001, sinceFetchMs: 30_001, running: 0 };
  expect(describeQueue([], [stalled])).toEqual({
    ready: false,
    detail: 'stalled: main; no job is due; lane main fetched 30.0 s ago, 0 running',
  });
});

test('a process without lanes is ready', () => {
  expect(describeQueue([], [])).toEqual({ ready: true, detail: 'no job is due' });
});

test('a lane that its watchdog does not revive for 90 s needs a new process', () => {
  expect(describeDeath([lane, { ...lane, silentMs: 89_000 }])).toBeNull();
  expect(describeDeath([lane, { ...lane, name: 'small-documents', silentMs: 90_500, restarts: 3 }])).toBe(
    'lane small-documents has been silent for 90.5 s, although it was restarted 3 times',
  );
});
