import type { z } from 'zod';
import type { dependencyShape } from './schemas.ts';

/**
 * By name; a check rejects when its dependency does not work. It gives up when the signal is aborted. What it resolves
 * to is told to everybody.
 */
export type DependencyChecks = Readonly<Record<string, (signal: AbortSignal) => Promise<string | void>>>;

/** Thrown by a check for a reason that everybody may be told. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** A dependency that takes longer counts as not working. */
const CHECK_TIMEOUT_MS = 2_000;

type Dependency = z.output<typeof dependencyShape>;

/** Asks all at once. The reason of a failure is told only of `NotReady`: others may hold addresses. */
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
