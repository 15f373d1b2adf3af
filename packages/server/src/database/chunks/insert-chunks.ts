import { sql } from 'kysely';
import type { NewChunk } from '../tables.ts';
import type { Executor } from '../transaction.ts';

/** Keeps a single statement below some 2 MB, which this process writes without a pause. */
const CHUNKS_PER_INSERT = 400;

/**
 * Inserts chunks in order, in the caller's transaction, and returns their keys in the same order. The commit waits for
 * the disk regardless of the connection's setting, because the keys go into the search index next. If a crash lost the
 * rows, their keys would be assigned to other chunks, which the index would find by the words of the lost ones.
 */
export async function insertChunks(transaction: Executor, chunks: readonly NewChunk[]): Promise<bigint[]> {
  const keys: bigint[] = [];
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_INSERT) {
    const { rows } = await insertion(chunks.slice(start, start + CHUNKS_PER_INSERT)).execute(transaction);
    for (const row of rows) keys.push(BigInt(row.key));
  }
  return keys;
}

/** One array a column: the statement's text is the same for any number of rows, so it is planned once a connection. */
function insertion(chunks: readonly NewChunk[]) {
  const column = <Name extends keyof NewChunk>(name: Name): NewChunk[Name][] => chunks.map((chunk) => chunk[name]);
  return sql<{ key: string }>`
    insert into chunks (workspace_id, collection_id, document_id, revision, generation, ordinal, id, text, headings,
      block_ids, boxes, line_map, token_count, content_hash, terms, embedding)
    select workspace_id, collection_id, document_id, revision, generation, ordinal, id, text, headings::text[],
      block_ids::text[], boxes, line_map::int[], token_count, content_hash, terms, embedding
    from unnest(
      ${column('workspace_id')}::uuid[], ${column('collection_id')}::uuid[], ${column('document_id')}::uuid[],
      ${column('revision')}::int[], ${column('generation')}::int[], ${column('ordinal')}::int[],
      ${column('id')}::uuid[], ${column('text')}::text[],
      ${column('headings').map(arrayLiteral)}::text[], ${column('block_ids').map(arrayLiteral)}::text[],
      ${column('boxes')}::jsonb[], ${column('line_map').map(intArrayLiteral)}::text[], ${column('token_count')}::int[], ${column('content_hash')}::bytea[],
      ${column('terms')}::text[], ${column('embedding')}::bytea[]
    ) with ordinality as chunk (workspace_id, collection_id, document_id, revision, generation, ordinal, id, text,
      headings, block_ids, boxes, line_map, token_count, content_hash, terms, embedding, place)
    -- Of this transaction, evaluated once before the first row.
    where (select set_config('synchronous_commit', 'on', true)) = 'on'
    order by place
    returning key`;
}

/** An array of arrays would be one of two dimensions: the inner ones travel as PostgreSQL writes them. */
const arrayLiteral = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;

const intArrayLiteral = (values: readonly number[] | null | undefined): string | null =>
  values == null ? null : `{${values.join(',')}}`;
