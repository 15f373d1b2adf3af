/** The process of a GGUF model as the service sees it: started with the model, then given one request at a time. */
import { fork, type ChildProcess } from 'node:child_process';
import { compiledFile } from '@quire/shared/compiled-file';
import { ProviderError } from '../../remote/provider-error.ts';
import type { AskMessage, FromChild, LoadMessage, TokenRates, ToChild } from './gguf-protocol.ts';

type Answer = Extract<FromChild, { type: 'part' | 'end' }>;

/** The only environment variables that the process inherits: no keys and no addresses of databases. */
const INHERITED_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot'];
/** Time limit of loading, for a large file on a slow disk. */
const LOAD_MS = 300_000;
/** Time after which a process that does not stop is killed; a stop waits for the current token. */
const STOP_MS = 10_000;

export class GgufProcess {
  readonly #process: ChildProcess;
  readonly #messages: FromChild[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;
  /** Size of the created context, in tokens. */
  contextTokens = 0;
  rates: TokenRates = { dense: 1, other: 1 };

  private constructor() {
    const passed = INHERITED_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    this.#process = fork(compiledFile(import.meta.url, 'gguf-child.js'), [], {
      execArgv: [],
      env: Object.fromEntries(passed),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const over = (): void => {
      this.#isOver = true;
      this.#wake();
    };
    this.#process.once('exit', over).once('error', over);
    this.#process.on('message', (message: FromChild) => {
      this.#messages.push(message);
      this.#wake();
    });
  }

  /** Rejects with `ProviderError` if the model cannot be loaded. */
  static async start(load: Omit<LoadMessage, 'type'>, signal: AbortSignal): Promise<GgufProcess> {
    const started = new GgufProcess();
    try {
      started.#tell({ type: 'load', ...load });
      const message = await started.#next(AbortSignal.any([signal, AbortSignal.timeout(LOAD_MS)]));
      if (message.type !== 'loaded') throw failed(message);
      started.contextTokens = message.contextTokens;
      started.rates = message.rates;
      return started;
    } catch (error) {
      started.kill();
      signal.throwIfAborted();
      throw error instanceof ProviderError ? error : new ProviderError(null, 'The local model did not load in time');
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs one request at a time. If the iteration is left early, the model is stopped before this resolves. */
  async *ask(request: Omit<AskMessage, 'type'>, signal: AbortSignal): AsyncIterable<Answer> {
    signal.throwIfAborted();
    let hasEnded = false;
    try {
      this.#tell({ type: 'ask', ...request });
      while (!hasEnded) {
        const message = await this.#next(signal);
        hasEnded = message.type !== 'part';
        if (message.type !== 'part' && message.type !== 'end') throw failed(message);
        yield message;
      }
    } finally {
      if (!hasEnded) await this.#stop();
    }
  }

  kill(): void {
    this.#isOver = true;
    this.#process.kill('SIGKILL');
  }

  #tell(message: ToChild): void {
    if (!this.#isOver && this.#process.connected) this.#process.send(message);
  }

  async #stop(): Promise<void> {
    this.#tell({ type: 'stop' });
    try {
      const timeout = AbortSignal.timeout(STOP_MS);
      while ((await this.#next(timeout)).type === 'part');
    } catch {
      this.kill();
    }
  }

  async #next(signal: AbortSignal): Promise<FromChild> {
    while (this.#messages.length === 0) {
      signal.throwIfAborted();
      if (this.#isOver) {
        throw new ProviderError(null, `The local model’s process ended (${this.#process.signalCode ?? 'exit'})`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = () => {
          signal.removeEventListener('abort', this.#wake);
          resolve();
        };
        signal.addEventListener('abort', this.#wake);
      });
    }
    signal.throwIfAborted();
    const message = this.#messages.shift();
    if (message === undefined) throw new Error('there is a message');
    return message;
  }
}

/** The message is the runtime's, about the model or the length of the conversation. */
const failed = (message: FromChild): ProviderError =>
  new ProviderError(null, `The local model failed: ${message.type === 'failed' ? message.message : message.type}`);
