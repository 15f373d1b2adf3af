/** Deletes, restores and purges documents. A deletion hides a document; a purge erases it from every store. */
import type { Kysely, Transaction } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import { auditDetails } from '../../database/pending-audit.ts';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import { withFilterLimit } from '../../database/filter-limit.ts';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import { enqueuePurge } from '../../queue/enqueue-purge.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { bulkDetails } from '../audit/bulk-details.ts';
import { eraseQuotes } from '../chats/erased-quotes.ts';
import { requireLiveCollection } from '../collections/live.ts';
import { enqueueIngestions } from './enqueue.ts';
import { freshAttempt } from './fresh-attempt.ts';
import { DocumentRepository, type DocumentCondition } from './repository.ts';
import { changeableIn, refuseArchive, requireInScope, requireStillInScope, type DocumentScope } from './scope.ts';
import { documentTopic } from './types.ts';

export interface DocumentRemovalDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
}

export class DocumentRemoval {
  readonly #deps: DocumentRemovalDeps;

  constructor(deps: DocumentRemovalDeps) {
    this.#deps = deps;
  }

  async remove(
    workspaceId: string,
    collectionId: string,
    documentId: string,
    purge: boolean,
    scope: DocumentScope | null = null,
  ): Promise<DocumentRecord> {
    return purge
      ? this.#purge(workspaceId, collectionId, documentId, scope)
      : this.#hide(workspaceId, collectionId, documentId, scope);
  }

  /** Deletes softly, in any status: hidden from search when this resolves. The original stays in storage. */
  async #hide(
    workspaceId: string,
    collectionId: string,
    documentId: string,
    scope: DocumentScope | null,
  ): Promise<DocumentRecord> {
    await this.deleteMany(workspaceId, collectionId, (eb) => eb('documents.id', '=', documentId), scope);
    const { database } = this.#deps;
    const record = await new DocumentRepository(database).findById(workspaceId, documentId);
    if (record === undefined) throw notFound();
    refuseArchive(record.is_archive, scope);
    await requireInScope(database, record, scope);
    return record;
  }

  /** Deletes every document of the collection that matches the condition, and returns their number. */
  async deleteMany(
    workspaceId: string,
    collectionId: string,
    condition: DocumentCondition,
    scope: DocumentScope | null = null,
  ): Promise<number> {
    const among = changeableIn(scope, condition);
    return withFilterLimit(condition.identity === undefined ? scope : condition, () =>
      this.#transaction(async (transaction) => {
        const hidden = await new DocumentRepository(transaction).markDeleted(workspaceId, collectionId, among);
        auditDetails(bulkDetails(hidden.map(({ id }) => id)));
        for (const { id } of hidden) await this.#deps.notifications.publish(transaction, documentTopic(id));
        return hidden.length;
      }),
    );
  }

  /** Restores the document in its former status; an interrupted ingestion is queued again. */
  async undelete(workspaceId: string, documentId: string, scope: DocumentScope | null = null): Promise<DocumentRecord> {
    return this.#transaction(async (transaction) => {
      const documents = new DocumentRepository(transaction);
      const current = await documents.lock(workspaceId, documentId);
      if (current === undefined) throw notFound();
      refuseArchive(current.is_archive, scope);
      await requireInScope(transaction, current, scope);
      if (current.deleted_at === null) return current;
      await requireLiveCollection(transaction, workspaceId, current.collection_id);
      const hiddenWith = current.deleted_at.getTime();
      for (const member of await documents.family(workspaceId, documentId)) {
        if (member.deleted_at?.getTime() !== hiddenWith) continue;
        const restored = { deleted_at: null, ...(member.status === 'indexing' ? freshAttempt('indexing') : {}) };
        const record = await documents.update(workspaceId, member.id, restored);
        if (record?.status === 'indexing') await enqueueIngestions(transaction, this.#deps.queue, [record]);
      }
      const record = await documents.findById(workspaceId, documentId);
      if (record === undefined) throw notFound();
      await requireStillInScope(transaction, workspaceId, [documentId], scope);
      return record;
    });
  }

  /** Erases record, chunks, artifacts and quotes in chats; of an archive its members too. */
  async #purge(
    workspaceId: string,
    collectionId: string,
    documentId: string,
    scope: DocumentScope | null,
  ): Promise<DocumentRecord> {
    const { queue, notifications } = this.#deps;
    return this.#transaction(async (transaction) => {
      const documents = new DocumentRepository(transaction);
      const record = await documents.lock(workspaceId, documentId);
      if (record === undefined) throw notFound();
      refuseArchive(record.is_archive, scope);
      await requireInScope(transaction, record, scope);
      const family = (await documents.family(workspaceId, documentId)).map(({ id, key }) => ({ id, key }));
      await documents.erase(workspaceId, [documentId]);
      await eraseQuotes(transaction, { workspaceId, collectionId, documentIds: family.map(({ id }) => id) });
      await enqueuePurge(transaction, queue, 'purge-documents', { workspaceId, collectionId, documents: family });
      await notifications.publish(transaction, documentTopic(documentId));
      return { ...record, deleted_at: record.deleted_at ?? new Date() };
    });
  }

  #transaction<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
    return retryDeadlock(() => this.#deps.database.transaction().execute(work));
  }
}
