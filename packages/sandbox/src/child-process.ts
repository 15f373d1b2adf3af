/** One child of a pool as the parent sees it: it is started, runs one task at a time and can be killed. */
import { fork, type ChildProcess } from 'node:child_process';
import { constants as fileFlags } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { deserialize } from 'node:v8';
import { ContentError } from '@quire/blocks/content-error';
import { toError } from './failure.ts';
import { nodeFlags } from './node-flags.ts';
import { CHILD_SETTINGS, MEMORY_SIGNAL, RESULT_FILE, type ChildMessage, type RunMessage } from './protocol.ts';
import { stageTask, type StagedTask, type TaskFiles } from './staged-files.ts';
import { prepareDirectories } from './walls/detect-isolation.ts';
import type { Isolation, WalledChild } from './walls/isolation.ts';
import { FIRST_PROCESS_KILLED } from './walls/namespaces.ts';

export interface ChildOptions {
  /** The compiled entry file, which calls `serveTasks`. */
  entry: string;
  /** Maximum resident size, in bytes. */
  memoryBytes: number;
  /** The pool's directory; the child's own is made within it and removed when the child has ended. */
  poolDirectory: string;
  /** Number of the child within its pool. */
  number: number;
  isolation: Isolation;
}

/** Cause of a crash by a SIGKILL that this process did not send, for example by the kernel's OOM killer. */
export class KilledFromOutside extends Error {
  override readonly name = 'KilledFromOutside';
}

interface RunningTask {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  progress: (fraction: number) => void;
}

/** The only environment variables that a child inherits: no keys and no addresses of databases. */
const INHERITED_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TESSDATA_PREFIX', 'SystemRoot'];
const MAX_STDERR_LENGTH = 4096;
/** The program that sets up the walls reports a signal that ended the child by an exit code, as a shell does. */
const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** `died` resolves once, with the reason; `run` rejects with it if a task was running. */
export class SandboxChild {
  readonly died: Promise<Error>;
  /** Resolves to false if the child ended before it was ready. */
  readonly ready: Promise<boolean>;
  /** Resident memory after the last task, in bytes. */
  rssBytes = 0;
  tasksDone = 0;
  /** True after an unexpected error of a reader, whose engines may be in an undefined state. */
  tainted = false;
  readonly #process: ChildProcess;
  readonly #place: WalledChild;
  readonly #copiesInputs: boolean;
  #stderr = '';
  #task: RunningTask | undefined;
  #killedFor: Error | undefined;

