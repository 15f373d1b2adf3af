/** Turns an error into the lines and the exit code that the user sees: what, why, next step, request id. */
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuireError,
  RateLimitError,
} from '@quire/client';
import { CommandError, EXIT, isUnreadable, type ExitCode } from './exit-code.ts';

export interface Explanation {
  message: string;
  next: string | undefined;
  requestId: string | undefined;
  exitCode: ExitCode;
}

/** The first matching class decides. */
const FAMILIES: readonly [new (...args: never[]) => QuireError, ExitCode, string | undefined][] = [
  [AuthenticationError, EXIT.authentication, 'Sign in with `quire login`, or set QUIRE_KEY to a valid key.'],
  [PermissionError, EXIT.authentication, 'Use a key with this permission: `quire keys create`.'],
  [NotFoundError, EXIT.state, 'List what there is with `quire collections` or `quire ls`.'],
  [ConflictError, EXIT.state, undefined],
  [RateLimitError, EXIT.failed, 'Wait a minute and run the command again.'],
  [ConnectionError, EXIT.failed, 'Check the address and that the service runs: `quire doctor`.'],
  [InvalidRequestError, EXIT.usage, undefined],
];

export function explain(error: unknown): Explanation {
  if (error instanceof CommandError)
    return { message: error.message, next: error.next, requestId: undefined, exitCode: error.exitCode };
  if (!(error instanceof QuireError)) {
    const message = error instanceof Error ? error.message : String(error);
    const exitCode = isUnreadable(error) ? EXIT.usage : EXIT.failed;
    return { message, next: undefined, requestId: undefined, exitCode };
  }
  if (error.type === 'workspace_required') {
    const next = 'Sign in with `quire login URL --workspace ID`, or set QUIRE_WORKSPACE.';
    return { message: error.message, next, requestId: undefined, exitCode: EXIT.usage };
  }
  const [, exitCode = EXIT.failed, next] = FAMILIES.find(([family]) => error instanceof family) ?? [];
  return { message: reasonOf(error), next, requestId: error.requestId, exitCode };
}

/** Returns the faults of the request without method, path and request id; the message if there are none. */
export function reasonOf(error: QuireError): string {
  if (error.detail.length === 0) return error.message;
  return error.detail.map(({ loc, msg }) => (loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg)).join('; ');
}
