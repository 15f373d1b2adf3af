/** Bounds the bytes of stored JSON that one answer contains. Earlier versions took metadata of several megabytes. */
import { sql, type RawBuilder } from 'kysely';

/**
 * Maximum size of the metadata and other JSON of clients in one answer: 64 times the largest metadata. An answer of
 * 8 MB takes up to 0.5 s of the main thread.
 */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Size below which PostgreSQL stores a value in its row and does not compress it. */
const SMALL_BYTES = 2000;

/** Returns the size of a column as text. Only a value that is stored compressed or outside of its row is read. */
export const jsonBytes = (column: RawBuilder<unknown>): RawBuilder<number> => sql<number>`coalesce(case
  when ${isSmall(column)} then pg_column_size(${column})
  else octet_length(${column}::text) end, 0)`;

/** Tests whether the value is stored in its row, uncompressed. */
export const isSmall = (column: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(pg_column_size(${column}) <= ${sql.lit(SMALL_BYTES)} and pg_column_compression(${column}) is null)`;
