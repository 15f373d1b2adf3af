import { expressionBuilder, sql, type Insertable, type SqlBool, type Updateable } from 'kysely';
import type {
  CollectionIndexesTable,
  CollectionIndexRecord,
  CollectionRecord,
  CollectionsTable,
} from '../../database/tables.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import type { StatusCounts } from './types.ts';

export interface CollectionTotals extends StatusCounts {
  chunks: number;
}

export interface CollectionListFilter {
  includeDeleted?: boolean | undefined;
  /** Restricts the list to these ids, for a limited key. */
  ids?: readonly string[] | null | undefined;
}

export class CollectionRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  insert(collection: Insertable<CollectionsTable>): Promise<CollectionRecord> {
    return this.#executor.insertInto('collections').values(collection).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns the collection, also a deleted one. */
  findById(workspaceId: string, collectionId: string): Promise<CollectionRecord | undefined> {
    return this.#executor
      .selectFrom('collections')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', collectionId)
      .executeTakeFirst();
  }

  /** Returns collections of any workspace, also deleted ones; for workers, which serve all workspaces. */
  findByIds(collectionIds: readonly string[]): Promise<CollectionRecord[]> {
    return this.#executor
      .selectFrom('collections')
      .selectAll()
      .where('id', '=', (eb) => eb.fn.any(eb.val([...collectionIds])))
      .execute();
  }

  /** Returns collections of a workspace, also deleted ones. */
  findMany(workspaceId: string, collectionIds: readonly string[]): Promise<CollectionRecord[]> {
    return this.#executor
      .selectFrom('collections')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', (eb) => eb.fn.any(eb.val([...collectionIds])))
      .execute();
  }

