import type { z } from 'zod';
import type { dependencyShape } from './schemas.ts';

/**
 * Checks by name of the dependency. A check rejects if the dependency does not work or the signal is aborted; the text
 * that it resolves to is public.
 */
export type DependencyChecks = Readonly<Record<string, (signal: AbortSignal) => Promise<string | void>>>;

/** Thrown by a check whose reason may be public. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Time in ms after which a dependency counts as failed. */
const CHECK_TIMEOUT_MS = 2_000;

type Dependency = z.output<typeof dependencyShape>;

/** Runs all checks concurrently. Only the message of `NotReady` is shown: other errors may contain addresses. */
export async function runChecks(checks: DependencyChecks): Promise<Record<string, Dependency>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  return Object.fromEntries(results);
}

async function runCheck(check: DependencyChecks[string]): Promise<Dependency> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true });
  });
  const outcome = await Promise.race([check(signal), timeout]).then(
    (detail) => ({ ok: true, ...(typeof detail === 'string' ? { detail } : {}) }),
    (error: unknown) => ({ ok: false, ...(error instanceof NotReady ? { detail: error.message } : {}) }),
  );
  return { ...outcome, latencyMs: Math.round((performance.now() - startedAt) * 10) / 10 };
}
