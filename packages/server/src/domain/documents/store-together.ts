import { sql, type Kysely } from 'kysely';
import { insertChunks } from '../../database/insert-chunks.ts';
import type { Database, NewChunk } from '../../database/tables.ts';
import type { Attempt } from './ingestion.ts';
import { lockAttempts, type HeldRows } from './lock-attempts.ts';

export interface StoredPassages {
  attempt: Attempt;
  generation: number;
  chunks: readonly NewChunk[];
}

/**
 * Stores the passages of many attempts in one transaction, one disk write for all. Keys in order; undefined for an
 * attempt that lost its document or, in a group, whose row another transaction holds: it is to be stored alone.
 */
export function storeTogether(
  database: Kysely<Database>,
  passages: readonly StoredPassages[],
  held: HeldRows = 'skip',
): Promise<(bigint[] | undefined)[]> {
  return database.transaction().execute(async (transaction) => {
    const attempts = passages.map(({ attempt }) => attempt);
    const tokens = await lockAttempts(transaction, attempts, held);
    const ours = passages.filter(({ attempt }) => tokens.has(attempt.token));
    await sql`
      delete from chunks using unnest(
        ${ours.map(({ attempt }) => attempt.document.id)}::uuid[], ${ours.map(({ generation }) => generation)}::int[],
        ${ours.map(({ attempt }) => attempt.document.revision)}::int[]
      ) as former (document_id, generation, revision)
      where chunks.document_id = former.document_id and chunks.generation = former.generation
        and chunks.revision = former.revision`.execute(transaction);
    const keys = await insertChunks(
      transaction,
      ours.flatMap(({ chunks }) => chunks),
    );
    let next = 0;
    return passages.map((each) =>
      tokens.has(each.attempt.token) ? keys.slice(next, (next += each.chunks.length)) : undefined,
    );
  });
}
