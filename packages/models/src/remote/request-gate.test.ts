import { expect, test } from 'vitest';
import { RequestGate } from './request-gate.ts';

function setUp(maxConcurrency: number, requestsPerMinute: number | null) {
  let now = 0;
  const clock = {
    now: () => now,
    pause: async (ms: number) => {
      now += ms;
    },
    random: () => 0,
  };
  return { clock, gate: new RequestGate({ maxConcurrency, requestsPerMinute }, clock) };
}

const never = new AbortController().signal;

test('no more calls run at once than allowed, and all run in the end', async () => {
  const { gate } = setUp(2, null);
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    await Promise.resolve();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 9 }, () => gate.run(work, never)));
  expect([most, running]).toEqual([2, 0]);
});

test('no more calls start within a minute than allowed', async () => {
  const { clock, gate } = setUp(3, 2);
  const starts: number[] = [];
  for (let call = 0; call < 5; call += 1) await gate.run(async () => starts.push(clock.now()), never);
  expect(starts).toEqual([0, 0, 60_000, 60_000, 120_000]);
});

test('a call that stops waiting does not block the others, at any time', async () => {
  for (let delay = 0; delay < 12; delay += 1) {
    const { gate } = setUp(1, null);
    const controller = new AbortController();
    let finish = (): void => undefined;
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = gate.run(() => work, never);
    const second = gate.run(async () => 'second', controller.signal).catch(() => 'gave up');
    const third = gate.run(async () => 'third', never);
    finish();
    for (let tick = 0; tick < delay; tick += 1) await Promise.resolve();
    controller.abort();
    await first;
    expect([delay === 0 ? await second : 'gave up', await third]).toEqual(['gave up', 'third']);
  }
});

test('failing work frees its slot', async () => {
  const { gate } = setUp(1, null);
  await expect(gate.run(() => Promise.reject(new Error('failed')), never)).rejects.toThrow('failed');
  expect(await gate.run(async () => 'next', never)).toBe('next');
});

test('urgent calls go before others, in order within each kind', async () => {
  const { gate } = setUp(1, null);
  const order: string[] = [];
  const run = (name: string, urgent: boolean) => gate.run(async () => void order.push(name), never, urgent);
  const leave = await gate.enter(never);
  const all = Promise.all([run('batch 1', false), run('query 1', true), run('batch 2', false), run('query 2', true)]);
  leave();
  await all;
  expect(order).toEqual(['query 1', 'query 2', 'batch 1', 'batch 2']);
});

test('a pause that the provider requests applies to all calls', async () => {
  const { clock, gate } = setUp(2, null);
  gate.hold(7_000);
  expect(await gate.run(async () => clock.now(), never)).toBe(7_000);
});
