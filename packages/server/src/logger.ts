/**
 * Logs JSON lines with pino. Lines during a request or a job carry its ids (`withLogContext`; brief requests have only
 * one line), and fields that may hold a secret are redacted, up to three levels deep.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LogContext {
  requestId?: string;
  workspaceId?: string;
  jobId?: string;
}

/** Parts of the service, each with its own logger. */
export type Subsystem =
  | 'http'
  | 'database'
  | 'queue'
  | 'worker'
  | 'search'
  | 'storage'
  | 'models'
  | 'parse'
  | 'chat'
  | 'runs'
  | 'webhooks'
  | 'connectors';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'apiKey',
  'signingSecret',
  'secret',
  'secretKey',
  'rootKey',
  'password',
  'token',
  'connectionString',
];
/** Paths for pino, which cannot match at any depth; our log lines have three levels (`err.config.apiKey`). */
const REDACTED = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** Length of the lines that are kept while they cannot be written. */
const MAX_UNWRITTEN = 2 ** 20;

const context = new AsyncLocalStorage<LogContext>();
/** Number of open contexts. */
let open = 0;

/** Values of the present request or job by symbol, which no log line shows; undefined outside of both. */
export const requestValues = (): Record<symbol, unknown> | undefined =>
  context.getStore() as Record<symbol, unknown> | undefined;

const UNSHARED: unique symbol = Symbol('not limited to the share of a workspace');

/**
 * Returns the workspace whose share the present request or job uses; empty outside of both, in brief requests and in
 * those of the root key.
 */
export function presentWorkspace(): string {
  const values = requestValues();
  return values?.[UNSHARED] === true ? '' : (context.getStore()?.workspaceId ?? '');
}

/** Frees the present request from the share of its workspace: an operator must reach one that has used it up. */
export function leaveShare(): void {
  const values = requestValues();
  if (values !== undefined) values[UNSHARED] = true;
}

/** Runs work that serves several requests outside of the context of each. */
export const outsideRequest = <T>(work: () => T): T => context.exit(work);

/** Keeps the present contexts until the returned function is called, also if the client disconnects. */
export function holdLogContext(): () => void {
  open += 1;
  return closeContext;
}

/** Runs `work`; its log lines, also of asynchronous calls, carry the fields. */
export async function withLogContext<T>(fields: LogContext, work: () => Promise<T>): Promise<T> {
  open += 1;
  try {
    return await context.run({ ...context.getStore(), ...fields }, work);
  } finally {
    closeContext();
  }
}

/** Starts work in a context with the fields; the caller calls the returned function when the work has ended. */
export function openLogContext(fields: LogContext, begin: () => void): () => void {
  open += 1;
  context.run(fields, begin);
  let isOpen = true;
  return () => {
    if (isOpen) closeContext();
    isOpen = false;
  };
}

/** Disables the storage without open contexts: while enabled, Node 20 and 22 track every promise, 10 % of a search. */
function closeContext(): void {
  open -= 1;
  if (open === 0) context.disable();
}

/** Adds fields to the present context. */
export function addLogContext(fields: LogContext): void {
  const present = context.getStore();
  if (present !== undefined) Object.assign(present, fields);
}

export interface LoggerOptions {
  /** A pino level, or `silent`. */
  level: string;
  /** Standard output by default. */
  destination?: DestinationStream;
}

export function createLogger({ level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
    mixin: () => ({ ...context.getStore() }),
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Standard output. A full disk below it must not end the process: lines above a limit are dropped then, and the end of
 * the process does not wait for the others, as the library would for ever.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: process.stdout.fd || 1, maxLength: MAX_UNWRITTEN });
  const flush = output.flushSync.bind(output);
  let isFailing = false;
  output.on('error', () => (isFailing = true));
  output.on('write', () => (isFailing = false));
  output.flushSync = () => {
    if (!isFailing) flush();
  };
  return output;
}

export const subsystem = (logger: Logger, name: Subsystem): Logger => logger.child({ subsystem: name });
