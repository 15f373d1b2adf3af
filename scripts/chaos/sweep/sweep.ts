/**
 * Injects a fault at each system call that a scripted run makes: death at each one, and ENOSPC and EIO at those on
 * files. A first run counts the calls by target. A point is the n-th call of a thread, which `strace` counts for each
 * thread by itself; the service has one thread for files, so that their calls have one order.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ChatHistory } from '../chats.ts';
import { checkMs } from '../rounds.ts';
import { System } from '../system.ts';
import { canTrace } from '../system-calls.ts';
import { Refused, Workspace } from '../workspace.ts';
import { tracedBackup } from './backup.ts';
import { ScriptedRun, type RunPlace } from './scripted-run.ts';
import { attach, countCalls, withFault } from './strace.ts';
import { TARGETS, type Target } from './targets.ts';

export interface SweepOptions {
  /** The first point, from 1. */
  from: number;
  /** The distance to the next point. */
  every: number;
  /** Part of the names of points. */
  only: string;
  hasTime: () => boolean;
}

interface Point {
  name: string;
  target: Target;
  call: string;
  injection: string;
}

interface Outcome {
  /** False if the target did not make this many calls. */
  reached: boolean;
  /** Broken promises. */
  faults: string[];
  /** Returns the broken promises of what the run left to be done. */
  check?: () => Promise<string[]>;
}

/**
 * Runs that are not checked yet. Jobs of a killed process are taken over after half a minute, in which the next points
 * are tried.
 */
const UNCHECKED = 8;
/** A death may follow the last answer of a run. */
const AFTER_MS = 300;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

export async function sweep({ from, every, only, hasTime }: SweepOptions): Promise<boolean> {
  if (!canTrace()) {
    say('the sweep is skipped: it needs root and `strace`');
    return true;
  }
  const scene = await Scene.start();
  const points = (await scene.findPoints(only)).filter(({ name }) => name.includes(only));
  const counts = { tried: 0, reached: 0, broken: 0 };
  const unchecked: { name: string; check: () => Promise<string[]> }[] = [];
  const report = (name: string, faults: readonly string[]): void => {
    for (const fault of faults) say(`  ${name}: ${fault}`);
    counts.broken += faults.length;
  };
  const checkAllBut = async (left: number): Promise<void> => {
    for (const { name, check } of unchecked.splice(0, Math.max(0, unchecked.length - left)))
      report(name, await check().catch((error: unknown) => [String(error)]));
  };
  for (let position = from - 1; position < points.length && hasTime(); position += every) {
    const point = points[position];
    if (point === undefined) break;
    const startedAt = performance.now();
    const { reached, faults, check } = await scene.tryPoint(point);
    counts.tried += 1;
    counts.reached += reached ? 1 : 0;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(`${position + 1} of ${points.length}: ${point.name}: ${reached ? 'reached' : 'not reached'}, ${seconds} s`);
    report(point.name, faults);
    if (check !== undefined) unchecked.push({ name: point.name, check });
    await checkAllBut(UNCHECKED);
  }
  await checkAllBut(0);
  report('the end', await scene.unfinished());
  const minutes = (performance.now() / 60_000).toFixed(1);
  say(
    `${counts.tried} of ${points.length} points in ${minutes} minutes, ${counts.reached} reached: ` +
      `${counts.broken} broken promises`,
  );
  await scene.stop(counts.broken > 0);
  return counts.broken === 0;
}

/** Repeats a check while the service is not available: PostgreSQL may be starting after the death of another point. */
async function onceAvailable(check: (until: number) => Promise<string[]>): Promise<string[]> {
  const until = performance.now() + checkMs();
  for (;;) {
    try {
      return await check(until);
    } catch (error) {
      const isAway = error instanceof Refused && error.status === 503;
      if (!isAway || performance.now() > until) throw error;
      await delay(500);
    }
  }
}

/** The system under sweep and its clients. */
class Scene {
  readonly #system: System;
  readonly #place: RunPlace;
  #fileThread = 0;
  #runs = 0;

  private constructor(system: System, place: RunPlace) {
    this.#system = system;
    this.#place = place;
  }

