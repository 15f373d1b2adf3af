/** SQL over documents. Every statement filters by workspace and applies no business rule. */
import { sql, type ExpressionBuilder, type SqlBool, type Expression, type Updateable } from 'kysely';
import type { Database, DocumentRecord, DocumentsTable } from '../../database/tables.ts';
import { withFilterLimit } from '../../database/filter-limit.ts';
import { fetchPage } from '../../database/fetch-page.ts';
import type { Executor } from '../../database/transaction.ts';
import type { Narrowing } from '../filters/filter-narrowing.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { QueuedDocument } from './enqueue.ts';
import type { DocumentListFilter } from './types.ts';
import { UNREAD_MEMBER } from './unread-member.ts';

/** A condition on documents. It qualifies its columns (`documents.name`), so that it can be used in joins. */
export interface DocumentCondition {
  (eb: ExpressionBuilder<Database, 'documents'>): Expression<SqlBool>;
  /** A weaker condition that a database index can answer: it matches a superset. Slow if that index is not used. */
  readonly narrowing?: Narrowing | null;
  /** Whether a database index can find documents by a value in the condition. */
  readonly hasEquality?: boolean;
  /** Equal for equivalent conditions, to cache by; conditions that were parsed from a filter have one. */
  readonly identity?: string;
}

export class DocumentRepository {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** Returns the record, also of a deleted one. */
  findById(workspaceId: string, documentId: string): Promise<DocumentRecord | undefined> {
    return this.#executor
      .selectFrom('documents')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', documentId)
      .executeTakeFirst();
  }

  lock(workspaceId: string, documentId: string): Promise<DocumentRecord | undefined> {
    return this.#executor
      .selectFrom('documents')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', documentId)
      .forUpdate()
      .executeTakeFirst();
  }

  /** Locks documents that are not deleted, in the order of their keys, and returns them. */
  lockLive(workspaceId: string, documentIds: readonly string[]): Promise<DocumentRecord[]> {
    return this.#executor
      .selectFrom('documents')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', (eb) => eb.fn.any(eb.val([...documentIds])))
      .where('deleted_at', 'is', null)
      .orderBy('key')
      .forUpdate()
      .execute();
  }

  /** Returns the members of an archive that are not deleted. */
  liveMembers(archiveId: string): Promise<DocumentRecord[]> {
    return this.#executor
      .selectFrom('documents')
      .selectAll()
      .where('parent_id', '=', archiveId)
      .where('deleted_at', 'is', null)
      .execute();
  }

  /** Returns the oldest document with these bytes; `among` restricts the documents. */
  findBySha256(
    workspaceId: string,
    collectionId: string,
    sha256: string,
    among?: DocumentCondition,
  ): Promise<DocumentRecord | undefined> {
    const same = this.#executor
      .selectFrom('documents')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('collection_id', '=', collectionId)
      .where('sha256', '=', sha256)
      .where('deleted_at', 'is', null);
    return (among === undefined ? same : same.where(among)).orderBy('id').limit(1).executeTakeFirst();
  }

  /** Serializes uploads of the same bytes to a collection until the transaction ends (advisory lock). */
  async lockContent(collectionId: string, sha256: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${collectionId}:${sha256}`}, 0))`.execute(
      this.#executor,
    );
  }

