import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after the time, or immediately when one of the signals is aborted. Never rejects. */
export async function pause(ms: number, signals: readonly AbortSignal[] = []): Promise<void> {
  const signal = AbortSignal.any([...signals]);
  try {
    await sleep(Math.max(0, ms), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
