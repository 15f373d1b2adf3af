/**
 * Child processes that run the parsers. A child has one task at a time; at its deadline, or when its caller gives up,
 * it is killed and the next task goes to a fresh child that stands ready. Children are recycled after some tasks or
 * when their memory has grown (a WASM heap never shrinks), all but a warm one are ended when there is nothing to do. They
 * are watched from inside (watchdog.ts) for memory and for the death of this process, and have no network and none of this
 * process's secrets.
 */
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { ContentError } from '@quire/blocks/content-error';
import { KilledFromOutside, SandboxChild } from './child-process.ts';
import { nodeFlags } from './node-flags.ts';
import { makePoolDirectory } from './pool-directory.ts';
import type { TaskTable } from './protocol.ts';
import type { TaskFiles } from './staged-files.ts';
import { SandboxUnavailable, StartBackoff } from './start-backoff.ts';
import { LONG_TASK_MS, rankOf, TaskQueue, type TaskPriority } from './task-queue.ts';
import { detectIsolation } from './walls/detect-isolation.ts';
import type { Isolation, IsolationLevel } from './walls/isolation.ts';

export interface PoolOptions {
  /** Children working at once. Default: one for each core. */
  size?: number;
  /** Resident size at which a child is ended and its task fails as `too_large`. Default 1 GB. */
  memoryBytes?: number;
  /** A child is replaced after so many tasks. Default 5,000: a new one is slow until its code is compiled. */
  recycleTasks?: number;
  /** Or when it holds more than this after a task. Default 500 MB. */
  recycleRssBytes?: number;
  /** After so long without a task all children but one are ended. Default 30 s. */
  idleMs?: number;
  /** The compiled file that serves the tasks. */
  entry: string;
  /** After a child that did not start the next one is started so much later, then twice as long. Default 1 s. */
  restartMs?: number;
  /** Directory in which the pool works. Default: the system's temporary directory. */
  directory?: string;
  /** Directories that children must not see. */
  hidden?: readonly string[];
  /** The strongest isolation to try. Default `namespaces`. */
  strongestIsolation?: IsolationLevel;
  /** Returns the files of a task, which are placed where its child can see them. Default: none. */
  filesOf?: (task: string, input: unknown) => TaskFiles;
  /** Called when children do not start. */
  onUnavailable?: (failure: SandboxUnavailable) => void;
}

export interface RunOptions {
  /** Giving up: the child is killed, the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Counted from the start, not from the call; then the task fails with `timeout`. */
  timeoutMs: number;
  priority?: TaskPriority;
  /** A guess; long tasks leave one child to the short ones, and queue behind them for a while. */
  expectedMs?: number;
  onProgress?: (fraction: number) => void;
}

interface Pending {
  rank: number;
  long: boolean;
  name: string;
  input: unknown;
  options: RunOptions;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  child?: SandboxChild;
  /** The task runs for the second time, because its first child was killed from outside. */
  repeated?: boolean;
}

const DEFAULTS = {
  memoryBytes: 1_000_000_000,
  recycleTasks: 5_000,
  recycleRssBytes: 500_000_000,
  idleMs: 30_000,
  restartMs: 1_000,
  onUnavailable: () => undefined,
  hidden: [] as readonly string[],
  strongestIsolation: 'namespaces',
  filesOf: (): TaskFiles => ({ inputs: [], outputDirectory: null }),
} as const;

/** A larger child is not kept for its warmth. */
const KEPT_RSS_BYTES = 200_000_000;

