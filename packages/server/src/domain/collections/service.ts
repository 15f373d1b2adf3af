/** The use cases of collections: documents that are searched together, with their parser, embedders and chunking. */
import type { Kysely, Transaction, Updateable } from 'kysely';
import type {
  Chunking,
  CollectionIndexRecord,
  CollectionRecord,
  CollectionsTable,
  Database,
  IndexRecipe,
} from '../../database/tables.ts';
import { auditResource } from '../../database/pending-audit.ts';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import type { Executor } from '../../database/transaction.ts';
import { checkBoth, conflict, deleted, notFound, valueError } from '../../errors.ts';
import { enqueuePurge } from '../../queue/enqueue-purge.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { newId } from '../../shared/uuid.ts';
import type { DenseEmbedders } from '../configurations/dense-embedders.ts';
import type { DocumentScope } from '../documents/scope.ts';
import { ConfigurationRepository, type ConfigurationRecord } from '../configurations/repository.ts';
import type { ProviderConfig } from '../configurations/types.ts';
import { chooseAll, chooseNamed, columnOf } from './configuration-choice.ts';
import { CollectionRepository, type CollectionListFilter } from './repository.ts';
import {
  DEFAULT_CHUNKING,
  indexTableName,
  isOwnTable,
  type CollectionChanges,
  type CollectionView,
  type NewCollection,
} from './types.ts';

export interface CollectionServiceDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  embedders: DenseEmbedders;
}

/** Number of hits that a reranker orders by default. */
const DEFAULT_TOP_K = 20;

const storedRerank = (rerank: NewCollection['rerank']): string | null =>
  rerank === null || rerank === undefined
    ? null
    : JSON.stringify({ model: rerank.model, topK: rerank.topK ?? DEFAULT_TOP_K });

/** Merges the changes into the present settings and checks them. */
async function mergeChunking(current: Chunking, changes: NewCollection['chunking']): Promise<Chunking> {
  const chunking = {
    maxTokens: changes?.maxTokens ?? current.maxTokens,
    overlapTokens: changes?.overlapTokens ?? current.overlapTokens,
  };
  if (chunking.overlapTokens * 2 > chunking.maxTokens) {
    const loc = ['body', 'chunking', 'overlapTokens'];
    throw valueError(loc, 'overlapTokens must be at most half of maxTokens', chunking.overlapTokens);
  }
  return chunking;
}

export class CollectionService {
  readonly #database: Kysely<Database>;
  readonly #queue: JobQueue;
  readonly #embedders: DenseEmbedders;
  readonly #collections: CollectionRepository;

  constructor(deps: CollectionServiceDeps) {
    this.#database = deps.database;
    this.#queue = deps.queue;
    this.#embedders = deps.embedders;
    this.#collections = new CollectionRepository(deps.database);
  }

  async create(workspaceId: string, input: NewCollection): Promise<CollectionView> {
    const id = newId();
    auditResource('collection', id);
    const record = await this.transact(async (transaction) => {
      const [choice, chunking] = await checkBoth(
        chooseAll(transaction, workspaceId, input),
        mergeChunking(DEFAULT_CHUNKING, input.chunking),
      );
      const collections = new CollectionRepository(transaction);
      const created = await collections.insert({
        id,
        workspace_id: workspaceId,
        name: input.name,
        description: input.description ?? null,
        ...choice,
        chunking: JSON.stringify(chunking),
        metadata: JSON.stringify(input.metadata ?? {}),
        rerank: storedRerank(input.rerank),
      });
      await this.#insertIndex(transaction, created, 1, 'live');
      return created;
    });
    return this.#view(record);
  }

  /** Returns the collection, also a deleted one; undefined when the workspace has none of this id. */
  findById(workspaceId: string, collectionId: string): Promise<CollectionRecord | undefined> {
    return this.#collections.findById(workspaceId, collectionId);
  }

  /** Returns the collection, with the counts of the documents in the scope if there is one. */
  async get(workspaceId: string, collectionId: string, scope: DocumentScope | null = null): Promise<CollectionView> {
    const record = await this.#collections.findById(workspaceId, collectionId);
    if (record === undefined) throw notFound();
    return this.#view(record, scope);
  }

