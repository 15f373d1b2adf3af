/**
 * All logging: JSON lines by pino. Whatever is logged while a request or a job is worked on carries its ids
 * (`withLogContext`), and fields that could hold a secret are blanked whatever depth of an object they stand in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LogContext {
  requestId?: string;
  workspaceId?: string;
  jobId?: string;
}

/** The parts of the service, each with a logger of its own. */
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
  | 'webhooks';

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
/** pino's paths do not match at any depth; three levels are what we log (`err.config.apiKey`). */
const REDACTED = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

const context = new AsyncLocalStorage<LogContext>();

/** Everything logged by `work`, and by what it awaits, carries the fields. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** Adds to the present context what became known later. */
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
  return destination === undefined ? pino(options) : pino(options, destination);
}

export const subsystem = (logger: Logger, name: Subsystem): Logger => logger.child({ subsystem: name });
