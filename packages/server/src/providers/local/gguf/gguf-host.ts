/** One GGUF file, kept loaded while it is used: started with the first request, asked in turn, closed when idle. */
import type { Clock } from '../../remote/clock.ts';
import { RequestGate } from '../../remote/request-gate.ts';
import { roughTokenCounter } from '../../remote/rough-token-counter.ts';
import type { AskMessage, LoadMessage, TokenRates } from './gguf-protocol.ts';
import { GgufProcess } from './gguf-process.ts';
import { tokensAtRates } from './token-rates.ts';

/** After so long without a request the memory is given back. */
const IDLE_MS = 10 * 60_000;
/** Measured on a sample, so other text may need somewhat more. */
const MARGIN = 1.15;

export class GgufHost {
  readonly #load: Omit<LoadMessage, 'type'>;
  readonly #gate: RequestGate;
  readonly #stopping = new AbortController();
  #process: GgufProcess | undefined;
  #rates: TokenRates | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(load: Omit<LoadMessage, 'type'>, clock: Clock) {
    this.#load = load;
    this.#gate = new RequestGate({ maxConcurrency: 1, requestsPerMinute: null }, clock);
  }

  /** By the model's own tokenizer as measured when it was loaded; before, a guess on the safe side. */
  count(text: string): number {
    const rates = this.#rates;
    return rates === undefined ? roughTokenCounter.count(text) : Math.ceil(tokensAtRates(text, rates) * MARGIN);
  }

  /** Waits for its turn. Throws `ProviderError`, or the signal's reason. */
  async *ask(request: Omit<AskMessage, 'type'>, caller: AbortSignal): ReturnType<GgufProcess['ask']> {
    const signal = AbortSignal.any([caller, this.#stopping.signal]);
    const leave = await this.#gate.enter(signal);
    clearTimeout(this.#idle);
    try {
      yield* (await this.#running(signal)).ask(request, signal);
    } finally {
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
      leave();
    }
  }

  close(): void {
    this.#stopping.abort(new Error('The service is stopping'));
    this.#end();
  }

  async #running(signal: AbortSignal): Promise<GgufProcess> {
    if (this.#process === undefined || this.#process.isOver) {
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
