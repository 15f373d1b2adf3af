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
  TimeoutError,
} from '@quire/client';
import { CommandError, EXIT, isUnreadable, type ExitCode } from './exit-code.ts';

export interface Explanation {
  message: string;
  next: string | undefined;
  requestId: string | undefined;
  exitCode: ExitCode;
}

export interface Situation {
  /** Command that lists what an id of the failed command may name. */
  lists?: string | undefined;
  isInterrupted?: boolean;
}

/** The first matching class decides. */
const FAMILIES: readonly [new (...args: never[]) => QuireError, ExitCode, string | undefined][] = [
  [AuthenticationError, EXIT.authentication, 'Sign in with `quire login`, or set QUIRE_KEY to a valid key.'],
  [PermissionError, EXIT.authentication, 'Use a key with this permission: `quire keys create`.'],
  [NotFoundError, EXIT.state, undefined],
  [ConflictError, EXIT.state, undefined],
  [RateLimitError, EXIT.failed, 'Wait a minute and run the command again.'],
  [ConnectionError, EXIT.failed, 'Check the address and that the service runs: `quire doctor`.'],
  [TimeoutError, EXIT.failed, 'Run the command again. If this repeats, check the service with `quire doctor`.'],
  [InvalidRequestError, EXIT.usage, undefined],
];

export function explain(error: unknown, situation: Situation = {}): Explanation {
  const unexplained = { next: undefined, requestId: undefined };
  if (situation.isInterrupted === true && !(error instanceof CommandError))
    return { ...unexplained, message: 'Interrupted.', exitCode: EXIT.interrupted };
  if (error instanceof CommandError)
    return { ...unexplained, message: error.message, next: error.next, exitCode: error.exitCode };
  if (isUnreadable(error)) return { ...unexplained, message: fileProblem(error), exitCode: EXIT.usage };
  if (!(error instanceof QuireError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...unexplained, message, exitCode: EXIT.failed };
  }
  if (error.type === 'workspace_required') {
    const next = 'Sign in with `quire login URL --workspace ID`, or set QUIRE_WORKSPACE.';
    return { ...unexplained, message: error.message, next, exitCode: EXIT.usage };
  }
  const [, exitCode = EXIT.failed, next] = FAMILIES.find(([family]) => error instanceof family) ?? [];
  const { requestId } = error;
  if (isUnknownId(error)) {
    const { lists = 'quire collections` or `quire ls' } = situation;
    const message =
      error.detail.length === 0 ? error.message : 'there is nothing with this id, or the key may not see it';
    return { message, next: `List what there is with \`${lists}\`.`, requestId, exitCode };
  }
  return { message: reasonOf(error), next, requestId, exitCode };
}

/** Whether an id names nothing; other answers of status 404 say what is missing. */
const isUnknownId = (error: QuireError): boolean =>
  error instanceof NotFoundError && error.detail.every(({ msg }) => msg === 'Not found');

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  ENOSPC: 'no space left',
};

/** Returns why a local file cannot be read or written. */
export function fileProblem(error: NodeJS.ErrnoException & { dest?: string }): string {
  const { path = '', dest = path, code = '', message } = error;
  // An export has this ending until it is complete.
  return `cannot open ${dest.replace(/\.\d+\.part$/u, '')}: ${REASONS[code] ?? message}`;
}

/** Returns the faults of the request without method, path and request id; the message if there are none. */
export function reasonOf(error: QuireError): string {
  if (error.detail.length === 0) return error.message;
  return error.detail
    .map(({ loc, msg }) => {
      const place = loc.slice(1).join('.');
      // The file of an upload is named already.
      return place === '' || place === 'file' ? msg : `${place}: ${msg}`;
    })
    .join('; ');
}
