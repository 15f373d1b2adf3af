/** One system under faults that a seed decides: rounds of a fault each, and the check of all promises in the end. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { History, type Counts } from './history.ts';
import { loadFactor } from './load-factor.ts';
import { NAMED_FAULTS, type NamedFault } from './nemesis.ts';
import { Random } from './random.ts';
import { System } from './system.ts';

export interface RoundOptions {
  /** Number of rounds of each seed. */
  rounds: number;
  /** Length of the longest fault. */
  maxSeconds: number;
  /** Part of the names of the permitted faults. */
  only: string;
  hasTime: () => boolean;
}

export interface SeedResult {
  seed: number;
  rounds: number;
  counts: Counts;
  /** Broken promises. */
  faults: string[];
}

const RECOVERY_MS = 30_000;
const CHECK_MS = 300_000;
const LOG_LINES = 60;
const NO_COUNTS: Counts = { documents: 0, runs: 0, answers: 0, 'event streams': 0, resets: 0 };

/** The time for new work after a fault: 30 s on an idle machine, more where other programs use its processors. */
export const recoveryMs = (): number => RECOVERY_MS * loadFactor();

/** The time until everything acknowledged must have ended. */
export const checkMs = (): number => Math.max(CHECK_MS, 10 * recoveryMs());

/** Half of the runs have the service in two processes; a third, where possible, has a clock that jumps. */
function drawOptions(random: Random) {
  const [isSplit, hasClock] = [random.next() < 0.5, random.next() < 1 / 3];
  return { isSplit, hasClock: hasClock && System.canChangeClock() };
}

export async function runSeed(seed: number, options: RoundOptions): Promise<SeedResult> {
  const random = new Random(seed);
  const wanted = drawOptions(random);
  process.stdout.write(`seed ${seed}: ${JSON.stringify(wanted)}\n`);
  const result: SeedResult = { seed, rounds: 0, counts: NO_COUNTS, faults: [] };
  let system: System | undefined;
  try {
    system = await System.start(wanted);
    // Clients draw in an order that depends on timing, so the faults have random numbers of their own.
    const history = await History.start(system, new Random(seed + 1));
    try {
      for (; result.rounds < options.rounds && options.hasTime(); result.rounds++)
        await round(result.rounds + 1, system, history, random, options);
      result.faults.push(...(await history.check(checkMs())));
    } finally {
      result.counts = history.counts;
      await history.close();
    }
  } catch (error) {
    result.faults.push(describe(error));
  }
  const isBroken = result.faults.length > 0;
  if (isBroken && system !== undefined) printLog(system);
  await system?.stop(isBroken);
  return result;
}

async function round(number: number, system: System, history: History, random: Random, options: RoundOptions) {
  const fault = random.pick(possibleFaults(system, options.only));
  const underLoad = random.next() < 0.7;
  const durationMs = random.between(1_000, options.maxSeconds * 1_000);
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

const possibleFaults = (system: System, only: string): NamedFault[] =>
  NAMED_FAULTS.filter(({ name, applies }) => name.includes(only) && (applies === undefined || applies(system)));

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** The end of the service's log, as the folder may not outlive the machine. */
function printLog({ log }: System): void {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
  process.stdout.write(`${lines.join('\n')}\nthe log of the service is kept: ${log}\n`);
}
