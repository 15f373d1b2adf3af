import type { NewChunk } from './tables.ts';
import type { Executor } from './transaction.ts';

/** PostgreSQL takes 65,535 parameters a statement; a passage has 16. */
const CHUNKS_PER_INSERT = 1_000;

/** Inserts passages in order and returns their keys in the same order. */
export async function insertChunks(executor: Executor, chunks: readonly NewChunk[]): Promise<bigint[]> {
  const keys: bigint[] = [];
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_INSERT) {
    const rows = await executor
      .insertInto('chunks')
      .values(chunks.slice(start, start + CHUNKS_PER_INSERT))
      .returning('key')
      .execute();
    for (const row of rows) keys.push(BigInt(row.key));
  }
  return keys;
}
