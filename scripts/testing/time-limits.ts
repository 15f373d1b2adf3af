/**
 * Time limits of tests, in ms: those of an idle machine, lengthened by the load of this one when the run starts, or by
 * the factor QUIRE_TEST_SLOWDOWN. CI sets a factor: a limit ends a test that hangs, and must not fail one on a slow
 * machine.
 */
import { availableParallelism, loadavg } from 'node:os';

const [lastMinute = 0, lastFiveMinutes = 0] = loadavg();
const slowdown = Math.max(
  1,
  Number(process.env['QUIRE_TEST_SLOWDOWN'] ?? 1),
  Math.max(lastMinute, lastFiveMinutes) / availableParallelism(),
);

export const TEST_MS = Math.ceil(30_000 * slowdown);
/** Starting a service with a database of its own takes a few seconds. */
export const HOOK_MS = 2 * TEST_MS;
/** Limit of files that opt in with `// large: <reason>`. */
export const LARGE_TEST_MS = 20 * TEST_MS;