  async list(
    workspaceId: string,
    filter: CollectionListFilter,
    query: ListQuery,
    scope: DocumentScope | null = null,
  ): Promise<ListPage<CollectionView>> {
    const page = await this.#collections.list(workspaceId, filter, query);
    return { ...page, items: await this.#views(page.items, scope) };
  }

  /** Applies changes; those that alter vectors or chunks start a re-index in the background. */
  async update(workspaceId: string, collectionId: string, changes: CollectionChanges): Promise<CollectionView> {
    const record = await this.transact(async (transaction) => {
      const named = await chooseNamed(transaction, workspaceId, changes);
      const current = await this.#lockLive(transaction, workspaceId, collectionId);
      const chunking = await mergeChunking(current.chunking, changes.chunking);
      const update: Updateable<CollectionsTable> = { ...named, chunking: JSON.stringify(chunking) };
      if (changes.name !== undefined) update.name = changes.name;
      if (changes.description !== undefined) update.description = changes.description;
      if (changes.metadata !== undefined) update.metadata = JSON.stringify(changes.metadata);
      if (changes.rerank !== undefined) update.rerank = storedRerank(changes.rerank);
      const updated = await new CollectionRepository(transaction).update(workspaceId, collectionId, update);
      if (updated === undefined) throw notFound();
      const altered =
        updated.embedder_id !== current.embedder_id ||
        updated.sparse_embedder_id !== current.sparse_embedder_id ||
        chunking.maxTokens !== current.chunking.maxTokens ||
        chunking.overlapTokens !== current.chunking.overlapTokens;
      if (altered) await this.#startReindex(transaction, updated);
      return updated;
    });
    return this.#view(record);
  }

  /** Starts a re-index beside the live index, which serves until the new one is complete. */
  async reindex(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.transact(async (transaction) => {
      const current = await this.#lockLive(transaction, workspaceId, collectionId);
      await this.#startReindex(transaction, current);
      return current;
    });
    return this.#view(record);
  }

  /** Returns the collections that use a configuration, including deleted ones, which may be restored. */
  usersOf(executor: Executor, { workspace_id, role, id }: ConfigurationRecord): Promise<CollectionRecord[]> {
    const column = columnOf(role);
    return column === undefined
      ? Promise.resolve([])
      : new CollectionRepository(executor).lockUsers(workspace_id, column, id);
  }

  /** Replaces a configuration of its users by another one of the same role; other embedders start a re-index. */
  async moveUsers(executor: Executor, from: ConfigurationRecord, toId: string): Promise<void> {
    const column = columnOf(from.role);
    if (column === undefined) return;
    for (const user of await this.usersOf(executor, from)) {
      const updated = await new CollectionRepository(executor).update(user.workspace_id, user.id, { [column]: toId });
      if (updated !== undefined && from.role !== 'parser') await this.#startReindex(executor, updated);
    }
  }

  /** Starts a re-index of the users of an embedder whose vectors have changed. */
  async reindexUsersOf(executor: Executor, configuration: ConfigurationRecord): Promise<void> {
    for (const user of await this.usersOf(executor, configuration)) await this.#startReindex(executor, user);
  }

  async cancelReindex(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.#database.transaction().execute(async (transaction) => {
      const current = await this.#lockLive(transaction, workspaceId, collectionId);
      const cancelled = await this.#cancelBuilding(transaction, collectionId);
      if (cancelled === 0) throw conflict('No re-index is under way', { reindex: null });
      return current;
    });
    return this.#view(record);
  }

  remove(workspaceId: string, collectionId: string, purge: boolean): Promise<CollectionView> {
    return purge ? this.#purge(workspaceId, collectionId) : this.#hide(workspaceId, collectionId);
  }

  /** Deletes softly: hides the collection from lists and searches at once. Repeated calls return the same record. */
  async #hide(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.#database.transaction().execute(async (transaction) => {
      const collections = new CollectionRepository(transaction);
      const current = await collections.lock(workspaceId, collectionId);
      if (current === undefined) throw notFound();
      if (current.deleted_at !== null) return current;
      await this.#cancelBuilding(transaction, collectionId);
      return collections.update(workspaceId, collectionId, { deleted_at: new Date() });
    });
    if (record === undefined) throw notFound();
    return this.#view(record);
  }

  async undelete(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.#database
      .transaction()
      .execute((transaction) =>
        new CollectionRepository(transaction).update(workspaceId, collectionId, { deleted_at: null }),
      );
    if (record === undefined) throw notFound();
    return this.#view(record);
  }

  /** Erases the records; a job erases vectors and artifacts afterwards. */
  async #purge(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const purge = async (transaction: Transaction<Database>): Promise<CollectionView> => {
      const collections = new CollectionRepository(transaction);
      // Ingestion locks documents before their collection. Any other order here would deadlock with it.
      await collections.lockDocuments(workspaceId, collectionId);
      const record = await collections.lock(workspaceId, collectionId);
      if (record === undefined) throw notFound();
      const view = await this.#view(record);
      const tables = (await collections.allIndexes(collectionId)).map((index) => index.table_name);
      await collections.erase(workspaceId, collectionId);
      await enqueuePurge(transaction, this.#queue, 'purge-collection', { workspaceId, collectionId, tables });
      return { ...view, record: { ...record, deleted_at: record.deleted_at ?? new Date() } };
    };
    return retryDeadlock(() => this.#database.transaction().execute(purge));
  }

  /**
   * Runs a transaction that may create an index. Models are resolved outside of it: when one is unknown, the work is
   * rolled back and repeated, so it must only write to the database.
   */
  transact<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return this.#embedders.withModels(() => this.#database.transaction().execute(work));
  }

  async #lockLive(executor: Executor, workspaceId: string, collectionId: string): Promise<CollectionRecord> {
    const record = await new CollectionRepository(executor).lock(workspaceId, collectionId);
    if (record === undefined) throw notFound();
    if (record.deleted_at !== null) throw deleted('The collection is deleted', { collectionId });
    return record;
  }

  async #startReindex(executor: Executor, record: CollectionRecord): Promise<void> {
    const collections = new CollectionRepository(executor);
    await this.#cancelBuilding(executor, record.id);
    const indexes = await collections.allIndexes(record.id);
    const generation = 1 + Math.max(...indexes.map((index) => index.generation));
    await this.#insertIndex(executor, record, generation, 'building');
    await this.#queue.enqueue(
      executor,
      'rebuild-index',
      { collectionId: record.id, generation },
      { key: `rebuild:${record.id}:${generation}` },
    );
  }

  async #cancelBuilding(executor: Executor, collectionId: string): Promise<number> {
    const collections = new CollectionRepository(executor);
    const building = (await collections.activeIndexes([collectionId])).filter((index) => index.status === 'building');
    for (const index of building) {
      await collections.updateIndex(collectionId, index.generation, { status: 'cancelled', finished_at: new Date() });
      await this.#queue.enqueue(executor, 'sweep-index', { collectionId }, { key: `sweep:${collectionId}` });
    }
    return building.length;
  }

  async #insertIndex(
    executor: Executor,
    record: CollectionRecord,
    generation: number,
    status: CollectionIndexRecord['status'],
  ): Promise<void> {
    const configurations = new ConfigurationRepository(executor);
    const configOf = async (id: string): Promise<ProviderConfig> =>
      (await configurations.getById(record.workspace_id, id)).config as unknown as ProviderConfig;
    const { modelId, dimensions, remote } = this.#embedders.modelOf(await configOf(record.embedder_id));
    const { language } = await configOf(record.sparse_embedder_id);
    const collections = new CollectionRepository(executor);
    const hasOwnTable = (await collections.allIndexes(record.id)).some(({ table_name: name }) => isOwnTable(name));
    await collections.insertIndex({
      embedding_model: modelId,
      dimensions,
      collection_id: record.id,
      generation,
      workspace_id: record.workspace_id,
      status,
      table_name: indexTableName(record.id, generation, hasOwnTable),
      recipe: JSON.stringify({
        parserId: record.parser_id,
        embedderId: record.embedder_id,
        sparseEmbedderId: record.sparse_embedder_id,
        chunking: record.chunking,
        remote,
        language,
      } satisfies IndexRecipe),
    });
  }

  async #view(record: CollectionRecord, scope: DocumentScope | null = null): Promise<CollectionView> {
    const [view] = await this.#views([record], scope);
    if (view === undefined) throw new Error('a view for each record');
    return view;
  }

  async #views(records: CollectionRecord[], scope: DocumentScope | null): Promise<CollectionView[]> {
    const ids = records.map((record) => record.id);
    const among = scope?.condition;
    const [totals, archives, failures, reindexes] = await Promise.all([
      this.#collections.totals(ids, among),
      this.#collections.archiveCounts(ids, among),
      this.#collections.failuresByType(ids, among),
      // The progress of a re-index counts all documents.
      scope === null ? this.#collections.latestReindexes(ids) : new Map<string, CollectionIndexRecord>(),
    ]);
    return records.map((record) => {
      const { chunks = 0, ...counts } = totals.get(record.id) ?? { indexing: 0, ready: 0, failed: 0, chunks: 0 };
      return {
        record,
        documentCounts: counts,
        archiveCounts: archives.get(record.id) ?? { indexing: 0, ready: 0, failed: 0 },
        failedByType: failures.get(record.id) ?? {},
        chunkCount: chunks,
        reindex: reindexes.get(record.id) ?? null,
      };
    });
  }
}
