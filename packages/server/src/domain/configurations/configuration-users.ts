/** The port through which configurations reach the collections that use them; `CollectionService` implements it. */
import type { Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ConfigurationRecord } from './repository.ts';

export interface ConfigurationUsers {
  /** Runs a transaction that may start an index; it is repeated if an embedding model has to be resolved first. */
  transact<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Locks and returns the collections that use a configuration, also deleted ones. */
  usersOf(executor: Executor, configuration: ConfigurationRecord): Promise<readonly { id: string }[]>;
  /** Moves the users of a configuration to another one of the same role. */
  moveUsers(executor: Executor, from: ConfigurationRecord, toId: string): Promise<void>;
  /** Starts a re-index of all users of an embedder whose vectors changed. */
  reindexUsersOf(executor: Executor, configuration: ConfigurationRecord): Promise<void>;
}
