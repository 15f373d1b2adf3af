/**
 * A pool of child processes for untrusted input. A child runs one task at a time. At the deadline of a task or an
 * abort, its child is killed and the next task goes to a spare child. Children are replaced after many tasks or when
 * their memory has grown (a WASM heap never shrinks); when there is no work, all but one are ended. A watchdog in each
 * child checks its memory and whether this process is alive.
 *
 * Children are shared out among the owners of tasks. While all work, one child more runs a task of an owner that has
 * none. If that one is taken too, a task that has exceeded its estimate makes room once: it is killed and
 * queued again.
 */
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { ContentError } from '@quire/blocks/content-error';
import { FairQueue } from '@quire/shared/fair-queue';
import { FairShares } from '@quire/shared/fair-shares';
import { KilledFromOutside, SandboxChild } from './child-process.ts';
import { nodeFlags } from './node-flags.ts';
import { isOpenToOthers, makePoolDirectory } from './pool-directory.ts';
import type { TaskTable } from './protocol.ts';
import type { TaskFiles } from './staged-files.ts';
import { SandboxUnavailable, StartBackoff } from './start-backoff.ts';
import { isLong, rankOf, type TaskPriority } from './task-rank.ts';
import { detectIsolation } from './walls/detect-isolation.ts';
import type { Isolation, IsolationLevel } from './walls/isolation.ts';

export interface PoolOptions {
  /** Maximum number of working children. Default: one for each core. */
  size?: number;
  /** Resident size, in bytes, at which a child is killed and its task fails as `too_large`. Default 1 GB. */
  memoryBytes?: number;
  /** Number of tasks after which a child is replaced. Default 5,000: a new child is slow until its code is compiled. */
  recycleTasks?: number;
  /** Resident size, in bytes, after a task at which a child is replaced. Default 500 MB. */
  recycleRssBytes?: number;
  /** Time without tasks after which all children but one are ended. Default 30 s. */
  idleMs?: number;
  /** The compiled file that serves the tasks. */
  entry: string;
  /** Delay of the next start after a child that did not start; doubled each time. Default 1 s. */
  restartMs?: number;
  /** Directory in which the pool works. Default: the system's temporary directory. */
  directory?: string;
  /** Directories that children must not see. */
  hidden?: readonly string[];
  /** The strongest isolation to try. Default `namespaces`. */
  strongestIsolation?: IsolationLevel;
  /** Returns the files of a task, which are placed where its child can see them. Default: none. */
  filesOf?: (task: string, input: unknown) => TaskFiles;
  /** Time that an owner without a running task waits before another's task makes room, in ms. Default 2 s. */
  patienceMs?: number;
  /** Called when children do not start. */
  onUnavailable?: (failure: SandboxUnavailable) => void;
}

export interface RunOptions {
  /** Aborts the task: its child is killed, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit from the start of the task, after which it fails with `timeout`. */
  timeoutMs: number;
  priority?: TaskPriority;
  /** On whose behalf the task runs; children are shared out fairly among owners. Default: one owner for all. */
  owner?: string;
  /** Estimated duration. Long tasks leave one child to short ones, and short ones overtake them for a limited time. */
  expectedMs?: number;
  onProgress?: (fraction: number) => void;
}

interface Pending {
  owner: string;
  rank: number;
  long: boolean;
  queuedAt: number;
  /** Set once the task runs. */
  startedAt?: number;
  /** True if it runs in the child beyond the size of the pool. */
  extra?: boolean;
  name: string;
  input: unknown;
  options: RunOptions;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  child?: SandboxChild;
  /** True for the second run of a task whose first child was killed from outside. */
  repeated?: boolean;
  /** True for the second run of a task that made room for another owner's. */
  madeRoom?: boolean;
}

/** Reason for killing the child of a task that makes room. */
class MadeRoom extends Error {
  override readonly name = 'MadeRoom';
}

const DEFAULTS = {
  memoryBytes: 1_000_000_000,
  recycleTasks: 5_000,
  recycleRssBytes: 500_000_000,
  idleMs: 30_000,
  patienceMs: 2_000,
  restartMs: 1_000,
  onUnavailable: () => undefined,
  hidden: [] as readonly string[],
  strongestIsolation: 'namespaces',
  filesOf: (): TaskFiles => ({ inputs: [], outputDirectory: null }),
} as const;

