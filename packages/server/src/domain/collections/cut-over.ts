/**
 * What a cut-over has to look at in every document of a collection, arranged so that little of it is done under the
 * collection's lock, during which no document becomes ready: 100,000 documents are looked at before (1.3 s), under the lock
 * only which of them have changed since (0.1 s), and their counts are made afterwards (6 s, when all of them change).
 */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
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
 * finished. Ends early when another generation has become the live one. May be called again after a crash. Whoever changes
 * many documents at the same time is not waited for while documents are held: those are counted alone.
 */
export async function finishCounts(
  database: Kysely<Database>,
  collectionId: string,
  generation: number,
): Promise<void> {
  for (let after: string | null = '0'; after !== null;) {
    const next = sql`key > ${after}::bigint order by key limit ${COUNTED_TOGETHER}`;
    const { last, held } = await count(database, { collectionId, generation }, next, sql`skip locked`);
    for (const id of held) await count(database, { collectionId, generation }, sql`id = ${id}`, sql``);
    after = last;
  }
  await database
    .updateTable('collection_indexes')
    .set({ finished_at: new Date() })
    .where('collection_id', '=', collectionId)
    .where('generation', '=', generation)
    .where('status', '=', 'live')
    .execute();
}

interface Counted {
  /** The last one's key, or null when there are none. */
  last: string | null;
  /** Ids of those that were left out. */
  held: string[];
}

/** Counts passages of these documents; `whenHeld` says what becomes of those that another transaction holds. */
function count(
  database: Kysely<Database>,
  { collectionId, generation }: { collectionId: string; generation: number },
  documents: RawBuilder<unknown>,
  whenHeld: RawBuilder<unknown>,
): Promise<Counted> {
  return database.transaction().execute(async (transaction) => {
    // Holds off the next cut-over, whose counts these would overwrite.
    const live = await transaction
      .selectFrom('collections')
      .select('id')
      .where('id', '=', collectionId)
      .where('live_generation', '=', generation)
      .forShare()
      .executeTakeFirst();
    if (live === undefined) return { last: null, held: [] };
    const { rows } = await sql<Counted>`
      with batch as materialized (
        select id, key, searchable_revision as revision, chunk_count from documents
        where collection_id = ${collectionId} and searchable_revision is not null and ${documents}
      ), counted as (
        select batch.id, batch.revision, batch.chunk_count, count(*)::int as total from batch join chunks
          on chunks.document_id = batch.id and chunks.revision = batch.revision and chunks.generation = ${generation}
        group by batch.id, batch.revision, batch.chunk_count
        having batch.chunk_count <> count(*)
      ), free as (
        select documents.id, counted.total from documents
        join counted on counted.id = documents.id and counted.revision = documents.searchable_revision
        for no key update of documents ${whenHeld}
      ), changed as (
        update documents set chunk_count = free.total from free where documents.id = free.id
      )
      select max(key) as last, array(select id from counted except select id from free) as held from batch`.execute(
      transaction,
    );
    return rows[0] ?? { last: null, held: [] };
  });
}
