/**
 * Reads the large metadata of the documents of an answer's hits. The look-ups of a search read only small metadata:
 * they load more hits than an answer shows, and a document once for each of its hits.
 */
import { sql, type Kysely } from 'kysely';
import { jsonBytes, MAX_ANSWER_BYTES } from '../../database/json-bytes.ts';
import type { Database } from '../../database/tables.ts';
import type { SearchedChunk } from './live-chunks.ts';
import type { SearchWarning } from './types.ts';

export interface LargeMetadata {
  /** Keyed by document key. */
  metadata: ReadonlyMap<bigint, Record<string, unknown>>;
  warnings: SearchWarning[];
}

/**
 * Returns the metadata that the chunks lack, in their order, as long as all of them, repeated for each chunk, have at
 * most `MAX_ANSWER_BYTES`; the rest is left out with a warning.
 */
export async function readLargeMetadata(
  database: Kysely<Database>,
  workspaceId: string,
  chunks: readonly SearchedChunk[],
): Promise<LargeMetadata> {
  const lacking = chunks.filter(({ metadata }) => metadata === null);
  if (lacking.length === 0) return { metadata: new Map(), warnings: [] };
  const copies = new Map<bigint, number>();
  for (const { documentKey } of lacking) copies.set(documentKey, (copies.get(documentKey) ?? 0) + 1);
  const { rows } = await sql<{ key: string; metadata: Record<string, unknown> }>`
    select key, metadata from (
      select documents.key, documents.metadata,
        sum(given.copies * ${jsonBytes(sql.ref('documents.metadata'))}) over (order by given.position) as bytes
      from unnest(${[...copies.keys()].map(String)}::bigint[], ${[...copies.values()]}::int[])
        with ordinality as given(key, copies, position)
      join documents on documents.key = given.key and documents.workspace_id = ${workspaceId}
    ) as measured where bytes <= ${MAX_ANSWER_BYTES}`.execute(database);
  const metadata = new Map(rows.map((row) => [BigInt(row.key), row.metadata]));
  const omitted = lacking.filter(({ documentKey }) => !metadata.has(documentKey)).length;
  return { metadata, warnings: omitted === 0 ? [] : [omission(omitted)] };
}

const omission = (hits: number): SearchWarning => ({
  type: 'metadata_omitted',
  message:
    `The metadata of ${hits} ${hits === 1 ? 'hit is' : 'hits are'} left out: those of all hits have more than ` +
    `${MAX_ANSWER_BYTES / 1024 ** 2} MB. GET of the document returns them.`,
});
