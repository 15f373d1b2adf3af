import { sql } from 'kysely';
import type { NewChunk } from './tables.ts';
import type { Executor } from './transaction.ts';

/** PostgreSQL takes 65,535 parameters a statement; a passage has 16. */
const CHUNKS_PER_INSERT = 2_000;

/**
 * Inserts passages in order, in the caller's transaction, and returns their keys in the same order. The commit waits for
 * the disk whatever the connection's habit is: the keys go into the search index next, and a key that a crash takes
 * back would be given to another passage, which the index would then find by the first one's words.
 */
export async function insertChunks(transaction: Executor, chunks: readonly NewChunk[]): Promise<bigint[]> {
  await sql`select set_config('synchronous_commit', 'on', true)`.execute(transaction);
  const keys: bigint[] = [];
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_INSERT) {
    const rows = await transaction
      .insertInto('chunks')
      .values(chunks.slice(start, start + CHUNKS_PER_INSERT))
      .returning('key')
      .execute();
    for (const row of rows) keys.push(BigInt(row.key));
  }
  return keys;
}
