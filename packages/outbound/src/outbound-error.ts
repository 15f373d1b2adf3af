/** `refused`: by the address rules; the other kinds are failures of the network. The message names only the host. */
export type OutboundFailure = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'cancelled';

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundFailure;

  constructor(kind: OutboundFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Returns the error of a call that `signal` or the time limit may have ended. */
export function failure(error: unknown, signal: AbortSignal, limit: AbortSignal, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return new OutboundError('cancelled', `The call to ${host} was cancelled`);
  if (limit.aborted) return new OutboundError('timeout', `${host} did not answer in time`);
  const code = (error as NodeJS.ErrnoException).code;
  return new OutboundError('unreachable', `${host} cannot be reached${code === undefined ? '' : ` (${code})`}`);
}
