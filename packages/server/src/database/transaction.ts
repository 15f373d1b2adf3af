import type { Kysely, Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** Runs the statements of a repository: the pool or the caller's transaction. */
export type Executor = Kysely<Database> | Transaction<Database>;