  constructor(options: ChildOptions) {
    this.#place = prepareDirectories(options.poolDirectory, options.isolation, options.number);
    this.#copiesInputs = options.isolation.owner(this.#place) !== null;
    const { directory } = this.#place;
    const [program, ...programArgs] = [...options.isolation.prefix(this.#place), process.execPath];
    this.#process = fork(options.entry, [], {
      serialization: 'advanced',
      detached: true, // its own process group, so that the programs it starts end with it
      execPath: program,
      execArgv: [...programArgs, ...nodeFlags(options.memoryBytes)],
      env: childEnvironment(options, directory),
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_LENGTH);
    });
    const { promise, resolve: markReady } = withResolvers<boolean>();
    this.ready = promise;
    this.#process.on('message', (message: ChildMessage) => {
      if (message.type !== 'ready') {
        void this.#receive(message);
        return;
      }
      markReady(true);
      this.#hold(this.#task !== undefined);
    });
    this.died = new Promise((resolve) => {
      const ended = (reason: Error): void => {
        markReady(false);
        this.#finish((task) => task.reject(this.#killedFor ?? reason));
        this.#killGroup();
        void removeDirectory(directory).then(() => resolve(reason));
      };
      this.#process.on('error', ended);
      // A program that the child started may hold the channels open, so it is killed as well.
      this.#process.once('exit', () => this.#killGroup());
      // 'close' instead of 'exit': all of stderr has arrived.
      this.#process.once('close', (code, signal) => ended(this.#reason(code, signal)));
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get killed(): boolean {
    return this.#killedFor !== undefined;
  }

  /** True if the child was killed or has died; it gets no more tasks. */
  get ended(): boolean {
    return this.killed || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Runs a task. Call it for one task at a time, and only after `ready`. */
  async run(task: string, input: unknown, files: TaskFiles, progress: (fraction: number) => void): Promise<unknown> {
    this.#hold(true);
    const staged = await stageTask(input, files, this.#place, this.#copiesInputs);
    try {
      return await staged.collect(await this.#send(task, staged, progress));
    } finally {
      await staged.release();
    }
  }

  #send(task: string, staged: StagedTask, progress: (fraction: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#killedFor !== undefined) {
        reject(this.#killedFor);
        return;
      }
      this.#task = { resolve, reject, progress };
      const message: RunMessage = { type: 'run', task, input: staged.input };
      this.#process.send(message, (error) => {
        if (error !== null) this.kill(error);
      });
    });
  }

  /** Kills the child; a running task rejects with the reason. */
  kill(reason: Error): void {
    this.#killedFor ??= reason;
    this.#finish((task) => task.reject(reason));
    this.#hold(true);
    this.#killGroup();
  }

  async #receive(message: Exclude<ChildMessage, { type: 'ready' }>): Promise<void> {
    if (message.type === 'progress') {
      this.#task?.progress(message.fraction);
      return;
    }
    this.rssBytes = message.rssBytes;
    this.tasksDone += 1;
    if (message.type === 'failed') {
      this.tainted = message.failure.kind === 'unexpected';
      this.#finish((task) => task.reject(toError(message.failure)));
    } else if (message.type === 'done') {
      this.#finish((task) => task.resolve(message.result));
    } else {
      try {
        const result: unknown = deserialize(await takeResultFile(this.#place.directory));
        this.#finish((task) => task.resolve(result));
      } catch (error) {
        this.#finish((task) => task.reject(error instanceof Error ? error : new Error(String(error))));
      }
    }
  }

  #finish(settle: (task: RunningTask) => void): void {
    const task = this.#task;
    this.#task = undefined;
    this.#hold(false);
    if (task !== undefined) settle(task);
  }

  /** Keeps this process alive for a child that works or is about to die, but not for an idle one. */
  #hold(held: boolean): void {
    const { channel, stderr } = this.#process;
    const pipe = stderr instanceof Socket ? stderr : undefined;
    for (const handle of [this.#process, channel, pipe]) {
      if (held) handle?.ref();
      else handle?.unref();
    }
  }

  #killGroup(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
  }

  #reason(code: number | null, signal: string | null): Error {
    if (signal === MEMORY_SIGNAL || code === exitCodeOf(MEMORY_SIGNAL) || this.#stderr.includes('heap out of memory')) {
      return new ContentError('too_large', 'The file needs more memory than a reader may use');
    }
    const ending = `the process ended with ${signal ?? `code ${code}`}: ${this.#stderr.trim()}`;
    const wasKilled =
      signal === 'SIGKILL' || code === exitCodeOf('SIGKILL') || this.#stderr.includes(FIRST_PROCESS_KILLED);
    const cause = wasKilled ? new KilledFromOutside(ending) : new Error(ending);
    return new ContentError('parser_crashed', 'The reader crashed on this file', { cause });
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}

/** Reads and removes the file in which the child left a large result. A link that the child left is not followed. */
async function takeResultFile(directory: string): Promise<Buffer> {
  const name = path.join(directory, RESULT_FILE);
  const file = await open(name, fileFlags.O_RDONLY | (fileFlags.O_NOFOLLOW ?? 0) | (fileFlags.O_NONBLOCK ?? 0));
  try {
    return await file.readFile();
  } finally {
    await file.close();
    await rm(name);
  }
}

async function removeDirectory(directory: string): Promise<void> {
  // A directory that cannot be removed must not keep the pool from closing; the next start removes it.
  await rm(directory, { recursive: true, force: true }).catch(() => undefined);
}

function childEnvironment(options: ChildOptions, directory: string): NodeJS.ProcessEnv {
  const passed: NodeJS.ProcessEnv = {};
  for (const name of INHERITED_VARIABLES) if (process.env[name] !== undefined) passed[name] = process.env[name];
  return {
    ...passed,
    HOME: directory,
    TMPDIR: directory,
    // The pool already runs one process for each core.
    VIPS_CONCURRENCY: '1',
    OMP_THREAD_LIMIT: '1',
    UV_THREADPOOL_SIZE: '2',
    [CHILD_SETTINGS.memoryBytes]: String(options.memoryBytes),
    [CHILD_SETTINGS.directory]: directory,
  };
}
