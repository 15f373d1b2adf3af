/**
 * The time limit of statements that evaluate a filter of a client. Their cost depends on the filter and on the metadata
 * of all documents, so their limit is lower than that of other statements. A pool with `filterTimeoutMs` sets it, which
 * costs a round trip; a statement that tests few documents has only the limit of other statements.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { FilterTimeout } from '../shared/filter-timeout.ts';

const evaluation = new AsyncLocalStorage<boolean>();

/** Code of a statement that PostgreSQL cancelled at its time limit. */
const STATEMENT_CANCELLED = '57014';

export const evaluatesFilter = (): boolean => evaluation.getStore() === true;

/**
 * Runs statements that evaluate a filter, unless `filter` is undefined. Rejects with `FilterTimeout` if one reaches the
 * limit.
 */
export async function withFilterLimit<T>(filter: object | undefined | null, run: () => Promise<T>): Promise<T> {
  if (filter === undefined || filter === null) return run();
  try {
    return await evaluation.run(true, run);
  } catch (error) {
    const isCancelled = error instanceof Error && 'code' in error && error.code === STATEMENT_CANCELLED;
    throw isCancelled ? new FilterTimeout('The database did not evaluate the filter in time', { cause: error }) : error;
  }
}
