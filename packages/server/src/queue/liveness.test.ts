import { expect, test } from 'vitest';
import { Liveness } from './liveness.ts';

const lane = { name: 'main', silentMs: 400, sinceFetchMs: 400, running: 2, restarts: 0 };

/** A process whose parts fail as the test says, and its clock. */
function newProcess() {
  const state = { now: 0, lanes: [lane], isSilent: false, isDatabaseAway: false };
  const liveness = new Liveness({
    lanes: () => state.lanes,
    ping: () => (state.isSilent ? new Promise(() => undefined) : Promise.resolve()),
    pingAnew: () => (state.isDatabaseAway ? Promise.reject(new Error('refused')) : Promise.resolve()),
    now: () => state.now,
  });
  return { state, check: () => liveness.check() };
}

test('connections that never answer need a new process after 90 s', async () => {
  const { state, check } = newProcess();
  expect(await check()).toBeNull();
  state.isSilent = true;
  for (state.now = 15_000; state.now <= 105_000; state.now += 15_000) expect(await check()).toBeNull();
  state.now = 106_000;
  expect(await check()).toBe('database connections for requests or jobs have been silent for 91 s');
  state.isSilent = false;
  state.now = 120_000;
  await check();
  state.now = 121_000;
  expect(await check()).toBeNull();
});

test('a dead lane needs a new process, unless the database answers no connection', async () => {
  const { state, check } = newProcess();
  state.lanes = [{ ...lane, silentMs: 91_000, restarts: 3 }];
  expect(await check()).toBe('lane main has been silent for 91.0 s, although it was restarted 3 times');
  state.isDatabaseAway = true;
  expect(await check()).toBeNull();
});