  list(
    workspaceId: string,
    collectionId: string,
    filter: DocumentListFilter,
    query: ListQuery,
  ): Promise<ListPage<DocumentRecord>> {
    let base = this.#executor
      .selectFrom('documents')
      .where('workspace_id', '=', workspaceId)
      .where('collection_id', '=', collectionId)
      .where('deleted_at', filter.status === 'deleted' ? 'is not' : 'is', null);
    if (filter.status !== undefined && filter.status !== 'deleted') base = base.where('status', '=', filter.status);
    if (filter.errorType !== undefined) {
      base = base.where('status', '=', 'failed').where('error_type', '=', filter.errorType);
    }
    const { warning } = filter;
    if (warning !== undefined) {
      // The first condition lets the partial index answer.
      base = base
        .where(sql<boolean>`warnings <> '[]'::jsonb`)
        .where(sql<boolean>`warnings @> ${JSON.stringify([{ type: warning }])}::jsonb`);
    }
    const name = filter.name;
    if (name !== undefined) {
      base = base.where((eb) => eb(eb.fn('strpos', [eb.fn('lower', ['name']), eb.val(name.toLowerCase())]), '>', 0));
    }
    if (filter.parentId !== undefined) base = base.where('parent_id', '=', filter.parentId);
    if (filter.among !== undefined) base = base.where(filter.among);
    const wide = { executor: this.#executor, columns: ['metadata', 'warnings'] };
    return withFilterLimit(filter.among, () => fetchPage(base.selectAll(), query, wide));
  }

  update(
    workspaceId: string,
    documentId: string,
    changes: Updateable<DocumentsTable>,
  ): Promise<DocumentRecord | undefined> {
    return this.#executor
      .updateTable('documents')
      .set(changes)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', documentId)
      .returningAll()
      .executeTakeFirst();
  }

  /** Merges the patch into the metadata by top-level key; null removes a key. */
  mergeMetadata(
    workspaceId: string,
    documentId: string,
    patch: Record<string, unknown>,
  ): Promise<DocumentRecord | undefined> {
    const removed = Object.keys(patch).filter((key) => patch[key] === null);
    const merged = sql<string>`(metadata || ${JSON.stringify(patch)}::jsonb) - ${removed}::text[]`;
    return this.update(workspaceId, documentId, { metadata: merged as never, modified_at: new Date() });
  }

  /**
   * Marks documents as deleted, with the members of archives among them; running attempts lose their token. Returns the
   * matching documents that were not deleted before. Documents are locked in the order of their keys, so that
   * overlapping calls do not deadlock.
   */
  async markDeleted(
    workspaceId: string,
    collectionId: string,
    condition: DocumentCondition,
  ): Promise<{ id: string }[]> {
    // One time for all: undeleting an archive restores the members that were deleted with it.
    const deletedAt = new Date();
    const hidden = await this.#hide(workspaceId, deletedAt, (eb) =>
      eb.and([eb('documents.collection_id', '=', collectionId), condition(eb)]),
    );
    let archives = hidden.filter((row) => row.is_archive).map((row) => row.id);
    while (archives.length > 0) {
      const members = await this.#hide(workspaceId, deletedAt, (eb) =>
        eb('documents.parent_id', '=', eb.fn.any(eb.val(archives))),
      );
      archives = members.filter((row) => row.is_archive).map((row) => row.id);
    }
    return hidden;
  }

  #hide(
    workspaceId: string,
    deletedAt: Date,
    condition: DocumentCondition,
  ): Promise<{ id: string; is_archive: boolean }[]> {
    return this.#executor
      .with('held', (cte) =>
        cte
          .selectFrom('documents')
          .select('id')
          .where('workspace_id', '=', workspaceId)
          .where('deleted_at', 'is', null)
          .where(condition)
          .orderBy('key')
          .forUpdate(),
      )
      .updateTable('documents')
      .from('held')
      .set({ deleted_at: deletedAt, attempt_token: null })
      .whereRef('documents.id', '=', 'held.id')
      .returning(['documents.id', 'documents.is_archive'])
      .execute();
  }

  /** Applies the changes to every failed document that matches the condition, in the order of their keys. */
  restartFailed(
    workspaceId: string,
    collectionId: string,
    condition: DocumentCondition,
    changes: Updateable<DocumentsTable>,
  ): Promise<QueuedDocument[]> {
    return this.#executor
      .with('failed', (cte) =>
        cte
          .selectFrom('documents')
          .select('id')
          .where('workspace_id', '=', workspaceId)
          .where('collection_id', '=', collectionId)
          .where('status', '=', 'failed')
          .where('deleted_at', 'is', null)
          .where((eb) => eb.or([eb('parent_id', 'is', null), eb('content_type', '!=', UNREAD_MEMBER.contentType)]))
          .where(condition)
          .orderBy('key')
          .forUpdate(),
      )
      .updateTable('documents')
      .from('failed')
      .set(changes)
      .whereRef('documents.id', '=', 'failed.id')
      .returning([
        'documents.id',
        'documents.workspace_id',
        'documents.revision',
        'documents.format',
        'documents.size_bytes',
      ])
      .execute();
  }

  /** Returns the document and, for an archive, its members at any depth. */
  family(workspaceId: string, documentId: string): Promise<DocumentRecord[]> {
    return this.#executor
      .withRecursive('family', (cte) =>
        cte
          .selectFrom('documents')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', documentId)
          .unionAll(
            cte.selectFrom('documents').innerJoin('family', 'family.id', 'documents.parent_id').selectAll('documents'),
          ),
      )
      .selectFrom('family')
      .selectAll()
      .execute();
  }

  async erase(workspaceId: string, documentIds: readonly string[]): Promise<void> {
    await this.#executor
      .deleteFrom('documents')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', (eb) => eb.fn.any(eb.val([...documentIds])))
      .execute();
  }

  /** Counts unfinished documents of the workspace up to a cap, for job priorities. */
  async backlog(workspaceId: string, cap: number): Promise<number> {
    const row = await this.#executor
      .selectFrom((eb) =>
        eb
          .selectFrom('documents')
          .select('id')
          .where('workspace_id', '=', workspaceId)
          .where('status', '=', 'indexing')
          .where('deleted_at', 'is', null)
          .limit(cap)
          .as('pending'),
      )
      .select((eb) => eb.fn.countAll<string>().as('pending'))
      .executeTakeFirstOrThrow();
    return Number(row.pending);
  }
}
