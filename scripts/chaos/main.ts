/**
 * `npm run chaos`: takes PostgreSQL and the service away in many ways, at idle and under load, and checks after each
 * fault that new work is done within 30 s, and in the end that every acknowledged document is ready and found, and no
 * deleted one is. Options: `--seed N` (default: printed), `--rounds N`, `--minutes N`, `--max-seconds N` for the
 * longest fault, `--only TEXT` for faults whose name contains it. Ends with exit code 1 if a promise was broken.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { History } from './history.ts';
import { NAMED_FAULTS } from './nemesis.ts';
import { Random } from './random.ts';
import { System } from './system.ts';

const RECOVERY_MS = 30_000;
const CHECK_MS = 300_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
    'max-seconds': { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
  },
});

async function round(number: number, system: System, history: History, random: Random): Promise<void> {
  const fault = random.pick(NAMED_FAULTS.filter(({ name }) => name.includes(values.only)));
  const underLoad = random.next() < 0.7;
  const durationMs = random.between(1_000, Number(values['max-seconds']) * 1_000);
  const load = underLoad ? 'under load' : 'at idle';
  process.stdout.write(`${number}: ${fault.name}, ${(durationMs / 1000).toFixed(1)} s, ${load}`);
  const stop = new AbortController();
  const loading = underLoad ? history.load(stop.signal) : Promise.resolve();
  await delay(random.between(200, 1_500));
  await fault.apply(system, durationMs);
  const recoveredMs = await history.probe(RECOVERY_MS).finally(() => stop.abort());
  await loading;
  process.stdout.write(`: new work done after ${Math.round(recoveredMs)} ms\n`);
}

async function run(seed: number): Promise<string[]> {
  const random = new Random(seed);
  const until = performance.now() + Number(values.minutes) * 60_000;
  const system = await System.start();
  let broken = true;
  try {
    // Clients draw in an order that depends on timing, so the faults have random numbers of their own.
    const history = await History.start(system, new Random(seed + 1));
    for (let number = 1; number <= Number(values.rounds) && performance.now() < until; number++) {
      await round(number, system, history, random);
    }
    const faults = await history.check(CHECK_MS);
    process.stdout.write(`${history.acknowledged} acknowledged documents, ${faults.length} broken promises\n`);
    broken = faults.length > 0;
    return faults;
  } finally {
    if (broken) process.stdout.write(`the log of the service is kept: ${system.log}\n`);
    await system.stop(broken);
  }
}

const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
process.stdout.write(`seed ${seed}\n`);
const faults = await run(seed);
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
