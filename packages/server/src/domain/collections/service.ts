/** The use cases of collections: documents that are searched together, with their parser, embedders and chunking. */
import type { Kysely, Transaction, Updateable } from 'kysely';
import type { Chunking, CollectionRecord, CollectionsTable, Database } from '../../database/tables.ts';
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
import type { ConfigurationRecord } from '../configurations/repository.ts';
import { chooseAll, chooseNamed, columnOf } from './configuration-choice.ts';
import { Reindexing } from './reindexing.ts';
import { CollectionRepository, type CollectionListFilter } from './repository.ts';
import { DEFAULT_CHUNKING, type CollectionChanges, type CollectionView, type NewCollection } from './types.ts';
import { CollectionViews } from './views.ts';

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
  readonly #views: CollectionViews;
  readonly #reindexing: Reindexing;

  constructor(deps: CollectionServiceDeps) {
    this.#database = deps.database;
    this.#queue = deps.queue;
    this.#embedders = deps.embedders;
    this.#collections = new CollectionRepository(deps.database);
    this.#views = new CollectionViews(deps.database);
    this.#reindexing = new Reindexing(deps);
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
      await this.#reindexing.insertIndex(transaction, created, 1, 'live');
      return created;
    });
    return this.#views.of(record);
  }

  /** Returns the collection, also a deleted one; undefined when the workspace has none of this id. */
  findById(workspaceId: string, collectionId: string): Promise<CollectionRecord | undefined> {
    return this.#collections.findById(workspaceId, collectionId);
  }

  /** Returns the collection, with the counts of the documents in the scope if there is one. */
  async get(workspaceId: string, collectionId: string, scope: DocumentScope | null = null): Promise<CollectionView> {
    const record = await this.#collections.findById(workspaceId, collectionId);
    if (record === undefined) throw notFound();
    return this.#views.of(record, scope);
  }

  async list(
    workspaceId: string,
    filter: CollectionListFilter,
    query: ListQuery,
    scope: DocumentScope | null = null,
  ): Promise<ListPage<CollectionView>> {
    const page = await this.#collections.list(workspaceId, filter, query);
    return { ...page, items: await this.#views.ofAll(page.items, scope) };
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
      if (altered) await this.#reindexing.start(transaction, updated);
      return updated;
    });
    return this.#views.of(record);
  }

  /** Starts a re-index beside the live index, which serves until the new one is complete. */
  async reindex(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.transact(async (transaction) => {
      const current = await this.#lockLive(transaction, workspaceId, collectionId);
      await this.#reindexing.start(transaction, current);
      return current;
    });
    return this.#views.of(record);
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
      if (updated !== undefined && from.role !== 'parser') await this.#reindexing.start(executor, updated);
    }
  }

  /** Starts a re-index of the users of an embedder whose vectors have changed. */
  async reindexUsersOf(executor: Executor, configuration: ConfigurationRecord): Promise<void> {
    for (const user of await this.usersOf(executor, configuration)) await this.#reindexing.start(executor, user);
  }

  async cancelReindex(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.#database.transaction().execute(async (transaction) => {
      const current = await this.#lockLive(transaction, workspaceId, collectionId);
      const cancelled = await this.#reindexing.cancel(transaction, collectionId);
      if (cancelled === 0) throw conflict('No re-index is under way', { reindex: null });
      return current;
    });
    return this.#views.of(record);
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
      await this.#reindexing.cancel(transaction, collectionId);
      return collections.update(workspaceId, collectionId, { deleted_at: new Date() });
    });
    if (record === undefined) throw notFound();
    return this.#views.of(record);
  }

  async undelete(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const record = await this.#database
      .transaction()
      .execute((transaction) =>
        new CollectionRepository(transaction).update(workspaceId, collectionId, { deleted_at: null }),
      );
    if (record === undefined) throw notFound();
    return this.#views.of(record);
  }

  /** Erases the records; a job erases vectors and artifacts afterwards. */
  async #purge(workspaceId: string, collectionId: string): Promise<CollectionView> {
    const purge = async (transaction: Transaction<Database>): Promise<CollectionView> => {
      const collections = new CollectionRepository(transaction);
      // Ingestion locks documents before their collection. Any other order here would deadlock with it.
      await collections.lockDocuments(workspaceId, collectionId);
      const record = await collections.lock(workspaceId, collectionId);
      if (record === undefined) throw notFound();
      const view = await this.#views.of(record);
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
}
