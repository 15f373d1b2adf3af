/**
 * Failures of calls to providers. Messages contain the provider's status and, for a 4xx, its message, but never the
 * key.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ProviderCallRecord } from '../provider-observer.ts';
import type { OutboundResponse } from '@quire/outbound/outbound-client';
import { OutboundError } from '@quire/outbound/outbound-error';

/** A repetition of the call may succeed; `afterMs` if the provider named a time. */
export interface Retry {
  afterMs: number | null;
}

/** The provider failed or refused. `status` is the HTTP status; null without a response. */
export class ProviderError extends ContentError {
  readonly status: number | null;
  readonly retry: Retry | null;

  constructor(status: number | null, message: string, retry: Retry | null = null) {
    super('provider_error', message);
    this.status = status;
    this.retry = retry;
  }
}

const MAX_ERROR_BYTES = 64 * 1024;
const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
const REASONS: Record<number, string> = {
  401: 'it does not accept the key',
  403: 'the key may not do this',
  429: 'too many requests, or the quota is used up',
};

/** Returns the outcome that metrics count for a failed call. */
export function callOutcome(error: unknown): ProviderCallRecord['outcome'] {
  if (!(error instanceof ProviderError) || error.status === null) return 'unreachable';
  return error.status === 429 ? 'rate_limited' : 'failed';
}

export const isRetriedStatus = (status: number): boolean => RETRIED.has(status);

/**
 * Returns the error for a response with another status than 200, with the message in its body. `now`: time of the
 * clock.
 */
export async function statusError(
  response: OutboundResponse,
  apiKey: string | undefined,
  now: number,
): Promise<ProviderError> {
  const { status } = response;
  const text = await readText(response, MAX_ERROR_BYTES);
  // The message of a 4xx helps the user; for key errors (401, 403) it could repeat the key.
  const words = providersWords(text, apiKey);
  const tooLong = words !== undefined && TOO_LONG.test(words);
  const said = words ?? (isWebPage(response) ? 'the address answered with a web page' : undefined);
  const reason = REASONS[status] ?? (tooLong || (status >= 400 && status < 500) ? said : undefined);
  return new ProviderError(
    status,
    `The provider answered ${status}${reason === undefined ? '' : `: ${reason}`}`,
    isRetriedStatus(status) && !tooLong ? { afterMs: retryAfter(response.headers['retry-after'], now) } : null,
  );
}

/** Messages of llama.cpp, vLLM, TEI and OpenAI; llama.cpp sends a 500, for which a retry is useless. */
const TOO_LONG =
  /too (?:large to process|long|many tokens)|(?:maximum|max) context length|must have less than \d+ tokens/i;

/** Returns whether the input was too long for the model, according to the provider's message. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof ProviderError && error.status !== null && TOO_LONG.test(error.message);

/** Converts network failures; returns any other error unchanged. */
export function networkError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const isPassing = error.kind === 'unreachable' || error.kind === 'timeout';
  return new ProviderError(
    null,
    `The provider could not be called: ${error.message}`,
    isPassing ? { afterMs: null } : null,
  );
}

/** Returns the error for a connection that failed after the answer had begun. */
export function streamFailure(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (error.kind !== 'unreachable') return networkError(error);
  return new ProviderError(null, 'The provider ended the stream before its answer was complete', { afterMs: null });
}

/** Whether the response is a page for browsers, as from a proxy, a login or a wrong address. */
export const isWebPage = ({ headers }: OutboundResponse): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(headers['content-type'] ?? '');

export const webPageError = (): ProviderError =>
  new ProviderError(200, 'The address answered with a web page instead of the API: check baseUrl');

/** Reads at most `maxBytes`; does not wait for the rest. */
export async function readText(response: OutboundResponse, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response.body) {
    parts.push(part);
    size += part.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

export const withoutKey = (text: string, apiKey: string | undefined): string =>
  apiKey === undefined ? text : text.replaceAll(apiKey, '••••');

/** Parses seconds or a date (RFC 9110 10.2.3). */
function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function providersWords(text: string, apiKey: string | undefined): string | undefined {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.){1,300})/.exec(text)?.[1];
  return message === undefined ? undefined : withoutKey(message, apiKey);
}
