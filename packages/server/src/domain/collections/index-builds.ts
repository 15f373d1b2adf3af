/**
 * The states of a collection's indexes while they are built. A re-index creates generation n+1 beside the live one; a
 * rebuild creates a new table for a generation whose table was lost, from the chunks in PostgreSQL. Both end with a
 * cut-over under the collection's row lock, which excludes concurrent ingestion (`DocumentIngestion.succeed`).
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import { commitToDisk } from '../../database/settle.ts';
import type {
  ChunkRecord,
  CollectionIndexRecord,
  CollectionRecord,
  Database,
  DocumentRecord,
  NewChunk,
} from '../../database/tables.ts';
import {
  keepPartialEmbeddings,
  partialEmbeddings,
  type VectorsByContent,
} from '../../database/chunks/partial-embeddings.ts';
import { endJob } from '../../queue/claims.ts';
import type { JobClaim, JobQueue } from '../../queue/job-queue.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { writeGenerationBatch, type GenerationWrite, type StoredKeys } from './batched-generation-writes.ts';
import { finishCounts, lacksChunks, recordComplete } from './cut-over.ts';
import { enqueueSweep } from './index-jobs.ts';
import { CollectionRepository } from './repository.ts';
import { renewedTableName } from './types.ts';

/** Delay before a replaced table is dropped, longer than any query that may still read it, in ms. */
const RETIRE_DELAY_MS = 60_000;
/** Maximum number of documents whose chunks one transaction stores. */
const MAX_BATCH_SIZE = 50;

export interface IndexBuild {
  collection: CollectionRecord;
  index: CollectionIndexRecord;
}

export type IndexedChunk = Pick<ChunkRecord, 'key' | 'revision' | 'terms' | 'embedding'> & { document_key: string };

export class IndexBuilds {
  readonly #database: Kysely<Database>;
  readonly #queue: JobQueue;
  readonly #writes: BatchedCalls<GenerationWrite, StoredKeys>;

