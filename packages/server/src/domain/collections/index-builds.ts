/**
 * The states of a collection's indexes while they are built. A re-index makes generation n+1 beside the live one; a
 * rebuild makes a new table for a generation whose table was lost, from the passages in PostgreSQL. Both end with a
 * cut-over under the collection's row lock, which no ingestion can cross (`DocumentIngestion.succeed`).
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type {
  ChunkRecord,
  CollectionIndexRecord,
  CollectionRecord,
  Database,
  DocumentRecord,
  NewChunk,
} from '../../database/tables.ts';
import { keepPartialEmbeddings, partialEmbeddings, type VectorsByContent } from '../../database/partial-embeddings.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { writeGenerationBatch, type GenerationWrite, type StoredKeys } from './batched-generation-writes.ts';
import { finishCounts, lacksPassages, rememberWhole } from './cut-over.ts';
import { CollectionRepository } from './repository.ts';
import { renewedTableName } from './types.ts';

/** Longer than any query that may still read the index that was replaced. */
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

  /** Undefined when the index is no longer wanted (cancelled, retired, collection gone). */
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

  /** Vectors of the document's passages made by the same model for another generation, by content hash (hex). */
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

  /** Searchable documents (deleted ones too: they may come back) after a key without passages in this generation. */
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

  /** Stores a document's passages for the generation; undefined when the build or that revision is not wanted any more. */
  async storeChunks(
    build: IndexBuild,
    document: DocumentRecord,
    chunks: readonly NewChunk[],
  ): Promise<bigint[] | undefined> {
    const { collection_id: collectionId, generation } = build.index;
    return (await this.#writes.call({ collectionId, generation, document, chunks })) ?? undefined;
  }

  /**
   * Makes the new generation the live one when nothing is missing from it; false when documents are still pending. True
   * also for a build that is not wanted any more. Documents that are there already are looked at before the collection is
   * locked; resolves when the counts of all are those of their new passages.
   */
  async cutOver(build: IndexBuild): Promise<boolean> {
    const { id: collectionId } = build.collection;
    const { generation } = build.index;
    const isOver = await this.#database.transaction().execute(async (transaction) => {
      await rememberWhole(transaction, collectionId, generation);
      const isPending = await lacksPassages(transaction, collectionId, generation);
      if (!isPending) await this.#lock(transaction, collectionId);
      const collections = new CollectionRepository(transaction);
      const active = await collections.activeIndexes([collectionId]);
      if (!active.some((index) => index.generation === generation)) return true;
      if (isPending || (await lacksPassages(transaction, collectionId, generation))) return false;
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
    if (isOver) await this.finishCounts(build);
    return isOver;
  }

  /** What a cut-over ends with. */
  finishCounts({ collection, index }: IndexBuild): Promise<void> {
    return finishCounts(this.#database, collection.id, index.generation);
  }

  /** Passages of the generation's searchable revisions after a key, for filling a table. */
  chunksAfter(build: IndexBuild, after: bigint, limit: number): Promise<IndexedChunk[]> {
    return this.#indexed(this.#database, build)
      .where('chunks.key', '>', String(after) as never)
      .orderBy('chunks.key')
      .limit(limit)
      .execute();
  }

  /**
   * Gives a generation that is being built another table, which is empty. Attempts at documents that wrote to the one
   * before, and have not made them searchable yet, go again.
   */
  async renewTable(build: IndexBuild): Promise<IndexBuild> {
    const { collection, index } = build;
    const table_name = await this.#database.transaction().execute(async (transaction) => {
      await this.#lock(transaction, collection.id);
      const name = renewedTableName(index.table_name, await this.#now(transaction));
      await new CollectionRepository(transaction).updateIndex(collection.id, index.generation, { table_name: name });
      return name;
    });
    return { collection, index: { ...index, table_name } };
  }

  /**
   * When a table is begun to be filled that takes the place of a lost one, by the clock of the database: what became
   * searchable before is there to be read, for nobody who holds the collection's lock is told an earlier time afterwards.
   */
  beginRefill({ collection }: IndexBuild): Promise<Date> {
    return this.#database.transaction().execute(async (transaction) => {
      await this.#lock(transaction, collection.id);
      return this.#now(transaction);
    });
  }

  /**
   * Lets the refilled table take the place of the lost one. Passages of documents that became searchable since
   * `startedAt`, of `beginRefill`, may be missing from it: `add` gets them, inside the lock.
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
      const late = await this.#indexed(transaction, build).where('documents.ready_at', '>=', startedAt).execute();
      if (late.length > 0) await add(late);
      await new CollectionRepository(transaction).updateIndex(collectionId, build.index.generation, {
        table_name: tableName,
      });
    });
  }

  /** Which of these keys belong to no document of the collection any more. */
  async erased({ collection }: IndexBuild, documentKeys: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from unnest(${documentKeys}::bigint[]) as given (key)
      except select key from documents where collection_id = ${collection.id}`.execute(this.#database);
    return rows.map((row) => row.key);
  }

  async fail(build: IndexBuild, message: string): Promise<void> {
    const changes = { status: 'failed' as const, error: message, finished_at: new Date() };
    await this.#database
      .updateTable('collection_indexes')
      .set(changes)
      .where('collection_id', '=', build.collection.id)
      .where('generation', '=', build.index.generation)
      .where('status', '=', 'building')
      .execute();
    await this.#retireLater(this.#database, build.collection.id);
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

  /** Not when the transaction began, as `now()` has it. */
  async #now(transaction: Transaction<Database>): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select statement_timestamp() as now`.execute(transaction);
    return rows[0]?.now ?? new Date(0);
  }

  async #lock(transaction: Transaction<Database>, collectionId: string): Promise<void> {
    await transaction.selectFrom('collections').select('id').where('id', '=', collectionId).forUpdate().execute();
  }

  async #retireLater(executor: Kysely<Database>, collectionId: string): Promise<void> {
    const runAt = new Date(Date.now() + RETIRE_DELAY_MS);
    await this.#queue.enqueue(executor, 'sweep-index', { collectionId }, { key: `sweep:${collectionId}`, runAt });
  }
}
