/**
 * Calls to a provider, patient with its troubles: 408, 429 and 5xx, broken connections and timeouts are tried again with
 * growing pauses, or after the time it asks for. Whatever else goes wrong is a `ProviderError`, whose message has the
 * provider's status and never the key.
 */
import { ContentError } from '../../errors.ts';
import { OutboundError, type OutboundClient, type OutboundResponse } from '../../outbound/outbound-client.ts';
import type { Clock } from './clock.ts';
import type { RequestGate } from './request-gate.ts';

export interface ProviderClientDeps {
  outbound: Pick<OutboundClient, 'request'>;
  gate: RequestGate;
  clock: Clock;
  /** Of one attempt, from the call to the last byte. */
  timeoutMs: number;
}

export interface ProviderCall {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
  /** Cut out of whatever the provider says. */
  apiKey: string | undefined;
}

/** The provider failed, or refused. `status` is its HTTP status; null when there was no answer. */
export class ProviderError extends ContentError {
  readonly status: number | null;

  constructor(status: number | null, message: string) {
    super('provider_error', message);
    this.status = status;
  }
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
/** A provider that asks for more is over its quota for the day, say: better to fail than to hold a worker. */
const LONGEST_PAUSE_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

/** An attempt that failed and may be made again, after the time that the provider named. */
interface Setback {
  error: ProviderError;
  retryAfterMs: number | null;
}

export class ProviderClient {
  readonly #deps: ProviderClientDeps;

  constructor(deps: ProviderClientDeps) {
    this.#deps = deps;
  }

  /** The JSON that the provider answers to a POST. Rejects with `ProviderError`, or the signal's reason. */
  async postJson(call: ProviderCall): Promise<unknown> {
    const { clock, gate } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      const result = await gate.run(() => this.#attempt(call), call.signal);
      if ('value' in result) return result.value;
      const pauseMs = result.retryAfterMs ?? backoff(attempt, clock.random());
      if (attempt >= ATTEMPTS || pauseMs > LONGEST_PAUSE_MS) throw result.error;
      await clock.pause(pauseMs, call.signal);
      call.signal.throwIfAborted();
    }
  }

  async #attempt(call: ProviderCall): Promise<{ value: unknown } | Setback> {
    try {
      const response = await this.#deps.outbound.request({
        method: 'POST',
        url: call.url,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...call.headers },
        body: JSON.stringify(call.body),
        signal: call.signal,
        timeoutMs: this.#deps.timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      });
      if (response.status === 200) return { value: parseAnswer(await readText(response, MAX_ANSWER_BYTES)) };
      const error = statusError(response.status, await readText(response, MAX_ERROR_BYTES), call.apiKey);
      if (!RETRIED.has(response.status)) throw error;
      return { error, retryAfterMs: retryAfter(response.headers['retry-after'], this.#deps.clock.now()) };
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      const failure = new ProviderError(null, `The provider could not be called: ${error.message}`);
      if (error.kind !== 'unreachable' && error.kind !== 'timeout') throw failure;
      return { error: failure, retryAfterMs: null };
    }
  }
}

/** 0.5, 1, 2, 4 s; up to half of it is left to chance, so that many callers do not come back at once. */
const backoff = (attempt: number, random: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 - random / 2);

/** Seconds, or a date (RFC 9110 10.2.3). */
function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** At most so many bytes; the rest is not waited for. */
async function readText(response: OutboundResponse, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response.body) {
    parts.push(part);
    size += part.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(200, 'The provider answered something that is not JSON');
  }
}

const REASONS: Record<number, string> = {
  401: 'it does not accept the key',
  403: 'the key may not do this',
  429: 'too many requests, or the quota is used up',
};

/** What a 4xx says about the request helps; about keys (401, 403) the provider's words could repeat one. */
function statusError(status: number, text: string, apiKey: string | undefined): ProviderError {
  const said = status >= 400 && status < 500 ? providersWords(text, apiKey) : undefined;
  const reason = REASONS[status] ?? said;
  return new ProviderError(status, `The provider answered ${status}${reason === undefined ? '' : `: ${reason}`}`);
}

function providersWords(text: string, apiKey: string | undefined): string | undefined {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.){1,300})/.exec(text)?.[1];
  if (message === undefined) return undefined;
  return apiKey === undefined ? message : message.replaceAll(apiKey, '••••');
}