  constructor(deps: { database: Kysely<Database>; queue: JobQueue; onBatchFailed: (error: unknown) => void }) {
    this.#database = deps.database;
    this.#queue = deps.queue;
    this.#writes = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: (writes) => writeGenerationBatch(deps.database, writes, 'skip'),
      runSingle: async (write) => (await writeGenerationBatch(deps.database, [write], 'wait'))[0] ?? null,
      onBatchFailed: deps.onBatchFailed,
    });
  }

  /** Returns undefined when the index is no longer needed (cancelled, retired, collection purged). */
  async find(collectionId: string, generation: number): Promise<IndexBuild | undefined> {
    const collection = await this.#database
      .selectFrom('collections')
      .selectAll()
      .where('id', '=', collectionId)
      .executeTakeFirst();
    const index = (await new CollectionRepository(this.#database).activeIndexes([collectionId])).find(
      (candidate) => candidate.generation === generation,
    );
    return collection === undefined || index === undefined ? undefined : { collection, index };
  }

  findByTable(tableName: string): Promise<CollectionIndexRecord | undefined> {
    return this.#database
      .selectFrom('collection_indexes')
      .selectAll()
      .where('table_name', '=', tableName)
      .executeTakeFirst();
  }

  /** Returns vectors of the document's chunks by the same model from other generations, by content hash (hex). */
  async knownEmbeddings(document: DocumentRecord, index: CollectionIndexRecord): Promise<Map<string, Buffer>> {
    if (index.embedding_model === null) return new Map();
    const rows = await this.#database
      .selectFrom('chunks')
      .innerJoin('collection_indexes', (join) =>
        join
          .onRef('collection_indexes.collection_id', '=', 'chunks.collection_id')
          .onRef('collection_indexes.generation', '=', 'chunks.generation'),
      )
      .select(['chunks.content_hash', 'chunks.embedding'])
      .where('chunks.document_id', '=', document.id)
      .where('collection_indexes.embedding_model', '=', index.embedding_model)
      .where('chunks.embedding', 'is not', null)
      .execute();
    const kept = await partialEmbeddings(this.#database, document, index.embedding_model);
    for (const row of rows) if (row.embedding) kept.set(row.content_hash.toString('hex'), row.embedding);
    return kept;
  }

  keepEmbeddings(document: DocumentRecord, index: CollectionIndexRecord, vectors: VectorsByContent): Promise<void> {
    return keepPartialEmbeddings(this.#database, document, index.embedding_model ?? '', vectors);
  }

  /** Returns searchable documents after a key (deleted ones included) that have no chunks in this generation. */
  pending(build: IndexBuild, afterKey: bigint, limit: number): Promise<DocumentRecord[]> {
    return this.#database
      .selectFrom('documents')
      .selectAll()
      .where('collection_id', '=', build.collection.id)
      .where('searchable_revision', 'is not', null)
      .where('key', '>', String(afterKey) as never)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('chunks')
              .select('chunks.key')
              .whereRef('chunks.document_id', '=', 'documents.id')
              .whereRef('chunks.revision', '=', 'documents.searchable_revision')
              .where('chunks.generation', '=', build.index.generation),
          ),
        ),
      )
      .orderBy('key')
      .limit(limit)
      .execute();
  }

  /** Returns the number of chunks of the searchable documents. */
  async chunkCount({ collection }: IndexBuild): Promise<number> {
    const counted = await this.#database
      .selectFrom('documents')
      .select((eb) => eb.fn.sum<string | null>('chunk_count').as('chunks'))
      .where('collection_id', '=', collection.id)
      .where('searchable_revision', 'is not', null)
      .executeTakeFirst();
    return Number(counted?.chunks ?? 0);
  }

  async recordTotal(build: IndexBuild): Promise<void> {
    await this.#database
      .updateTable('collection_indexes')
      .set((eb) => ({
        documents_total: eb
          .selectFrom('documents')
          .select((count) => sql<number>`${count.fn.countAll()}::int`.as('total'))
          .where('collection_id', '=', build.collection.id)
          .where('searchable_revision', 'is not', null),
      }))
      .where('collection_id', '=', build.collection.id)
      .where('generation', '=', build.index.generation)
      .execute();
  }

  /** Stores a document's chunks for the generation; returns undefined when the build or the revision is obsolete. */
  async storeChunks(
    build: IndexBuild,
    document: DocumentRecord,
    chunks: readonly NewChunk[],
  ): Promise<bigint[] | undefined> {
    const { collection_id: collectionId, generation } = build.index;
    return (await this.#writes.call({ collectionId, generation, document, chunks })) ?? undefined;
  }

  /**
   * Makes the new generation live if no document is missing; resolves to false when documents are pending, and to true
   * also for an obsolete build. Existing documents are checked before the collection is locked. Resolves when the chunk
   * counts of all documents are updated and the job has ended.
   */
  async cutOver(build: IndexBuild, job: JobClaim | null = null): Promise<boolean> {
    const { id: collectionId } = build.collection;
    const { generation } = build.index;
    const isOver = await this.#database.transaction().execute(async (transaction) => {
      await recordComplete(transaction, collectionId, generation);
      const isPending = await lacksChunks(transaction, collectionId, generation);
      if (!isPending) await this.#lock(transaction, collectionId);
      const collections = new CollectionRepository(transaction);
      const active = await collections.activeIndexes([collectionId]);
      if (!active.some((index) => index.generation === generation)) return true;
      if (isPending || (await lacksChunks(transaction, collectionId, generation))) return false;
      for (const index of active) {
        const changes =
          index.generation === generation
            ? { status: 'live' as const }
            : { status: 'retired' as const, finished_at: new Date() };
        await collections.updateIndex(collectionId, index.generation, changes);
      }
      await transaction
        .updateTable('collections')
        .set({ live_generation: generation })
        .where('id', '=', collectionId)
        .execute();
      await this.#retireLater(transaction, collectionId);
      return true;
    });
    if (isOver) await this.finishCounts(build, job);
    return isOver;
  }

  /** Completes a cut-over, and ends the job. */
  finishCounts({ collection, index }: IndexBuild, job: JobClaim | null = null): Promise<void> {
    return finishCounts(this.#database, collection.id, index.generation, job);
  }

  /** Returns chunks of the generation's searchable revisions after a key, for filling a table. */
  chunksAfter(build: IndexBuild, after: bigint, limit: number): Promise<IndexedChunk[]> {
    return this.#indexed(this.#database, build)
      .where('chunks.key', '>', String(after) as never)
      .orderBy('chunks.key')
      .limit(limit)
      .execute();
  }

  /**
   * Assigns a new, empty table to a generation that is being built. Ingestion attempts that wrote to the previous table
   * and have not finished are repeated.
   */
  async renewTable(build: IndexBuild): Promise<IndexBuild> {
    const { collection, index } = build;
    const table_name = await this.#database.transaction().execute(async (transaction) => {
      await this.#lock(transaction, collection.id);
      // The former table is dropped next.
      await commitToDisk(transaction);
      const name = renewedTableName(index.table_name, await this.#now(transaction));
      await new CollectionRepository(transaction).updateIndex(collection.id, index.generation, { table_name: name });
      return name;
    });
    return { collection, index: { ...index, table_name } };
  }

  /**
   * Returns the start time of a refill by the database's clock, read under the collection's lock: every document that
   * became searchable before it is visible to the refill.
   */
  beginRefill({ collection }: IndexBuild): Promise<Date> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lock(transaction, collection.id);
      return this.#now(transaction);
    });
  }

  /**
   * Replaces the lost table by the refilled one. Chunks of documents that became searchable since `startedAt` (see
   * `beginRefill`) may be missing from it; `add` receives them inside the lock.
   */
  swapTable(
    build: IndexBuild,
    tableName: string,
    startedAt: Date,
    add: (chunks: IndexedChunk[]) => Promise<void>,
  ): Promise<void> {
    const { id: collectionId } = build.collection;
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lock(transaction, collectionId);
      // The lost table is dropped next.
      await commitToDisk(transaction);
      const late = await this.#indexed(transaction, build).where('documents.ready_at', '>=', startedAt).execute();
      if (late.length > 0) await add(late);
      await new CollectionRepository(transaction).updateIndex(collectionId, build.index.generation, {
        table_name: tableName,
      });
    });
  }

  /** Returns the keys that no longer belong to a document of the collection. */
  async erased({ collection }: IndexBuild, documentKeys: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from unnest(${documentKeys}::bigint[]) as given (key)
      except select key from documents where collection_id = ${collection.id}`.execute(this.#database);
    return rows.map((row) => row.key);
  }

  /** Ends the build as `failed`, and its job. */
  async fail(build: IndexBuild, message: string, job: JobClaim | null = null): Promise<void> {
    const changes = { status: 'failed' as const, error: message, finished_at: new Date() };
    await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('collection_indexes')
        .set(changes)
        .where('collection_id', '=', build.collection.id)
        .where('generation', '=', build.index.generation)
        .where('status', '=', 'building')
        .execute();
      await this.#retireLater(transaction, build.collection.id);
      await endJob(transaction, job);
    });
  }

  #indexed(executor: Kysely<Database>, build: IndexBuild) {
    return executor
      .selectFrom('chunks')
      .innerJoin('documents', 'documents.id', 'chunks.document_id')
      .select(['chunks.key', 'chunks.revision', 'chunks.terms', 'chunks.embedding', 'documents.key as document_key'])
      .where('chunks.collection_id', '=', build.collection.id)
      .where('chunks.generation', '=', build.index.generation)
      .whereRef('chunks.revision', '=', 'documents.searchable_revision');
  }

  /** Returns the current time; `now()` would return the start of the transaction. */
  async #now(transaction: Transaction<Database>): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select statement_timestamp() as now`.execute(transaction);
    return rows[0]?.now ?? new Date(0);
  }

  async #lock(transaction: Transaction<Database>, collectionId: string): Promise<void> {
    await transaction.selectFrom('collections').select('id').where('id', '=', collectionId).forUpdate().execute();
  }

  async #retireLater(executor: Kysely<Database>, collectionId: string): Promise<void> {
    const runAt = new Date(Date.now() + RETIRE_DELAY_MS);
    await enqueueSweep(executor, this.#queue, collectionId, { runAt });
  }
}
