import { errorCode } from '@quire/shared/error-code';

/** PostgreSQL's code for a transaction that it aborted to resolve a deadlock. */
const DEADLOCK_DETECTED = '40P01';
const MAX_TRIES = 5;

/** Runs a transaction, and runs it again when PostgreSQL aborted it to resolve a deadlock, up to five times in all. */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== DEADLOCK_DETECTED || tries === MAX_TRIES) throw error;
    }
  }
}
