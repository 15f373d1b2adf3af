import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Attempt } from './ingestion.ts';

/** What becomes of rows that another transaction holds: groups leave them out, a document by itself waits. */
export type HeldRows = 'skip' | 'wait';

export const whenHeld = (held: HeldRows): RawBuilder<unknown> => (held === 'skip' ? sql`skip locked` : sql``);

/**
 * Locks the documents of these attempts, and their collections against a cut-over, until the transaction ends. Returns
 * the tokens of the attempts that still have their document.
 */
export async function lockAttempts(
  transaction: Transaction<Database>,
  attempts: readonly Attempt[],
  held: HeldRows,
): Promise<Set<string>> {
  const { rows } = await sql<{ attempt_token: string }>`
    select attempt_token from documents
    join unnest(
      ${attempts.map(({ document }) => document.id)}::uuid[], ${attempts.map(({ token }) => token)}::uuid[],
      ${attempts.map(({ document }) => document.revision)}::int[]
    ) as attempt (id, token, revision)
      on attempt.id = documents.id and attempt.token = attempt_token and attempt.revision = documents.revision
    join collections on collections.id = documents.collection_id
    for update of documents ${whenHeld(held)}
    for key share of collections ${whenHeld(held)}`.execute(transaction);
  return new Set(rows.map((row) => row.attempt_token));
}
