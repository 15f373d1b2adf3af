import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Attempt } from './attempt.ts';

/** Whether rows that another transaction has locked are left out (batches) or waited for (single documents). */
export type LockMode = 'skip' | 'wait';

export const lockClause = (mode: LockMode): RawBuilder<unknown> => (mode === 'skip' ? sql`skip locked` : sql``);

/**
 * Locks the documents of these attempts, and their collections against a cut-over, until the transaction ends. Returns
 * the tokens of the attempts that have not been superseded.
 */
export async function lockAttempts(
  transaction: Transaction<Database>,
  attempts: readonly Pick<Attempt, 'document' | 'token'>[],
  mode: LockMode,
): Promise<Set<string>> {
  const { rows } = await sql<{ attempt_token: string }>`
    select attempt_token from documents
    join unnest(
      ${attempts.map(({ document }) => document.id)}::uuid[], ${attempts.map(({ token }) => token)}::uuid[],
      ${attempts.map(({ document }) => document.revision)}::int[]
    ) as attempt (id, token, revision)
      on attempt.id = documents.id and attempt.token = attempt_token and attempt.revision = documents.revision
    join collections on collections.id = documents.collection_id
    for update of documents ${lockClause(mode)}
    for key share of collections ${lockClause(mode)}`.execute(transaction);
  return new Set(rows.map((row) => row.attempt_token));
}
