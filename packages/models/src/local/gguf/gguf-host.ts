/**
 * Keeps one GGUF file loaded while it is used: starts it with the first request, queues requests, and closes it when
 * idle.
 */
import type { Clock } from '../../remote/clock.ts';
import { RequestGate } from '../../remote/request-gate.ts';
import { estimatedTokenCounter } from '../../remote/estimated-token-counter.ts';
import type { AskMessage, LoadMessage, TokenRates } from './gguf-protocol.ts';
import { GgufProcess } from './gguf-process.ts';
import { tokensAtRates } from './token-rates.ts';

/** Time without a request after which the model is unloaded. */
const IDLE_MS = 10 * 60_000;
/** Margin on measured token rates, which come from a sample. */
const MARGIN = 1.15;

export interface GgufHostOptions {
  load: Omit<LoadMessage, 'type'>;
  clock: Clock;
  /** Called before the model allocates its memory. */
  onStart: () => void;
}

export class GgufHost {
  readonly #load: Omit<LoadMessage, 'type'>;
  readonly #onStart: () => void;
  readonly #gate: RequestGate;
  readonly #stopping = new AbortController();
  #process: GgufProcess | undefined;
  #rates: TokenRates | undefined;
  #idle: NodeJS.Timeout | undefined;
  #inUse = 0;

  constructor({ load, clock, onStart }: GgufHostOptions) {
    this.#load = load;
    this.#onStart = onStart;
    this.#gate = new RequestGate({ maxConcurrency: 1, requestsPerMinute: null }, clock);
  }

  get isLoaded(): boolean {
    return this.#process !== undefined && !this.#process.isOver;
  }

  /** Unloads the model unless a request runs or waits; returns whether it did. */
  release(): boolean {
    if (this.#inUse > 0) return false;
    this.#end();
    return true;
  }

  /** Token rates of the model's tokenizer, measured when it is loaded; before that, an upper estimate. */
  count(text: string): number {
    const rates = this.#rates;
    return rates === undefined ? estimatedTokenCounter.count(text) : Math.ceil(tokensAtRates(text, rates) * MARGIN);
  }

  /** Waits for its turn. Throws `ProviderError` or the signal's reason. */
  async *ask(request: Omit<AskMessage, 'type'>, caller: AbortSignal): ReturnType<GgufProcess['ask']> {
    const signal = AbortSignal.any([caller, this.#stopping.signal]);
    this.#inUse += 1;
    clearTimeout(this.#idle);
    try {
      const leave = await this.#gate.enter(signal);
      try {
        yield* (await this.#running(signal)).ask(request, signal);
      } finally {
        leave();
      }
    } finally {
      this.#inUse -= 1;
      if (this.#inUse === 0) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  close(): void {
    this.#stopping.abort(new Error('The service is stopping'));
    this.#end();
  }

  async #running(signal: AbortSignal): Promise<GgufProcess> {
    if (this.#process === undefined || this.#process.isOver) {
      this.#onStart();
      this.#process = await GgufProcess.start(this.#load, signal);
      this.#rates = this.#process.rates;
    }
    return this.#process;
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = undefined;
  }
}
