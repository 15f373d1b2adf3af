/**
 * The checks of a cut-over over all documents of a collection. No document becomes ready while the collection is
 * locked, so most of the work is done outside the lock: 100,000 documents are checked before it (1.3 s), only changed
 * ones are checked under it (0.1 s), and chunk counts are updated after it (6 s if all change).
 */
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { endJob } from '../../queue/claims.ts';
import type { JobClaim } from '../../queue/job-queue.ts';

/** Maximum number of documents whose counts one transaction updates. */
const DOCUMENTS_PER_UPDATE = 1000;

/** Records, until the transaction ends, which searchable revisions have chunks of the generation. */
export async function recordComplete(
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

/** Returns true if a searchable document has no chunks of the generation. Recorded revisions count as complete. */
export async function lacksChunks(
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
 * Updates the chunk counts for the live generation (another chunking gives another number), then marks its cut-over as
 * finished and ends the job. Ends early when another generation has become live. Safe to repeat after a crash.
 * Documents that another transaction has locked are skipped first and counted one by one afterwards, so that no lock is
 * held while waiting.
 */
export async function finishCounts(
  database: Kysely<Database>,
  collectionId: string,
  generation: number,
  job: JobClaim | null,
): Promise<void> {
  for (let after: string | null = '0'; after !== null;) {
    const next = sql`key > ${after}::bigint order by key limit ${DOCUMENTS_PER_UPDATE}`;
    const { last, held } = await count(database, { collectionId, generation }, next, sql`skip locked`);
    for (const id of held) await count(database, { collectionId, generation }, sql`id = ${id}`, sql``);
    after = last;
  }
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('collection_indexes')
      .set({ finished_at: new Date() })
      .where('collection_id', '=', collectionId)
      .where('generation', '=', generation)
      .where('status', '=', 'live')
      .execute();
    await endJob(transaction, job);
  });
}

interface Counted {
  /** Key of the last document, or null when there were none. */
  last: string | null;
  /** Ids of the skipped documents. */
  held: string[];
}

/** Updates the chunk counts of these documents; `whenHeld` selects whether locked ones are skipped or waited for. */
function count(
  database: Kysely<Database>,
  { collectionId, generation }: { collectionId: string; generation: number },
  documents: RawBuilder<unknown>,
  whenHeld: RawBuilder<unknown>,
): Promise<Counted> {
  return database.transaction().execute(async (transaction) => {
    // Blocks the next cut-over, whose counts would be overwritten.
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
