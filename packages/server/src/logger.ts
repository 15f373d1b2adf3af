/**
 * All logging: JSON lines by pino. Whatever is logged while a request or a job is worked on carries its ids
 * (`withLogContext`; requests that are answered in a few milliseconds have their own line only), and fields that could
 * hold a secret are blanked whatever depth of an object they stand in.
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
/** Contexts that somebody works in. */
let open = 0;

/** Everything logged by `work`, and by what it awaits, carries the fields. */
export async function withLogContext<T>(fields: LogContext, work: () => Promise<T>): Promise<T> {
  open += 1;
  try {
    return await context.run({ ...context.getStore(), ...fields }, work);
  } finally {
    closeContext();
  }
}

/** The same for work that `begin` begins; the function that is returned is to be called when it is done. */
export function openLogContext(fields: LogContext, begin: () => void): () => void {
  open += 1;
  context.run(fields, begin);
  let isOpen = true;
  return () => {
    if (isOpen) closeContext();
    isOpen = false;
  };
}

/**
 * While there is any context, Node 20 and 22 keep track of every promise of the process: a tenth of what a search
 * costs.
 */
function closeContext(): void {
  open -= 1;
  if (open === 0) context.disable();
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
