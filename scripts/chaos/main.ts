/**
 * `npm run chaos`: takes PostgreSQL, disk, language model, clock and processes away in many ways, idle or loaded,
 * checks after each fault that new work is done in time, and in the end every promise: acknowledged documents are
 * ready and found, deleted ones are not, runs and messages end, live events are complete and in order, no job is
 * overdue, and no id is in answers to two workspaces. Options: `--seed N` (default: printed), `--seeds N,N,…` or
 * `--seeds N-N`, `--known` for the seeds that once found a fault, `--rounds N` for each seed, `--minutes N` for all,
 * `--max-seconds N` for the longest fault, `--only TEXT` for faults whose name has it. `--sweep` injects a fault at
 * each system call of a scripted run instead; `--from N --every N` take a part of these points, `--only TEXT` those
 * whose name has it. SIGTERM ends the run after its round. Ends with exit code 1 if a promise was broken.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import { runSeed, type SeedResult } from './rounds.ts';
import { KNOWN_SEEDS } from './seeds.ts';
import { sweep } from './sweep/sweep.ts';
import { canTrace } from './system-calls.ts';
import { System } from './system.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    known: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
    'max-seconds': { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
    sweep: { type: 'boolean', default: false },
    from: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function chosenSeeds(): number[] {
  if (values.known) return KNOWN_SEEDS.map(({ seed }) => seed);
  const [, first, last] = /^(\d+)-(\d+)$/.exec(values.seeds ?? '') ?? [];
  if (first !== undefined)
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, position) => Number(first) + position);
  return values.seeds?.split(',').map(Number) ?? [Number(values.seed ?? randomInt(1_000_000))];
}

const summary = ({ rounds, counts, faults }: Omit<SeedResult, 'seed'>): string =>
  `${rounds} rounds, ${Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}: ${faults.length} broken promises`;

async function runSeeds(hasTime: () => boolean): Promise<boolean> {
  const results: SeedResult[] = [];
  for (const seed of chosenSeeds()) {
    if (!hasTime()) break;
    const options = {
      rounds: Number(values.rounds),
      maxSeconds: Number(values['max-seconds']),
      only: values.only,
      hasTime,
    };
    const result = await runSeed(seed, options);
    results.push(result);
    say(summary(result));
    for (const fault of result.faults) say(`  ${fault}`);
  }
  const sum = (count: (result: SeedResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const counts = {
    documents: sum((each) => each.counts.documents),
    runs: sum((each) => each.counts.runs),
    answers: sum((each) => each.counts.answers),
    'event streams': sum((each) => each.counts['event streams']),
    resets: sum((each) => each.counts.resets),
  };
  const faults = results.flatMap((each) => each.faults);
  const minutes = (performance.now() / 60_000).toFixed(1);
  say(
    `${results.length} seeds in ${minutes} minutes, ${summary({ rounds: sum((each) => each.rounds), counts, faults })}`,
  );
  const broken = results.filter((each) => each.faults.length > 0).map(({ seed }) => seed);
  if (broken.length > 0) say(`seeds of broken promises: ${broken.join(', ')}`);
  return broken.length === 0;
}

/** Root runs in a mount namespace of its own, so that the file systems of a run end with it. */
async function isolateMounts(): Promise<boolean> {
  if (process.getuid?.() !== 0 || process.env['CHAOS_ISOLATED'] !== undefined) return false;
  // A container may refuse namespaces to root.
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return false;
  const args = ['--mount', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawnWithParent('unshare', args, { stdio: 'inherit', env: { ...process.env, CHAOS_ISOLATED: 'true' } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
  return true;
}

function sayWhatIsSkipped(): void {
  if (process.getuid?.() !== 0) say('skipped: full disks, and faults at system calls, need root');
  else if (!canTrace()) say('skipped: faults at system calls need `strace`');
  if (!System.canChangeClock()) say('skipped: jumps of the clock need `libfaketime`');
}

async function main(): Promise<void> {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isStopping = true));
  const hasTime = (): boolean => !isStopping && performance.now() < Number(values.minutes) * 60_000;
  sayWhatIsSkipped();
  const { only } = values;
  const holds = values.sweep
    ? await sweep({ from: Number(values.from), every: Number(values.every), only, hasTime })
    : await runSeeds(hasTime);
  if (!holds) process.exitCode = 1;
}

if (!(await isolateMounts())) await main();
