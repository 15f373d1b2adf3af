import { pause } from '@quire/shared/pause';
import { isConnectionLoss } from '../shared/connection-loss.ts';

/** Delays between the looks for a record, in ms: the server may still be busy with a commit whose client is gone. */
const LOOKS_AFTER_MS = [50, 200, 500, 1_000, 2_000];
/** The record exists, because an earlier transaction of the same call was committed after all. */
const UNIQUE_VIOLATION = '23505';

/**
 * Runs a transaction. If its connection broke, the commit may have been carried out without an answer: then the record
 * is looked for over other connections, and returned if it is found. Otherwise rejects with the first error.
 */
export async function orCommitted<T>(commit: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await commit();
  } catch (error) {
    const isTaken = (error as { code?: unknown }).code === UNIQUE_VIOLATION;
    if (!isTaken && !isConnectionLoss(error)) throw error;
    for (const delayMs of LOOKS_AFTER_MS) {
      // A failure means that the database is away, for which the caller has the first error.
      const found = await find().catch(() => undefined);
      if (found !== undefined) return found;
      if (isTaken) break;
      await pause(delayMs);
    }
    throw error;
  }
}