  /** Returns the ids of collections that have a searchable document; `allowed` restricts them, null does not. */
  async idsWithSearchableDocuments(workspaceId: string, allowed: readonly string[] | null): Promise<string[]> {
    let query = this.#executor
      .selectFrom('collections')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('deleted_at', 'is', null)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('documents')
            .select('documents.id')
            .whereRef('documents.collection_id', '=', 'collections.id')
            .where('documents.searchable_revision', 'is not', null)
            .where('documents.deleted_at', 'is', null),
        ),
      )
      .orderBy('id');
    if (allowed !== null) query = query.where('id', '=', (eb) => eb.fn.any(eb.val([...allowed])));
    return (await query.execute()).map(({ id }) => id);
  }

  list(workspaceId: string, filter: CollectionListFilter, query: ListQuery): Promise<ListPage<CollectionRecord>> {
    let base = this.#executor.selectFrom('collections').where('workspace_id', '=', workspaceId);
    if (filter.includeDeleted !== true) base = base.where('deleted_at', 'is', null);
    const ids = filter.ids;
    if (ids !== null && ids !== undefined) base = base.where('id', '=', (eb) => eb.fn.any(eb.val([...ids])));
    return fetchPage(base.selectAll(), query, { executor: this.#executor, columns: ['metadata', 'description'] });
  }

  update(
    workspaceId: string,
    collectionId: string,
    changes: Updateable<CollectionsTable>,
  ): Promise<CollectionRecord | undefined> {
    return this.#executor
      .updateTable('collections')
      .set({ ...changes, modified_at: sql<Date>`now()` })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', collectionId)
      .returningAll()
      .executeTakeFirst();
  }

  /** Locks the row for a change that depends on its present state. */
  lock(workspaceId: string, collectionId: string): Promise<CollectionRecord | undefined> {
    return this.#executor
      .selectFrom('collections')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', collectionId)
      .forUpdate()
      .executeTakeFirst();
  }

  /** Locks and returns the collections with this parser or embedder, in order of id. */
  lockUsers(
    workspaceId: string,
    column: 'parser_id' | 'embedder_id' | 'sparse_embedder_id',
    configurationId: string,
  ): Promise<CollectionRecord[]> {
    return this.#executor
      .selectFrom('collections')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where(column, '=', configurationId)
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  /** Locks all documents of a collection, in the order of their keys. */
  async lockDocuments(workspaceId: string, collectionId: string): Promise<void> {
    await sql`
      select from documents where workspace_id = ${workspaceId} and collection_id = ${collectionId}
      order by key for update`.execute(this.#executor);
  }

  async erase(workspaceId: string, collectionId: string): Promise<void> {
    await this.#executor
      .deleteFrom('collections')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', collectionId)
      .execute();
  }

  /**
   * Counts the collections' documents without archives and deleted ones. These are the conditions of the index
   * `documents_counted`, which covers the query: 20 ms for 100,000 documents. `among` restricts the documents.
   */
  async totals(collectionIds: readonly string[], among?: DocumentCondition): Promise<Map<string, CollectionTotals>> {
    const rows = await this.#counted(collectionIds, among)
      .select((eb) => [
        'collection_id',
        'status',
        eb.fn.countAll<string>().as('documents'),
        eb.fn.sum<string | null>('chunk_count').as('chunks'),
      ])
      .where((eb) => eb.not('is_archive'))
      .groupBy(['collection_id', 'status'])
      .execute();
    const totals = new Map<string, CollectionTotals>();
    for (const row of rows) {
      const entry = totals.get(row.collection_id) ?? { indexing: 0, ready: 0, failed: 0, chunks: 0 };
      entry[row.status] += Number(row.documents);
      entry.chunks += Number(row.chunks ?? 0);
      totals.set(row.collection_id, entry);
    }
    return totals;
  }

  /** Counts the collections' archives that are not deleted, by status. */
  async archiveCounts(collectionIds: readonly string[], among?: DocumentCondition): Promise<Map<string, StatusCounts>> {
    const rows = await this.#counted(collectionIds, among)
      .select((eb) => ['collection_id', 'status', eb.fn.countAll<string>().as('archives')])
      .where(sql<SqlBool>`is_archive`)
      .groupBy(['collection_id', 'status'])
      .execute();
    const counts = new Map<string, StatusCounts>();
    for (const row of rows) {
      const entry = counts.get(row.collection_id) ?? { indexing: 0, ready: 0, failed: 0 };
      entry[row.status] += Number(row.archives);
      counts.set(row.collection_id, entry);
    }
    return counts;
  }

  /** Counts the collections' failed documents without archives and deleted ones, by type of the error. */
  async failuresByType(
    collectionIds: readonly string[],
    among?: DocumentCondition,
  ): Promise<Map<string, Record<string, number>>> {
    const rows = await this.#counted(collectionIds, among)
      .select((eb) => ['collection_id', 'error_type', eb.fn.countAll<string>().as('documents')])
      .where('status', '=', 'failed')
      .where((eb) => eb.not('is_archive'))
      .groupBy(['collection_id', 'error_type'])
      .orderBy('error_type')
      .execute();
    const counts = new Map<string, Record<string, number>>();
    for (const { collection_id, error_type, documents } of rows) {
      counts.set(collection_id, { ...counts.get(collection_id), [error_type ?? 'internal']: Number(documents) });
    }
    return counts;
  }

  #counted(collectionIds: readonly string[], among: DocumentCondition | undefined) {
    const documents = this.#executor
      .selectFrom('documents')
      .where('collection_id', '=', (eb) => eb.fn.any(eb.val([...collectionIds])))
      .where('deleted_at', 'is', null);
    return among === undefined ? documents : documents.where(among(expressionBuilder()));
  }

  insertIndex(index: Insertable<CollectionIndexesTable>): Promise<CollectionIndexRecord> {
    return this.#executor.insertInto('collection_indexes').values(index).returningAll().executeTakeFirstOrThrow();
  }

  /** Returns the live indexes and those being built, in order of generation. */
  activeIndexes(collectionIds: readonly string[]): Promise<CollectionIndexRecord[]> {
    return this.#executor
      .selectFrom('collection_indexes')
      .selectAll()
      .where('collection_id', '=', (eb) => eb.fn.any(eb.val([...collectionIds])))
      .where('status', 'in', ['live', 'building'])
      .orderBy('generation')
      .execute();
  }

  allIndexes(collectionId: string): Promise<CollectionIndexRecord[]> {
    return this.indexesOf([collectionId]);
  }

  /**
   * Returns the indexes of any status. A search picks the generation that it read from the collection: around a
   * cut-over its status may be `building` or already `retired`, and its table exists for another minute.
   */
  indexesOf(collectionIds: readonly string[]): Promise<CollectionIndexRecord[]> {
    return this.#executor
      .selectFrom('collection_indexes')
      .selectAll()
      .where('collection_id', '=', (eb) => eb.fn.any(eb.val([...collectionIds])))
      .orderBy('generation')
      .execute();
  }

  updateIndex(
    collectionId: string,
    generation: number,
    changes: Updateable<CollectionIndexesTable>,
  ): Promise<CollectionIndexRecord | undefined> {
    return this.#executor
      .updateTable('collection_indexes')
      .set(changes)
      .where('collection_id', '=', collectionId)
      .where('generation', '=', generation)
      .returningAll()
      .executeTakeFirst();
  }

  /** Returns the newest re-index of each collection, finished or not (generation 1 is not a re-index). */
  async latestReindexes(collectionIds: readonly string[]): Promise<Map<string, CollectionIndexRecord>> {
    const rows = await this.#executor
      .selectFrom('collection_indexes')
      .selectAll()
      .distinctOn('collection_id')
      .where('collection_id', '=', (eb) => eb.fn.any(eb.val([...collectionIds])))
      .where('generation', '>', 1)
      .orderBy('collection_id')
      .orderBy('generation', 'desc')
      .execute();
    return new Map(rows.map((row) => [row.collection_id, row]));
  }
}
