import type { Kysely, Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** What a repository runs its statements on: the pool, or the caller's transaction. */
export type Executor = Kysely<Database> | Transaction<Database>;
