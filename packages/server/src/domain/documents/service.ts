/**
 * The use cases of documents: create, replace, update, retry, read. `removal.ts` deletes them and `ingestion.ts`
 * processes them.
 */
import type { Kysely } from 'kysely';
import type { Notifications } from '../../database/notifications.ts';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { WorkspaceQuota } from '../workspaces/quota.ts';
import { waitForRecord } from '../changes/wait-for-record.ts';
import { DocumentCreation } from './creation.ts';
import { checkMergedMetadata } from './merged-metadata.ts';
import { requireLiveDocument } from './live-document.ts';
import { DocumentReplacement } from './replacement.ts';
import { DocumentRepository, type DocumentCondition } from './repository.ts';
import { DocumentRetrying } from './retrying.ts';
import { idsInScope, refuseArchive, requireInScope, requireStillInScope, type DocumentScope } from './scope.ts';
import type { CommittedUpload } from './stored-upload.ts';
import {
  documentTopic,
  isTerminal,
  type DocumentFields,
  type DocumentListFilter,
  type InspectUpload,
  type NewContent,
  type NewDocument,
  type WithinTransaction,
} from './types.ts';

export interface DocumentServiceDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  notifications: Notifications;
  inspectUpload: InspectUpload;
  /** Default: no limit. */
  quota?: WorkspaceQuota | undefined;
  /** Reports why a batch of uploads failed; they are then committed one by one. */
  onBatchFailed: (error: unknown) => void;
}

export class DocumentService {
  readonly #deps: DocumentServiceDeps;
  readonly #documents: DocumentRepository;
  readonly #creation: DocumentCreation;
  readonly #replacement: DocumentReplacement;
  readonly #retrying: DocumentRetrying;

  constructor(deps: DocumentServiceDeps) {
    this.#deps = deps;
    this.#documents = new DocumentRepository(deps.database);
    this.#creation = new DocumentCreation(deps);
    this.#replacement = new DocumentReplacement(deps);
    this.#retrying = new DocumentRetrying(deps);
  }

  /**
   * Creates a document: when this resolves, its bytes are fsynced and its record and job are committed. With
   * `duplicates: skip` the record may be an older one with the same bytes (`created: false`). `within` runs in the
   * transaction of a new document.
   */
  create(
    workspaceId: string,
    collectionId: string,
    input: NewDocument,
    scope: DocumentScope | null = null,
    within?: WithinTransaction,
  ): Promise<CommittedUpload> {
    return this.#creation.create(workspaceId, collectionId, input, scope, within);
  }

  /**
   * Gives a document new content as its next revision. The old revision stays searchable until the new one is ready.
   */
  replace(
    workspaceId: string,
    documentId: string,
    input: NewContent,
    scope: DocumentScope | null = null,
    within?: WithinTransaction,
  ): Promise<DocumentRecord> {
    return this.#replacement.replace(workspaceId, documentId, input, scope, within);
  }

  /** Restarts the ingestion of a failed document. */
  retry(workspaceId: string, documentId: string, scope: DocumentScope | null = null): Promise<DocumentRecord> {
    return this.#retrying.retry(workspaceId, documentId, scope);
  }

  /**
   * Restarts the ingestion of every failed document that matches the condition, and returns their number. Members that
   * could not be unpacked are skipped: retrying their archive reads them again.
   */
  retryMany(
    workspaceId: string,
    collectionId: string,
    condition: DocumentCondition,
    scope: DocumentScope | null = null,
  ): Promise<number> {
    return this.#retrying.retryMany(workspaceId, collectionId, condition, scope);
  }

  /**
   * Changes name and metadata. The metadata patch is merged; null removes a key. Filters apply it to the next query.
   */
  async update(
    workspaceId: string,
    documentId: string,
    changes: DocumentFields,
    scope: DocumentScope | null = null,
  ): Promise<DocumentRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const documents = new DocumentRepository(transaction);
      let record = requireLiveDocument(await documents.lock(workspaceId, documentId));
      refuseArchive(record.is_archive, scope);
      await requireInScope(transaction, record, scope);
      if (changes.name !== undefined) {
        record = requireLiveDocument(
          await documents.update(workspaceId, documentId, { name: changes.name, modified_at: new Date() }),
        );
      }
      if (changes.metadata !== undefined) {
        checkMergedMetadata(record.metadata, changes.metadata);
        record = requireLiveDocument(await documents.mergeMetadata(workspaceId, documentId, changes.metadata));
      }
      await requireStillInScope(transaction, workspaceId, [documentId], scope);
      return record;
    });
  }

  /** Returns the record, also of a deleted one; undefined if the workspace has none of this id. */
  findById(workspaceId: string, documentId: string): Promise<DocumentRecord | undefined> {
    return this.#documents.findById(workspaceId, documentId);
  }

  /** Returns those of the documents that are in the scope. */
  idsInScope(workspaceId: string, ids: readonly string[], scope: DocumentScope): Promise<ReadonlySet<string>> {
    return idsInScope(this.#deps.database, workspaceId, ids, scope);
  }

  isInScope({ workspace_id: workspaceId, id }: DocumentRecord, scope: DocumentScope): Promise<boolean> {
    return idsInScope(this.#deps.database, workspaceId, [id], scope).then((found) => found.has(id));
  }

  list(
    workspaceId: string,
    collectionId: string,
    filter: DocumentListFilter,
    query: ListQuery,
  ): Promise<ListPage<DocumentRecord>> {
    return this.#documents.list(workspaceId, collectionId, filter, query);
  }

  /** Resolves when the document is `ready`, `failed` or deleted, or after `waitMs`. */
  async wait(
    workspaceId: string,
    documentId: string,
    waitMs: number,
    signal?: AbortSignal,
    scope: DocumentScope | null = null,
  ): Promise<DocumentRecord> {
    const record = await waitForRecord({
      notifications: this.#deps.notifications,
      topic: documentTopic(documentId),
      read: () => this.#documents.findById(workspaceId, documentId),
      isDone: isTerminal,
      waitMs,
      signal,
    });
    await requireInScope(this.#deps.database, record, scope);
    return record;
  }
}
