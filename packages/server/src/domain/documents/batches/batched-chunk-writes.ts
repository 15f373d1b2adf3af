import { sql, type Kysely } from 'kysely';
import { insertChunks } from '../../../database/chunks/insert-chunks.ts';
import type { Database, NewChunk } from '../../../database/tables.ts';
import type { Attempt } from '../attempt.ts';
import { lockAttempts, type LockMode } from '../lock-attempts.ts';

export interface ChunkWrite {
  attempt: Attempt;
  generation: number;
  chunks: readonly NewChunk[];
}

/**
 * Stores the chunks of many attempts in one transaction, with one disk write. Returns the chunk keys in order,
 * undefined for an attempt that was superseded and, with `skip`, for one whose rows another transaction has locked.
 */
export function writeChunkBatch(
  database: Kysely<Database>,
  writes: readonly ChunkWrite[],
  mode: LockMode,
): Promise<(bigint[] | undefined)[]> {
  return database.transaction().execute(async (transaction) => {
    const attempts = writes.map(({ attempt }) => attempt);
    const tokens = await lockAttempts(transaction, attempts, mode);
    const locked = writes.filter(({ attempt }) => tokens.has(attempt.token));
    await sql`
      delete from chunks using unnest(
        ${locked.map(({ attempt }) => attempt.document.id)}::uuid[], ${locked.map(({ generation }) => generation)}::int[],
        ${locked.map(({ attempt }) => attempt.document.revision)}::int[]
      ) as former (document_id, generation, revision)
      where chunks.document_id = former.document_id and chunks.generation = former.generation
        and chunks.revision = former.revision`.execute(transaction);
    const keys = await insertChunks(
      transaction,
      locked.flatMap(({ chunks }) => chunks),
    );
    let next = 0;
    return writes.map(({ attempt, chunks }) =>
      tokens.has(attempt.token) ? keys.slice(next, (next += chunks.length)) : undefined,
    );
  });
}
