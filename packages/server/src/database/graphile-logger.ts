import { Logger as GraphileLogger, type LogFunctionFactory } from 'graphile-worker';
import type { Logger } from '../logger.ts';

/** Beginning of a warning at every start. It does not apply, as jobs share the statements that finish them. */
const POOL_ADVICE = 'WARNING: having maxPoolSize';

/** Sends graphile-worker's log to ours, one level down: a line for every job is for debugging. */
export function graphileLogger(logger: Logger): GraphileLogger {
  const write: Readonly<Record<string, 'warn' | 'info' | 'debug'>> = { error: 'warn', warning: 'info' };
  const factory: LogFunctionFactory = (scope) => (level, message) =>
    logger[message.startsWith(POOL_ADVICE) ? 'debug' : (write[level] ?? 'debug')]({ scope }, message);
  return new GraphileLogger(factory);
}
