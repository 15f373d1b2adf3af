import { sql, type Kysely } from 'kysely';
import { insertChunks } from '../../database/chunks/insert-chunks.ts';
import type { Database, DocumentRecord, NewChunk } from '../../database/tables.ts';
import { lockClause, type LockMode } from '../documents/lock-attempts.ts';

export interface GenerationWrite {
  collectionId: string;
  generation: number;
  document: DocumentRecord;
  chunks: readonly NewChunk[];
}

/** Keys of a document's chunks in order; null when the build was cancelled or that revision is no longer searchable. */
export type StoredKeys = bigint[] | null;

/**
 * Stores chunks of many documents for one index that is being built, in one transaction with one disk write. With
 * `skip` the result is undefined for a document of another build, and for one whose row is locked or whose revision
 * changed.
 */
export function writeGenerationBatch(
  database: Kysely<Database>,
  writes: readonly GenerationWrite[],
  mode: LockMode,
): Promise<(StoredKeys | undefined)[]> {
  const [first] = writes;
  if (first === undefined) return Promise.resolve([]);
  const { collectionId, generation } = first;
  const same = writes.filter((write) => write.collectionId === collectionId && write.generation === generation);
  return database.transaction().execute(async (transaction) => {
    const building = await transaction
      .selectFrom('collection_indexes')
      .select('generation')
      .where('collection_id', '=', collectionId)
      .where('generation', '=', generation)
      .where('status', '=', 'building')
      .forUpdate()
      .executeTakeFirst();
    if (building === undefined) return writes.map((write) => (same.includes(write) ? null : undefined));
    const { rows } = await sql<{ id: string }>`
      select documents.id from documents
      join unnest(
        ${same.map(({ document }) => document.id)}::uuid[],
        ${same.map(({ document }) => document.searchable_revision)}::int[]
      ) as given (id, revision) on given.id = documents.id and given.revision = searchable_revision
      for update of documents ${lockClause(mode)}`.execute(transaction);
    const lockedIds = new Set(rows.map((row) => row.id));
    const locked = same.filter(({ document }) => lockedIds.has(document.id));
    const ids = locked.map(({ document }) => document.id);
    await sql`
      delete from chunks using unnest(
        ${ids}::uuid[], ${locked.map(({ document }) => document.searchable_revision)}::int[]
      ) as former (document_id, revision)
      where chunks.document_id = former.document_id and chunks.revision = former.revision
        and chunks.generation = ${generation}`.execute(transaction);
    await sql`delete from partial_embeddings where document_id = any(${ids}::uuid[])`.execute(transaction);
    await transaction
      .updateTable('collection_indexes')
      .set((eb) => ({ documents_done: eb('documents_done', '+', mode === 'wait' ? same.length : locked.length) }))
      .where('collection_id', '=', collectionId)
      .where('generation', '=', generation)
      .execute();
    const keys = await insertChunks(
      transaction,
      locked.flatMap(({ chunks }) => chunks),
    );
    const stored = new Set(locked);
    const notStored = mode === 'wait' ? null : undefined;
    let next = 0;
    return writes.map((write) => (stored.has(write) ? keys.slice(next, (next += write.chunks.length)) : notStored));
  });
}
