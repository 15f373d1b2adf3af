/**
 * What a cut-over has to look at in every document of a collection, arranged so that little of it is done under the
 * collection's lock, during which no document becomes ready: 100,000 documents are looked at before (1.3 s), under the lock
 * only which of them have changed since (0.1 s), and their counts are made afterwards (6 s, when all of them change).
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** Of documents whose counts one transaction makes. */
const COUNTED_TOGETHER = 1000;

/** Remembers until the transaction ends which searchable revisions have passages of the generation. */
export async function rememberWhole(
  transaction: Transaction<Database>,
  collectionId: string,
  generation: number,
): Promise<void> {
  await sql`create temporary table whole_documents (key bigint, revision integer) on commit drop`.execute(transaction);
  await sql`
    insert into whole_documents
    select key, searchable_revision from documents
    where collection_id = ${collectionId} and searchable_revision is not null
      and exists (
        select from chunks where chunks.document_id = documents.id and chunks.revision = documents.searchable_revision
          and chunks.generation = ${generation}
      )`.execute(transaction);
}

/** Whether a searchable document has no passages of the generation. Those that are remembered are taken to have some. */
export async function lacksPassages(
  transaction: Transaction<Database>,
  collectionId: string,
  generation: number,
): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (
      select from documents
      where collection_id = ${collectionId} and searchable_revision is not null
        and not exists (
          select from whole_documents as whole where whole.key = documents.key and whole.revision = searchable_revision
        ) and not exists (
          select from chunks where chunks.document_id = documents.id and chunks.revision = documents.searchable_revision
            and chunks.generation = ${generation}
        )
    ) as lacks`.execute(transaction);
  return rows[0]?.lacks === true;
}

/**
 * Another chunking makes another number of passages: counts them for the live generation, and notes that its cut-over is
 * finished. Ends early when another generation has become the live one. May be called again after a crash.
 */
export async function finishCounts(
  database: Kysely<Database>,
  collectionId: string,
  generation: number,
): Promise<void> {
  for (let after: string | null = '0'; after !== null;) {
    const from: string = after;
    after = await database
      .transaction()
      .execute((transaction) => countSome(transaction, { collectionId, generation }, from));
  }
  await database
    .updateTable('collection_indexes')
    .set({ finished_at: new Date() })
    .where('collection_id', '=', collectionId)
    .where('generation', '=', generation)
    .where('status', '=', 'live')
    .execute();
}

/** Counts passages of the documents after a key; gives the last one's key, or null when there are none. */
async function countSome(
  transaction: Transaction<Database>,
  { collectionId, generation }: { collectionId: string; generation: number },
  after: string,
): Promise<string | null> {
  // Holds off the next cut-over, whose counts these would overwrite.
  const live = await transaction
    .selectFrom('collections')
    .select('id')
    .where('id', '=', collectionId)
    .where('live_generation', '=', generation)
    .forShare()
    .executeTakeFirst();
  if (live === undefined) return null;
  const { rows } = await sql<{ last: string | null }>`
    with batch as materialized (
      select id, key, searchable_revision as revision from documents
      where collection_id = ${collectionId} and searchable_revision is not null and key > ${after}::bigint
      order by key limit ${COUNTED_TOGETHER}
    ), counted as (
      select batch.id, batch.revision, count(*)::int as total from batch join chunks
        on chunks.document_id = batch.id and chunks.revision = batch.revision and chunks.generation = ${generation}
      group by batch.id, batch.revision
    ), changed as (
      update documents set chunk_count = counted.total from counted
      where documents.id = counted.id and documents.searchable_revision = counted.revision
        and documents.chunk_count <> counted.total
    )
    select max(key) as last from batch`.execute(transaction);
  return rows[0]?.last ?? null;
}
