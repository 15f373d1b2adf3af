/** One child of the pool, as seen by the parent: started, given one task at a time, ended by force. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { deserialize } from 'node:v8';
import { ContentError } from '@quire/blocks/content-error';
import { compiledFile } from '@quire/shared/compiled-file';
import { toError } from './failure.ts';
import { CHILD_SETTINGS, MEMORY_SIGNAL, type ChildMessage, type RunMessage } from './protocol.ts';

export interface ChildOptions {
  /** The compiled entry file, which calls `serveTasks`. */
  entry: string;
  memoryBytes: number;
  /** The child's own directory; made here, removed when the child has ended. */
  directory: string;
}

/** The cause of a crash by a SIGKILL that this process did not send, as the kernel's OOM killer does. */
export class KilledFromOutside extends Error {
  override readonly name = 'KilledFromOutside';
}

interface RunningTask {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  progress: (fraction: number) => void;
}

/** Nothing else of the parent's environment reaches a child: no key, no address of a database. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TESSDATA_PREFIX', 'SystemRoot'];
const STDERR_KEPT = 4096;
/** A tree is young until it is done: in the 1 MB that V8 begins with it is copied again and again. */
const YOUNG_HEAP = '--min-semi-space-size=8';
/**
 * What V8 compiles again, better, has to have run three times as long as by default, WebAssembly sixteen times: most
 * children end, or wait again, before the rest has paid off. Measured with the V8 of Node 20 only; others count otherwise.
 */
const TIERING = process.versions.v8.startsWith('11.')
  ? ['--interrupt-budget=200000', '--wasm-tiering-budget=28800000']
  : [];

/** `died` resolves once with the reason; `run` rejects with it when a task was in the child. */
export class SandboxChild {
  readonly died: Promise<Error>;
  /** False when it ended before. */
  readonly ready: Promise<boolean>;
  /** Memory after the last task. */
  rssBytes = 0;
  tasksDone = 0;
  /** Set when a reader failed unforeseen: its engines' state is not to be trusted any more. */
  tainted = false;
  readonly #process: ChildProcess;
  #stderr = '';
  #task: RunningTask | undefined;
  #killedFor: Error | undefined;

  constructor(options: ChildOptions) {
    mkdirSync(options.directory, { recursive: true });
    this.#process = fork(options.entry, [], {
      serialization: 'advanced',
      detached: true, // its own process group, so that the programs it starts end with it
      execArgv: [`--max-old-space-size=${heapMegabytes(options)}`, YOUNG_HEAP, ...TIERING, '--import', noNetwork()],
      env: childEnvironment(options),
      cwd: options.directory,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
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
        void removeDirectory(options.directory).then(() => resolve(reason));
      };
      this.#process.on('error', ended);
      // A program that it started may hold the channels open: it goes with it.
      this.#process.once('exit', () => this.#killGroup());
      // 'close' and not 'exit': the last words on stderr have arrived.
      this.#process.once('close', (code, signal) => ended(this.#reason(code, signal)));
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get killed(): boolean {
    return this.#killedFor !== undefined;
  }

  /** Killed or dead: not to be given another task. */
  get ended(): boolean {
    return this.killed || this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Only one at a time, and only after `ready`. */
  run(task: string, input: unknown, progress: (fraction: number) => void): Promise<unknown> {
    this.#hold(true);
    return new Promise((resolve, reject) => {
      this.#task = { resolve, reject, progress };
      const message: RunMessage = { type: 'run', task, input };
      this.#process.send(message, (error) => {
        if (error !== null) this.kill(error);
      });
    });
  }

  /** Ends it at once; a task in it rejects with the reason. */
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
        const result: unknown = deserialize(await readFile(message.path));
        await rm(message.path);
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

  /** Whether this process stays alive for the child: not for an idle one, but for one at work or about to die. */
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
    if (signal === MEMORY_SIGNAL || this.#stderr.includes('heap out of memory')) {
      return new ContentError('too_large', 'The file needs more memory than a reader may use');
    }
    const ending = `the process ended with ${signal ?? `code ${code}`}: ${this.#stderr.trim()}`;
    const cause = signal === 'SIGKILL' ? new KilledFromOutside(ending) : new Error(ending);
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

async function removeDirectory(directory: string): Promise<void> {
  // What cannot be removed is in the system's folder for temporary files, and must not keep the pool from closing.
  await rm(directory, { recursive: true, force: true }).catch(() => undefined);
}

const noNetwork = (): string => pathToFileURL(compiledFile(import.meta.url, 'no-network.js')).href;

/** V8 counts its own heap only; the watchdog's cap on everything comes first. */
const heapMegabytes = (options: ChildOptions): number => Math.ceil(options.memoryBytes / 1024 ** 2);

function childEnvironment(options: ChildOptions): NodeJS.ProcessEnv {
  const passed: NodeJS.ProcessEnv = {};
  for (const name of PASSED_ON) if (process.env[name] !== undefined) passed[name] = process.env[name];
  return {
    ...passed,
    HOME: options.directory,
    TMPDIR: options.directory,
    // The pool has a process for each core already.
    VIPS_CONCURRENCY: '1',
    OMP_THREAD_LIMIT: '1',
    UV_THREADPOOL_SIZE: '2',
    [CHILD_SETTINGS.memoryBytes]: String(options.memoryBytes),
    [CHILD_SETTINGS.directory]: options.directory,
  };
}
