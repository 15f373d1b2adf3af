/** One attempt at a delivery: a signed POST through the guarded client, and what came back. */
import { OutboundError, type OutboundClient, type OutboundResponse } from '@quire/outbound/outbound-client';
import { signatureHeaders } from './signature.ts';

/** From the start of the connection to the answer's status; what is kept of the body may come within it too. */
const TIMEOUT_MS = 15_000;
const KEPT_BODY_BYTES = 2048;
/** Read so far, so that the connection can be used again; what says more is cut off. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

export interface Message {
  /** The same for every attempt at telling of one event. */
  id: string;
  url: string;
  body: string;
  /** The newest first; each of them signs. */
  secrets: readonly string[];
}

export interface AttemptResult {
  at: Date;
  durationMs: number;
  /** Null when there was no answer. */
  statusCode: number | null;
  /** Why it failed; null for a 2xx. */
  error: string | null;
  /** At most 2 kB. */
  responseBody: string | null;
  /** What the receiver has asked for, at most a day. */
  retryAfterMs: number | null;
  /** The receiver gives no answer, or none in time: it is to be spared. */
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

  /** Resolves with the result, whatever it is; rejects (`OutboundError`, `cancelled`) only when the signal is aborted. */
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

/** The status has said all that counts: a body that breaks off is kept as far as it came. */
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
  // PostgreSQL stores no NUL; a character that the cut has split is left out.
  const text = new TextDecoder().decode(Buffer.concat(parts), { stream: size > KEPT_BODY_BYTES });
  return text.replaceAll('\0', '\uFFFD');
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), in milliseconds from now; null when there is none to be understood. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const seconds = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : (Date.parse(value) - nowMs) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.round(seconds * 1000)));
}
