/**
 * The error types. An `ApiError` is the answer to a client: one shape for every failure (CONTRACT section 1).
 */

/** Maximum number of details in one answer. */
export const MAX_DETAILS = 100;

export type ErrorLocation = readonly (string | number)[];

export interface ErrorDetail {
  loc: ErrorLocation;
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** A failure with the status and the details of its answer. Details must never hold a secret. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, details: readonly ErrorDetail[], headers: Readonly<Record<string, string>> = {}) {
    super(details.map((detail) => detail.msg).join('; '));
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

interface DetailOptions {
  loc?: ErrorLocation;
  ctx?: Record<string, unknown>;
  input?: unknown;
}

/** An `ApiError` with a single detail; `loc` defaults to `[]` (no input is at fault). */
export function apiError(status: number, type: string, msg: string, options: DetailOptions = {}): ApiError {
  const detail: ErrorDetail = { loc: options.loc ?? [], msg, type };
  if (options.input !== undefined) detail.input = options.input;
  if (options.ctx !== undefined) detail.ctx = options.ctx;
  return new ApiError(status, [detail]);
}

export const badRequest = (msg: string, options?: DetailOptions): ApiError =>
  apiError(400, 'bad_request', msg, options);
export const forbidden = (msg = 'This key lacks the permission for this call'): ApiError =>
  apiError(403, 'forbidden', msg);
export const notFound = (): ApiError => apiError(404, 'not_found', 'Not found');
export const conflict = (msg: string, ctx?: Record<string, unknown>): ApiError =>
  apiError(409, 'conflict', msg, ctx ? { ctx } : {});
export const deleted = (msg: string, ctx?: Record<string, unknown>): ApiError =>
  apiError(409, 'deleted', msg, ctx ? { ctx } : {});
export const valueError = (loc: ErrorLocation, error: string, input?: unknown): ApiError =>
  apiError(422, 'value_error', `Value error, ${error}`, {
    loc,
    ctx: { error },
    ...(input === undefined ? {} : { input }),
  });

/**
 * Returns the results of both checks. If checks refuse the input (422), throws one error with all problems in order.
 */
export async function checkBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [one, two] = await Promise.allSettled([first, second]);
  if (one.status === 'fulfilled' && two.status === 'fulfilled') return [one.value, two.value];
  const reasons = [one, two].flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const refusals = reasons.filter((reason) => reason instanceof ApiError && reason.status === 422) as ApiError[];
  if (refusals.length < reasons.length) throw reasons.find((reason) => !refusals.some((each) => each === reason));
  throw new ApiError(
    422,
    refusals.flatMap((refusal) => refusal.details),
  );
}