/** Maximum resident size of an idle child that is kept warm. */
const MAX_IDLE_RSS_BYTES = 200_000_000;
/** A task makes room only after so many times its estimated duration, and never before `patienceMs`. */
const OVERRUN_FACTOR = 4;
const ROOM_INTERVAL_MS = 500;

export class SandboxPool<Tasks extends TaskTable> {
  readonly #options: Required<PoolOptions>;
  readonly #isolation: Isolation;
  readonly #directory: string;
  readonly #shares = new FairShares();
  readonly #queue = new FairQueue<Pending>(this.#shares);
  readonly #tasks = new Set<Pending>();
  readonly #idle: SandboxChild[] = [];
  readonly #all = new Set<SandboxChild>();
  readonly #starts: StartBackoff;
  /** Number of running tasks beyond `size`, 0 or 1. */
  #extra = 0;
  #runningLong = 0;
  #started = 0;
  #closed = false;
  #retirement: NodeJS.Timeout | undefined;
  #makingRoom: NodeJS.Timeout | undefined;

  private constructor(options: Required<PoolOptions>, isolation: Isolation, directory: string) {
    this.#options = options;
    this.#isolation = isolation;
    this.#directory = directory;
    this.#starts = new StartBackoff({
      firstMs: this.#options.restartMs,
      retry: () => {
        if (this.#idle.length === 0) this.#startIdle();
      },
      onFailed: this.#options.onUnavailable,
    });
  }

  /** Opens a pool after trying which walls work on this machine. */
  static async open<Tasks extends TaskTable>(given: PoolOptions): Promise<SandboxPool<Tasks>> {
    const options = { size: availableParallelism(), directory: tmpdir(), ...DEFAULTS, ...given };
    const { entry, hidden, strongestIsolation: strongest, memoryBytes, directory } = options;
    // Another account cannot enter the service's private directories, of which `tmpdir()` may be one.
    const shared = [directory, tmpdir(), '/tmp', '/var/tmp'].find(isOpenToOthers);
    const otherUsers = shared !== undefined;
    const nodeOptions = nodeFlags(memoryBytes);
    const isolation = await detectIsolation({ entry, hidden, strongest, otherUsers, nodeFlags: nodeOptions });
    const place = makePoolDirectory(isolation.level === 'user' ? (shared ?? directory) : directory);
    return new SandboxPool<Tasks>(options, isolation, place);
  }

  /**
   * Rejects with `ContentError` for failures of the file or its reader, and with another `Error` if a retry may
   * succeed: with `SandboxUnavailable` if no child starts.
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Tasks[Name]['input'],
    options: RunOptions,
  ): Promise<Tasks[Name]['output']> {
    if (this.#closed) return Promise.reject(new Error('The sandbox is closed'));
    const { signal, priority = 'normal', expectedMs = 0, owner = '' } = options;
    if (signal?.aborted === true) return Promise.reject(abortReason(signal));
    return new Promise((resolve, reject) => {
      const queuedAt = performance.now();
      const rank = rankOf(queuedAt, expectedMs, priority);
      const long = isLong(expectedMs);
      const pending: Pending = { owner, rank, long, queuedAt, name, input, options, resolve, reject };
      if (signal !== undefined) this.#watchSignal(pending, signal);
      this.#queue.add(pending);
      this.#dispatch();
    });
  }

  /** The walls around the children, as found when the pool was opened. */
  get isolation(): Pick<Isolation, 'level' | 'program'> {
    return this.#isolation;
  }

  /** Starts a child, so that the first task need not wait for a process. */
  standBy(): void {
    this.#keepSpare();
  }

  /** Process ids of all children. */
  get processIds(): number[] {
    return [...this.#all].flatMap((child) => child.pid ?? []);
  }

  /** Set from a failed start until the next child that starts. */
  get unavailable(): SandboxUnavailable | undefined {
    return this.#starts.failure;
  }

  /** Kills every child; running and waiting tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retirement);
    clearTimeout(this.#makingRoom);
    this.#starts.stop();
    const reason = new Error('The sandbox is closed');
    for (let task = this.#queue.take(); task !== undefined; task = this.#queue.take()) task.reject(reason);
    for (const child of this.#all) child.kill(reason);
    await Promise.all([...this.#all].map((child) => child.died));
    await rm(this.#directory, { recursive: true, force: true });
  }

  #dispatch(): void {
    for (let task = this.#next(); task !== undefined; task = this.#next()) this.#begin(task);
    this.#planRoom();
  }

  /** Removes the task that starts next from the queue; undefined if none may start. */
  #next(): Pending | undefined {
    const { size } = this.#options;
    if (this.#tasks.size - this.#extra < size) {
      const longAllowed = size === 1 || this.#runningLong < size - 1;
      const task = this.#queue.take(({ long }) => longAllowed || !long);
      if (task !== undefined) return task;
    }
    if (this.#extra > 0) return undefined;
    const task = this.#queue.take(({ owner }) => this.#shares.heldBy(owner) === 0);
    if (task !== undefined) task.extra = true;
    return task;
  }

  #begin(task: Pending): void {
    const giveBack = this.#shares.take(task.owner);
    const { extra = false, long } = task;
    this.#tasks.add(task);
    if (extra) this.#extra += 1;
    else if (long) this.#runningLong += 1;
    void this.#execute(task).finally(() => {
      giveBack();
      this.#tasks.delete(task);
      if (extra) this.#extra -= 1;
      else if (long) this.#runningLong -= 1;
      if (this.#closed) return;
      this.#dispatch();
      this.#planRetirement();
    });
  }

  /** Looks again later whether an owner without a running task waits. */
  #planRoom(afterMs = this.#options.patienceMs): void {
    if (this.#makingRoom !== undefined || this.#findStarved() === undefined) return;
    this.#makingRoom = setTimeout(() => {
      this.#makingRoom = undefined;
      this.#makeRoom();
    }, afterMs).unref();
  }

  #findStarved(): Pending | undefined {
    return this.#queue.find(({ owner }) => this.#shares.heldBy(owner) === 0);
  }

  /** Kills the task of the owner with the most children that has exceeded its estimate the longest. */
  #makeRoom(): void {
    const starved = this.#findStarved();
    if (starved === undefined || this.#closed) return;
    const now = performance.now();
    const restMs = starved.queuedAt + this.#options.patienceMs - now;
    const [victim] = [...this.#tasks]
      .filter((task) => hasOverrun(task, now, this.#options.patienceMs))
      .toSorted(
        (a, b) =>
          this.#shares.heldBy(b.owner) - this.#shares.heldBy(a.owner) || (a.startedAt ?? now) - (b.startedAt ?? now),
      );
    if (restMs <= 0 && victim !== undefined) victim.child?.kill(new MadeRoom('another owner waits'));
    else this.#planRoom(Math.max(restMs, ROOM_INTERVAL_MS));
  }

  async #execute(task: Pending): Promise<void> {
    if (this.#idle.length === 0 && this.unavailable !== undefined) {
      task.reject(this.unavailable);
      return;
    }
    const child = this.#idle.pop() ?? this.#start();
    if (child === undefined) {
      task.reject(this.unavailable);
      return;
    }
    task.child = child;
    this.#keepSpare();
    if (!(await child.ready)) {
      task.reject(new SandboxUnavailable(await child.died));
      return;
    }
    const { timeoutMs, onProgress = () => undefined } = task.options;
    const overdue = (): void =>
      child.kill(new ContentError('timeout', `Reading the file took longer than ${timeoutMs / 1000} s`));
    const timer = setTimeout(overdue, timeoutMs);
    task.startedAt = performance.now();
    try {
      const files = this.#options.filesOf(task.name, task.input);
      task.resolve(await child.run(task.name, task.input, files, onProgress));
    } catch (error) {
      if (!this.#repeat(task, error)) task.reject(error);
    } finally {
      clearTimeout(timer);
      this.#release(child);
    }
  }

  /**
   * Queues the task once more if it made room for another, or if its child was killed from outside: the file is
   * probably not at fault.
   */
  #repeat(task: Pending, error: unknown): boolean {
    if (task.options.signal?.aborted === true || this.#closed) return false;
    const wasKilled = error instanceof ContentError && error.cause instanceof KilledFromOutside;
    if (error instanceof MadeRoom) task.madeRoom = true;
    else if (wasKilled && task.repeated !== true) task.repeated = true;
    else return false;
    delete task.child;
    delete task.startedAt;
    delete task.extra;
    this.#queue.add(task);
    return true;
  }

  /** On an abort, removes a waiting task from the queue, or kills the child of a running one. */
  #watchSignal(task: Pending, signal: AbortSignal): void {
    const giveUp = (): void => {
      const reason = abortReason(signal);
      this.#queue.remove(task);
      task.child?.kill(reason);
      task.reject(reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const { resolve, reject } = task;
    task.resolve = (result) => {
      signal.removeEventListener('abort', giveUp);
      resolve(result);
    };
    task.reject = (error) => {
      signal.removeEventListener('abort', giveUp);
      reject(error);
    };
  }

  /** Returns undefined if no process can be created (a full disk, no memory); `unavailable` is set then. */
  #start(): SandboxChild | undefined {
    this.#started += 1;
    let child: SandboxChild;
    try {
      child = new SandboxChild({
        entry: this.#options.entry,
        memoryBytes: this.#options.memoryBytes,
        poolDirectory: this.#directory,
        number: this.#started,
        isolation: this.#isolation,
      });
    } catch (error) {
      this.#starts.failed(error);
      return undefined;
    }
    this.#all.add(child);
    void this.#forgetWhenDead(child);
    void child.ready.then((ready) => {
      if (ready) this.#starts.succeeded();
    });
    return child;
  }

  async #forgetWhenDead(child: SandboxChild): Promise<void> {
    const reason = await child.died;
    this.#all.delete(child);
    const started = await child.ready;
    if (!started && !child.killed && !this.#closed) this.#starts.failed(reason);
    const at = this.#idle.indexOf(child);
    if (at >= 0) this.#idle.splice(at, 1);
    // A child that never worked is not replaced here, which would start children in a loop.
    if (child.tasksDone > 0 || child.killed) this.#keepSpare();
  }

  /** Keeps one idle child more than are working, so that the task after a kill need not wait for a process. */
  #keepSpare(): void {
    if (this.unavailable !== undefined || this.#closed) return;
    if (this.#idle.length === 0 && this.#all.size <= this.#options.size) this.#startIdle();
  }

  #startIdle(): void {
    const child = this.#start();
    if (child !== undefined) this.#idle.push(child);
  }

  #planRetirement(): void {
    clearTimeout(this.#retirement);
    if (this.#tasks.size > 0) return;
    this.#retirement = setTimeout(() => this.#retire(), this.#options.idleMs).unref();
  }

  /**
   * Keeps the child with the most tasks, unless it has grown large. After a pause, the first document usually comes by
   * itself, and a PDF of one page takes 20 times as long in a child that has read nothing. A fresh child takes 56 MB, a
   * warm one 95 to 125 MB.
   */
  #retire(): void {
    if (this.#tasks.size > 0) return;
    const [, ...others] = this.#idle.toSorted(
      (a, b) =>
        Number(a.rssBytes > MAX_IDLE_RSS_BYTES) - Number(b.rssBytes > MAX_IDLE_RSS_BYTES) || b.tasksDone - a.tasksDone,
    );
    for (const child of others) {
      this.#idle.splice(this.#idle.indexOf(child), 1);
      child.kill(new Error('idle'));
    }
  }

  #release(child: SandboxChild): void {
    const { recycleTasks, recycleRssBytes } = this.#options;
    if (child.ended) return;
    if (child.tainted || child.tasksDone >= recycleTasks || child.rssBytes > recycleRssBytes) {
      child.kill(new Error('recycled'));
    } else {
      this.#idle.push(child);
    }
  }
}

/** Whether a running task may be killed to make room: it has exceeded its estimate and was not killed before. */
function hasOverrun({ startedAt, options, madeRoom }: Pending, now: number, patienceMs: number): boolean {
  if (startedAt === undefined || madeRoom === true) return false;
  return now - startedAt > Math.max(patienceMs, (options.expectedMs ?? 0) * OVERRUN_FACTOR);
}

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
