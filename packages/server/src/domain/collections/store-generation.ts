import { sql, type Kysely } from 'kysely';
import { insertChunks } from '../../database/insert-chunks.ts';
import type { Database, DocumentRecord, NewChunk } from '../../database/tables.ts';

export interface GenerationPassages {
  collectionId: string;
  generation: number;
  document: DocumentRecord;
  chunks: readonly NewChunk[];
}

/** Keys of a document's passages in order; null when the build or that revision of it is not wanted any more. */
export type StoredKeys = bigint[] | null;

/**
 * Stores passages of many documents for one index that is being built, in one transaction with one disk write. Undefined
 * for a document of another build, and for one that went on or whose row another transaction holds: to be stored alone.
 */
export function storeGenerationTogether(
  database: Kysely<Database>,
  passages: readonly GenerationPassages[],
): Promise<(StoredKeys | undefined)[]> {
  const [first] = passages;
  if (first === undefined) return Promise.resolve([]);
  const { collectionId, generation } = first;
  const same = passages.filter((each) => each.collectionId === collectionId && each.generation === generation);
  return database.transaction().execute(async (transaction) => {
    const wanted = await transaction
      .selectFrom('collection_indexes')
      .select('generation')
      .where('collection_id', '=', collectionId)
      .where('generation', '=', generation)
      .where('status', '=', 'building')
      .forUpdate()
      .executeTakeFirst();
    if (wanted === undefined) return passages.map((each) => (same.includes(each) ? null : undefined));
    const { rows } = await sql<{ id: string }>`
      select documents.id from documents
      join unnest(
        ${same.map(({ document }) => document.id)}::uuid[],
        ${same.map(({ document }) => document.searchable_revision)}::int[]
      ) as passage (id, revision) on passage.id = documents.id and passage.revision = searchable_revision
      for update of documents skip locked`.execute(transaction);
    const held = new Set(rows.map((row) => row.id));
    const ours = same.filter(({ document }) => held.has(document.id));
    const ids = ours.map(({ document }) => document.id);
    await sql`
      delete from chunks using unnest(
        ${ids}::uuid[], ${ours.map(({ document }) => document.searchable_revision)}::int[]
      ) as former (document_id, revision)
      where chunks.document_id = former.document_id and chunks.revision = former.revision
        and chunks.generation = ${generation}`.execute(transaction);
    await sql`delete from partial_embeddings where document_id = any(${ids}::uuid[])`.execute(transaction);
    await transaction
      .updateTable('collection_indexes')
      .set((eb) => ({ documents_done: eb('documents_done', '+', ours.length) }))
      .where('collection_id', '=', collectionId)
      .where('generation', '=', generation)
      .execute();
    const keys = await insertChunks(
      transaction,
      ours.flatMap(({ chunks }) => chunks),
    );
    const stored = new Set(ours);
    let next = 0;
    return passages.map((each) => (stored.has(each) ? keys.slice(next, (next += each.chunks.length)) : undefined));
  });
}