  static async start(): Promise<Scene> {
    const system = await System.start({ isSplit: false, hasClock: false, hasOneFileThread: true });
    const workspace = await Workspace.create(system, 'sweep');
    const { id } = await workspace.request<{ id: string }>('POST', '/col', { name: 'sweep' });
    const scene = new Scene(system, {
      workspace,
      collection: id,
      chats: await ChatHistory.start(workspace, id, system.provider),
    });
    await scene.#findFileThread();
    // The first run of a process makes calls that later ones do not make.
    await scene.#perform(new AbortController().signal);
    return scene;
  }

  stop(keep: boolean): Promise<void> {
    if (keep) say(`the log of the service is kept: ${this.#system.log}`);
    return this.#system.stop(keep);
  }

  /** The thread that syncs an uploaded file. */
  async #findFileThread(): Promise<void> {
    const counts = await countCalls(['fsync', 'fdatasync'], async (args) => {
      const tracer = await attach([this.#system.pidOf('all')], args, true);
      this.#runs += 1;
      const run = new ScriptedRun(this.#place, this.#runs, new AbortController().signal);
      await run.documents.upload();
      await tracer.end();
    });
    const threads = [...(counts.get('fsync') ?? []), ...(counts.get('fdatasync') ?? [])];
    const [thread] = threads.toSorted(([, one], [, other]) => other - one)[0] ?? [];
    if (thread === undefined) throw new Error('No thread of the service syncs files');
    this.#fileThread = thread;
  }

  async #perform(signal: AbortSignal): Promise<ScriptedRun> {
    this.#runs += 1;
    const run = new ScriptedRun(this.#place, this.#runs, signal);
    await run.perform();
    return run;
  }

  /** Counts the calls of each target in one run. */
  async findPoints(only: string): Promise<Point[]> {
    const points: Point[] = [];
    for (const target of TARGETS) {
      if (only !== '' && !only.includes(target.name) && !target.name.includes(only)) continue;
      const counts = await countCalls(target.calls, (args) => this.#trace(target, args));
      const highest = new Map([...counts].map(([call, threads]) => [call, Math.max(...threads.values())]));
      say(`${target.name}: ${[...highest].map(([call, count]) => `${call} ${count}`).join(', ')}`);
      points.push(...target.calls.flatMap((call) => pointsOf(target, call, highest.get(call) ?? 0)));
    }
    return points;
  }

  async #trace(target: Target, args: string[]): Promise<void> {
    if (target.name === 'backup') {
      const { faults } = await tracedBackup(this.#system, args);
      if (faults.length > 0) throw new Error(faults.join('\n'));
      return;
    }
    const tracer = await attach(target.threads(this.#system, this.#fileThread), args, target.follows);
    await this.#perform(new AbortController().signal);
    await tracer.end();
  }

  async tryPoint(point: Point): Promise<Outcome> {
    const { target } = point;
    if (target.name === 'backup') {
      let faults: string[] = [];
      const reached = await withFault(point, async (args) => {
        ({ faults } = await tracedBackup(this.#system, args));
      });
      return { reached, faults };
    }
    const death = new AbortController();
    const ended = this.#system.service.ended.then(() => death.abort());
    let run: ScriptedRun | undefined;
    const reached = await withFault(point, async (args) => {
      const tracer = await attach(target.threads(this.#system, this.#fileThread), args, target.follows);
      run = await this.#perform(death.signal);
      await Promise.race([ended, delay(AFTER_MS)]);
      await tracer.end();
    });
    if (death.signal.aborted) {
      await this.#system.restart('all');
      await this.#findFileThread();
    }
    const check = (): Promise<string[]> => onceAvailable((until) => run?.check(until) ?? Promise.resolve([]));
    return { reached, faults: [], check };
  }

  /** Returns a line for each message and job that does not end. */
  async unfinished(): Promise<string[]> {
    const until = performance.now() + checkMs();
    return [...(await this.#place.chats.check(until)), ...(await this.#system.unfinishedJobs(until))];
  }
}

function pointsOf(target: Target, call: string, count: number): Point[] {
  const points: Point[] = [];
  for (let number = 1; number <= count; number++) {
    const add = (fault: string, injection: string): void =>
      void points.push({ name: `${target.name}, ${call} ${number}, ${fault}`, target, call, injection });
    add('killed', `signal=SIGKILL:when=${number}`);
    if (!target.canFail || call === 'sendto') continue;
    add('ENOSPC', `error=ENOSPC:when=${number}`);
    add('EIO', `error=EIO:when=${number}`);
  }
  return points;
}
