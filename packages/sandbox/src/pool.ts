/**
 * A pool of child processes for untrusted input. A child runs one task at a time. At the deadline of a task or an
 * abort, its child is killed and the next task goes to a spare child. Children are replaced after many tasks or when
 * their memory has grown (a WASM heap never shrinks); when there is no work, all but one are ended. A watchdog in each
 * child checks its memory and whether this process is alive.
 */
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { ContentError } from '@quire/blocks/content-error';
import { KilledFromOutside, SandboxChild } from './child-process.ts';
import { nodeFlags } from './node-flags.ts';
import { isOpenToOthers, makePoolDirectory } from './pool-directory.ts';
import type { TaskTable } from './protocol.ts';
import type { TaskFiles } from './staged-files.ts';
import { SandboxUnavailable, StartBackoff } from './start-backoff.ts';
import { LONG_TASK_MS, rankOf, TaskQueue, type TaskPriority } from './task-queue.ts';
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
  /** Called when children do not start. */
  onUnavailable?: (failure: SandboxUnavailable) => void;
}

export interface RunOptions {
  /** Aborts the task: its child is killed, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit from the start of the task, after which it fails with `timeout`. */
  timeoutMs: number;
  priority?: TaskPriority;
  /** Estimated duration. Long tasks leave one child to short ones, and short ones overtake them for a limited time. */
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
  /** True for the second run of a task whose first child was killed from outside. */
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

/** Maximum resident size of an idle child that is kept warm. */
const MAX_IDLE_RSS_BYTES = 200_000_000;

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
    if (this.#running > 0) return;
    this.#retirement = setTimeout(() => this.#retire(), this.#options.idleMs).unref();
  }

  /**
   * Keeps the child with the most tasks, unless it has grown large. After a pause, the first document usually comes by
   * itself, and a PDF of one page takes 20 times as long in a child that has read nothing. A fresh child takes 56 MB, a
   * warm one 95 to 125 MB.
   */
  #retire(): void {
    if (this.#running > 0) return;
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

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
