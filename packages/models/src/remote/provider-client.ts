/**
 * Calls a provider with retries: 408, 429, 5xx, broken connections and timeouts are retried after growing pauses, or
 * after the time that the provider requests. All failures are `ProviderError`.
 */
import type { OutboundClient } from '@quire/outbound/outbound-client';
import type { ProviderCallRecord } from '../provider-observer.ts';
import type { Clock } from './clock.ts';
import { awaitNextAttempt, holdGate } from './retry.ts';
import {
  callOutcome,
  isWebPage,
  networkError,
  ProviderError,
  readText,
  statusError,
  webPageError,
} from './provider-error.ts';
import type { RequestGate } from './request-gate.ts';

export { ProviderError } from './provider-error.ts';

export interface ProviderClientDeps {
  outbound: Pick<OutboundClient, 'request'>;
  gate: RequestGate;
  clock: Clock;
  /** Time limit of one attempt, from the call to the last byte. */
  timeoutMs: number;
  /** Maximum number of attempts; default in `retry.ts`. */
  attempts?: number | undefined;
  /** Called for every attempt. */
  observe?: ((attempt: Omit<ProviderCallRecord, 'provider' | 'operation'>) => void) | undefined;
}

export interface ProviderCall {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  /** Removed from all messages of the provider. */
  apiKey: string | undefined;
  /** True for calls with a waiting user; they have priority. */
  urgent?: boolean | undefined;
  /** Return the numbers of tokens that a response reports, for metrics. */
  inputTokens?: ((answer: unknown) => number) | undefined;
  outputTokens?: ((answer: unknown) => number) | undefined;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export class ProviderClient {
  readonly #deps: ProviderClientDeps;

  constructor(deps: ProviderClientDeps) {
    this.#deps = deps;
  }

  /** Returns the JSON response to a POST. Rejects with `ProviderError` or the signal's reason. */
  async postJson(call: ProviderCall): Promise<unknown> {
    const { clock, gate } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await gate.run(() => this.#observed(call), call.signal, call.urgent);
      } catch (error) {
        call.signal.throwIfAborted();
        holdGate(gate, error);
        await awaitNextAttempt(error, attempt, clock, call.signal, this.#deps.attempts);
      }
    }
  }

  async #observed(call: ProviderCall): Promise<unknown> {
    const { clock, observe } = this.#deps;
    const start = clock.now();
    const report = (outcome: ProviderCallRecord['outcome'], answer?: unknown): void =>
      observe?.({
        outcome,
        seconds: (clock.now() - start) / 1000,
        inputTokens: answer === undefined ? 0 : (call.inputTokens?.(answer) ?? 0),
        outputTokens: answer === undefined ? 0 : (call.outputTokens?.(answer) ?? 0),
      });
    try {
      const answer = await this.#attempt(call);
      report('ok', answer);
      return answer;
    } catch (error) {
      report(call.signal.aborted ? 'cancelled' : callOutcome(error));
      throw error;
    }
  }

  async #attempt(call: ProviderCall): Promise<unknown> {
    try {
      const response = await this.#deps.outbound.request({
        method: 'POST',
        url: call.url,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...call.headers },
        body: JSON.stringify(call.body),
        signal: call.signal,
        timeoutMs: this.#deps.timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        keepAlive: true,
      });
      if (response.status !== 200) throw await statusError(response, call.apiKey, this.#deps.clock.now());
      if (isWebPage(response)) throw webPageError();
      return parseAnswer(await readText(response, MAX_ANSWER_BYTES));
    } catch (error) {
      throw networkError(error);
    }
  }
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(200, 'The provider answered something that is not JSON');
  }
}
