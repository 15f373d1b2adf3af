/**
 * Errors of the client. Every failed call throws a `QuireError`; its subclass is the family, its `type` the exact
 * reason. An aborted call throws the reason of its `signal`, as `fetch` does.
 */

/** One fault of a request: its place, a message for people and a type for programs. */
export interface ErrorDetail {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

export interface ErrorFields {
  /** HTTP status; undefined if no answer arrived. */
  status?: number | undefined;
  /** Type of the first detail, such as `not_found`; `connection` and `timeout` if no answer arrived. */
  type: string;
  detail?: ErrorDetail[];
  requestId?: string | undefined;
  /** Seconds after which the request may be sent again, if the service said so. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

export class QuireError extends Error {
  override name = 'QuireError';
  readonly status: number | undefined;
  readonly type: string;
  readonly detail: ErrorDetail[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.type = fields.type;
    this.detail = fields.detail ?? [];
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
  }
}

/** 400, 413, 415, 422: the request or the file is not acceptable. `detail` names each fault with its place. */
export class InvalidRequestError extends QuireError {
  override name = 'InvalidRequestError';
}

/** 401: no key, or one that is unknown, revoked or expired. */
export class AuthenticationError extends QuireError {
  override name = 'AuthenticationError';
}

/** 403: the key lacks a permission. */
export class PermissionError extends QuireError {
  override name = 'PermissionError';
}

/** 404, 405: not there, or of another workspace. */
export class NotFoundError extends QuireError {
  override name = 'NotFoundError';
}

/** 409: the state forbids it (`conflict`, `deleted`, `in_use`). */
export class ConflictError extends QuireError {
  override name = 'ConflictError';
}

/** 429: too many requests, also after the retries. */
export class RateLimitError extends QuireError {
  override name = 'RateLimitError';
}

/** 5xx: the service failed or is not available, also after the retries. */
export class ServerError extends QuireError {
  override name = 'ServerError';
}

/** No answer arrived: the network, a name that does not resolve, or a connection that broke. */
export class ConnectionError extends QuireError {
  override name = 'ConnectionError';
}

/** `timeoutMs` has passed. */
export class TimeoutError extends QuireError {
  override name = 'TimeoutError';
}

/** A document, run or answer ended as `failed`. `type` is that of its `error`. */
export class FailedError<R> extends QuireError {
  override name = 'FailedError';
  /** The record in its final state. */
  readonly record: R;

  constructor(what: string, record: R, error: { type: string; message: string } | null) {
    super(`${what} failed: ${error?.message ?? 'no reason was given'}`, { type: error?.type ?? 'internal' });
    this.record = record;
  }
}

const FAMILIES: Record<number, typeof QuireError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** Returns the error of an answer that is no success. Reads its body. */
export async function errorOf(response: Response, what: string): Promise<QuireError> {
  const text = await response.text().catch(() => '');
  const detail = readDetail(text);
  const { status } = response;
  const reason = detail.map(({ loc, msg }) => (loc.length > 1 ? `${loc.join('.')}: ${msg}` : msg)).join('; ');
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const message = `${what}: ${status} ${reason || response.statusText}${requestId === undefined ? '' : ` (request ${requestId})`}`;
  const Family = FAMILIES[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  const type = detail[0]?.type ?? `http_${status}`;
  return new Family(message, { status, type, detail, requestId, retryAfter: retryAfterOf(response.headers) });
}

/** Returns the details, or none if the answer came from something else, such as a proxy. */
function readDetail(text: string): ErrorDetail[] {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return Array.isArray(detail) ? (detail as ErrorDetail[]) : [];
  } catch {
    return [];
  }
}

/** Returns `Retry-After`, seconds or a date, in seconds from now. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