export class SandboxPool<Tasks extends TaskTable> {
  readonly #options: Required<PoolOptions>;
  readonly #isolation: Isolation;
  readonly #directory: string;
  readonly #queue = new TaskQueue<Pending>();
  readonly #idle: SandboxChild[] = [];
  readonly #all = new Set<SandboxChild>();
  readonly #starts: StartBackoff;
  #running = 0;
  #runningLong = 0;
  #started = 0;
  #closed = false;
  #retirement: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = {
      size: availableParallelism(),
      directory: tmpdir(),
      ...DEFAULTS,
      ...options,
    };
    const { entry, hidden, strongestIsolation: strongest, memoryBytes, directory } = this.#options;
    this.#isolation = detectIsolation({ entry, hidden, strongest, nodeFlags: nodeFlags(memoryBytes) });
    // Another account may be unable to enter the service's own directories.
    this.#directory = makePoolDirectory(this.#isolation.level === 'user' ? tmpdir() : directory);
    this.#starts = new StartBackoff({
      firstMs: this.#options.restartMs,
      retry: () => {
        if (this.#idle.length === 0) this.#startIdle();
      },
      onFailed: this.#options.onUnavailable,
    });
  }

  /**
   * Rejects with `ContentError` for what the file or its reader did, with another `Error` for what is worth a retry:
   * `SandboxUnavailable` when no child starts.
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Tasks[Name]['input'],
    options: RunOptions,
  ): Promise<Tasks[Name]['output']> {
    if (this.#closed) return Promise.reject(new Error('The sandbox is closed'));
    const { signal, priority = 'normal', expectedMs = 0 } = options;
    if (signal?.aborted === true) return Promise.reject(abortReason(signal));
    return new Promise((resolve, reject) => {
      const rank = rankOf(performance.now(), expectedMs, priority);
      const pending: Pending = { rank, long: expectedMs > LONG_TASK_MS, name, input, options, resolve, reject };
      if (signal !== undefined) this.#watchSignal(pending, signal);
      this.#queue.add(pending);
      this.#dispatch();
    });
  }

  /** The walls around the children, as found when the pool was made. */
  get isolation(): Pick<Isolation, 'level' | 'program'> {
    return this.#isolation;
  }

  /** Starts a child, so that the first task need not wait for that. */
  standBy(): void {
    this.#keepSpare();
  }

  /** Process ids of the children, working or idle. */
  get processIds(): number[] {
    return [...this.#all].flatMap((child) => child.pid ?? []);
  }

  /** Set from a child that did not start to the next one that does. */
  get unavailable(): SandboxUnavailable | undefined {
    return this.#starts.failure;
  }

  /** Kills every child; tasks in them or waiting are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retirement);
    this.#starts.stop();
    const reason = new Error('The sandbox is closed');
    for (let task = this.#queue.take(true); task !== undefined; task = this.#queue.take(true)) task.reject(reason);
    for (const child of this.#all) child.kill(reason);
    await Promise.all([...this.#all].map((child) => child.died));
    await rm(this.#directory, { recursive: true, force: true });
  }

  #dispatch(): void {
    while (this.#running < this.#options.size) {
      const longAllowed = this.#options.size === 1 || this.#runningLong < this.#options.size - 1;
      const task = this.#queue.take(longAllowed);
      if (task === undefined) return;
      this.#running += 1;
      if (task.long) this.#runningLong += 1;
      void this.#execute(task).finally(() => {
        this.#running -= 1;
        if (task.long) this.#runningLong -= 1;
        if (this.#closed) return;
        this.#dispatch();
        this.#planRetirement();
      });
    }
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

  /** Queues the task once more if its child was killed from outside: the file is probably not at fault. */
  #repeat(task: Pending, error: unknown): boolean {
    const wasKilled = error instanceof ContentError && error.cause instanceof KilledFromOutside;
    if (!wasKilled || task.repeated === true || task.options.signal?.aborted === true || this.#closed) return false;
    task.repeated = true;
    this.#queue.add(task);
    return true;
  }

  /** An abort takes a waiting task out of the queue and kills the child of a running one. */
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

  /** Undefined when there cannot even be one (a full disk, no memory for a process): `unavailable` is set then. */
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
    // Not after one that never worked: that would start them in a loop.
    if (child.tasksDone > 0 || child.killed) this.#keepSpare();
  }

  /** One child more than are at work, so that the task after a kill does not wait for a process to start. */
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
    if (this.#running > 0) return;
    this.#retirement = setTimeout(() => this.#retire(), this.#options.idleMs).unref();
  }

  /**
   * Keeps the child that has done most, unless it has grown large. The first document after a rest comes alone as a rule:
   * a PDF of one page takes 20 times as long in a child that has read nothing, which holds 56 MB; one that has, 95 to 125.
   */
  #retire(): void {
    if (this.#running > 0) return;
    const [, ...others] = this.#idle.toSorted(
      (a, b) => Number(a.rssBytes > KEPT_RSS_BYTES) - Number(b.rssBytes > KEPT_RSS_BYTES) || b.tasksDone - a.tasksDone,
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

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
