/** Distinguishes errors of a lost or refused database connection from errors of a statement. */
import { DatabaseError } from 'pg';

/** Connection exceptions (class 08), shutdown, crash and start of the server, and one without a free connection. */
const SERVER_CODES = /^(08...|57P0[123]|53300)$/;
/** `pg` has no codes for its own errors. */
const CLIENT_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'timeout exceeded when trying to connect',
]);

/** Error codes of the sockets of `pg`. HTTP clients wrap these codes in their own errors. */
const SOCKET_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT']);
const SOCKET_CALLS: ReadonlySet<string> = new Set(['connect', 'read', 'write']);

/** Whether the statement failed because its connection broke or could not be made, so that a repetition may succeed. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseError) return SERVER_CODES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if (CLIENT_MESSAGES.has(error.message)) return true;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return SOCKET_CODES.has(code) && SOCKET_CALLS.has(syscall) && (code !== 'ENOENT' || syscall === 'connect');
}
