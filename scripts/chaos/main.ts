/**
 * `npm run chaos`: takes PostgreSQL, disk, language model, clock and processes away in many ways, idle or loaded,
 * checks after each fault that new work is done in time, and in the end every promise: acknowledged documents are
 * ready and found, deleted ones are not, runs and messages end, live events are complete and in order, no job is
 * overdue, and no id is in answers to two workspaces. Options: `--seed N` (default: printed), `--seeds N,N,…`,
 * `--rounds N`, `--minutes N`, `--max-seconds N` for the longest fault, `--only TEXT` for faults whose name has it;
 * ends with exit code 1 if a promise was broken.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { History } from './history.ts';
import { NAMED_FAULTS } from './nemesis.ts';
import { Random } from './random.ts';
import { System } from './system.ts';

const RECOVERY_MS = 30_000;

/** The time for new work after a fault: 30 s on an idle machine, more where other programs use its processors. */
const recoveryMs = (): number => RECOVERY_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

const CHECK_MS = 300_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
    'max-seconds': { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
  },
});

async function round(number: number, system: System, history: History, random: Random): Promise<void> {
  const possible = NAMED_FAULTS.filter(
    ({ name, applies }) => name.includes(values.only) && (applies === undefined || applies(system)),
  );
  const fault = random.pick(possible);
  const underLoad = random.next() < 0.7;
  const durationMs = random.between(1_000, Number(values['max-seconds']) * 1_000);
  const load = underLoad ? 'under load' : 'at idle';
  process.stdout.write(`${number}: ${fault.name}, ${(durationMs / 1000).toFixed(1)} s, ${load}`);
  const stop = new AbortController();
  const loading = underLoad ? history.load(stop.signal) : Promise.resolve();
  await delay(random.between(200, 1_500));
  await fault.apply(system, durationMs, random);
  const recoveredMs = await history.probe(recoveryMs()).finally(() => stop.abort());
  await loading;
  process.stdout.write(`: new work done after ${Math.round(recoveredMs)} ms\n`);
}

/** Half of the runs have the service in two processes; a third, where possible, has a clock that jumps. */
function drawOptions(random: Random) {
  const [isSplit, hasClock] = [random.next() < 0.5, random.next() < 1 / 3];
  return { isSplit, hasClock: hasClock && System.canChangeClock() };
}

async function run(seed: number, until: number): Promise<string[]> {
  const random = new Random(seed);
  const options = drawOptions(random);
  process.stdout.write(`seed ${seed}: ${JSON.stringify(options)}\n`);
  const system = await System.start(options);
  let broken = true;
  try {
    // Clients draw in an order that depends on timing, so the faults have random numbers of their own.
    const history = await History.start(system, new Random(seed + 1));
    let number = 0;
    while (number < Number(values.rounds) && performance.now() < until) {
      number += 1;
      await round(number, system, history, random);
    }
    const faults = await history.check(Math.max(CHECK_MS, 10 * recoveryMs()));
    await history.close();
    process.stdout.write(`${number} rounds, ${history.summary}: ${faults.length} broken promises\n`);
    broken = faults.length > 0;
    return faults;
  } finally {
    if (broken) process.stdout.write(`the log of the service is kept: ${system.log}\n`);
    await system.stop(broken);
  }
}

/** Root runs in a mount namespace of its own, so that the file systems of a run end with it. */
function isolateMounts(): boolean {
  if (process.getuid?.() !== 0 || process.env['CHAOS_ISOLATED'] !== undefined) return false;
  const args = ['--mount', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, CHAOS_ISOLATED: 'true' };
  const { status, error } = spawnSync('unshare', args, { stdio: 'inherit', env });
  if (error !== undefined) return false;
  process.exitCode = status ?? 1;
  return true;
}

async function main(): Promise<void> {
  const until = performance.now() + Number(values.minutes) * 60_000;
  const seeds = values.seeds?.split(',').map(Number) ?? [Number(values.seed ?? randomInt(1_000_000))];
  for (const seed of seeds) {
    const faults = await run(seed, until);
    for (const fault of faults) process.stdout.write(`  ${fault}\n`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

if (!isolateMounts()) await main();
