/** Makes one delivery attempt: a signed POST through the guarded outbound client. */
import type { OutboundClient, OutboundResponse } from '@quire/outbound/outbound-client';
import { OutboundError } from '@quire/outbound/outbound-error';
import { signatureHeaders } from './signature.ts';

/** Time limit, in ms, from the start of the connection to the status and the stored part of the body. */
const TIMEOUT_MS = 15_000;
const KEPT_BODY_BYTES = 2048;
/** Maximum number of body bytes read so that the connection can be reused; a longer body closes it. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

export interface Message {
  /** Id of the message, identical for every attempt of a delivery. */
  id: string;
  url: string;
  body: string;
  /** Secrets that sign, the newest first. */
  secrets: readonly string[];
}

export interface AttemptResult {
  at: Date;
  durationMs: number;
  /** Status code; null without a response. */
  statusCode: number | null;
  /** Reason of the failure; null for a 2xx. */
  error: string | null;
  /** Beginning of the response body, at most 2 kB. */
  responseBody: string | null;
  /** Delay from `Retry-After`, at most a day. */
  retryAfterMs: number | null;
  /** Whether the receiver did not respond in time; further deliveries to its host are then limited. */
  silent: boolean;
}

export interface SenderDeps {
  outbound: OutboundClient;
  now: () => number;
  timeoutMs?: number;
}

export class WebhookSender {
  readonly #deps: SenderDeps;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with the result, also of a failure; rejects (`OutboundError`, `cancelled`) only if the signal is aborted.
   */
  async send(message: Message, signal: AbortSignal): Promise<AttemptResult> {
    const startedAt = this.#deps.now();
    const timestamp = Math.floor(startedAt / 1000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Quire-Webhooks/1',
      ...signatureHeaders(message.id, timestamp, message.body, message.secrets),
    };
    const outcome = (rest: Omit<AttemptResult, 'at' | 'durationMs'>): AttemptResult => ({
      at: new Date(startedAt),
      durationMs: this.#deps.now() - startedAt,
      ...rest,
    });
    try {
      const response = await this.#deps.outbound.request({
        method: 'POST',
        url: message.url,
        headers,
        body: message.body,
        signal,
        timeoutMs: this.#deps.timeoutMs ?? TIMEOUT_MS,
        maxBytes: MAX_BODY_BYTES,
        keepAlive: true,
      });
      const { status: statusCode } = response;
      const responseBody = await readStart(response);
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], this.#deps.now());
      return outcome({ statusCode, error: reasonFor(statusCode), responseBody, retryAfterMs, silent: false });
    } catch (error) {
      if (!(error instanceof OutboundError) || error.kind === 'cancelled') throw error;
      const rest = { statusCode: null, responseBody: null, retryAfterMs: null, silent: true };
      return outcome({ error: error.message, ...rest });
    }
  }
}

function reasonFor(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400;
  return `The receiver answered ${status}${redirect ? ': redirects are not followed' : ''}`;
}

/** Reads the beginning of the body. An interrupted body is not a failure, since the status decides. */
async function readStart(response: OutboundResponse): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response.body) {
      if (size < KEPT_BODY_BYTES) parts.push(part.subarray(0, KEPT_BODY_BYTES - size));
      size += part.length;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  // PostgreSQL stores no NUL; a character that is split at the cut is dropped.
  const text = new TextDecoder().decode(Buffer.concat(parts), { stream: size > KEPT_BODY_BYTES });
  return text.replaceAll('\0', '\uFFFD');
}

/** Parses seconds or an HTTP date (RFC 9110, 10.2.3) into ms from now; null if the value is absent or invalid. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const seconds = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : (Date.parse(value) - nowMs) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.round(seconds * 1000)));
}
