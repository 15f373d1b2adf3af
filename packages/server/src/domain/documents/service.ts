/** Documents: create, replace, update, retry, read. `removal.ts` deletes them and `ingestion.ts` processes them. */
import type { Kysely, Transaction } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import { auditDetails, auditResource, carryAudit, skipAudit } from '../../database/pending-audit.ts';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import type { Notifications } from '../../database/notifications.ts';
import { apiError, conflict, deleted, notFound } from '../../errors.ts';
import { Backlogs } from '../../queue/backlogs.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { isConnectionLoss } from '../../shared/connection-loss.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { newId } from '../../shared/uuid.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { waitForRecord } from '../changes/wait-for-record.ts';
import { requireLiveCollection } from '../collections/live.ts';
import { outsideRequest } from '../../logger.ts';
import { bulkDetails } from '../audit/bulk-details.ts';
import { unlessCommitted, withAudits } from '../audit/with-audits.ts';
import { createBatch, insertDocuments, type NewRecord } from './batches/batched-inserts.ts';
import { enqueueIngestions } from './enqueue.ts';
import { freshAttempt } from './fresh-attempt.ts';
import { DocumentRepository, type DocumentCondition } from './repository.ts';
import {
  changeableIn,
  idsInScope,
  refuseArchive,
  requireInScope,
  requireStillInScope,
  type DocumentScope,
} from './scope.ts';
import { nextStatus } from './status.ts';
import {
  documentTopic,
  isTerminal,
  type DocumentFields,
  type DocumentListFilter,
  type InspectedFile,
  type InspectUpload,
  type NewDocument,
  type Upload,
} from './types.ts';
import { isUnreadMember } from './unread-member.ts';

export interface DocumentServiceDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  notifications: Notifications;
  inspectUpload: InspectUpload;
  /** Reports why a batch of uploads failed; they are then committed one by one. */
  onBatchFailed: (error: unknown) => void;
}

/** Writes that commit together with the new content of a document. */
export type WithinTransaction = (transaction: Transaction<Database>, record: DocumentRecord) => Promise<void>;

/** Maximum number of concurrent uploads that one transaction commits, with one disk write. */
const MAX_BATCH_SIZE = 64;

/** Minimum time between two transactions that create documents, in ms: the uploads that end meanwhile share one. */
const CREATION_LINGER_MS = 10;

export class DocumentService {
  readonly #deps: DocumentServiceDeps;
  readonly #documents: DocumentRepository;
  readonly #creations: BatchedCalls<NewRecord, DocumentRecord>;

  constructor(deps: DocumentServiceDeps) {
    this.#deps = deps;
    this.#documents = new DocumentRepository(deps.database);
    const backlogs = new Backlogs((workspaceId, cap) => this.#documents.backlog(workspaceId, cap));
    const creation = { ...deps, backlogs };
    this.#creations = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: (records) => outsideRequest(() => createBatch(creation, records)),
      runSingle: (record) => outsideRequest(() => this.#insertAlone(record)),
      onBatchFailed: deps.onBatchFailed,
      lingerMs: CREATION_LINGER_MS,
    });
  }

  #insertAlone(record: NewRecord): Promise<DocumentRecord> {
    const find = (): Promise<DocumentRecord | undefined> => this.#documents.findById(record.workspace_id, record.id);
    return unlessCommitted(record, find, () =>
      withAudits(this.#deps.database, async (transaction) => {
        const inserted = await this.#insert(transaction, record);
        return { result: inserted, written: [record] };
      }),
    );
  }

  /**
   * Creates a document: when this resolves, its bytes are fsynced and its record and job are committed. With
   * `duplicates: skip` the record may be an older one with the same bytes (`created: false`). `within` runs in the
   * transaction of a new document.
   */
  async create(
    workspaceId: string,
    collectionId: string,
    input: NewDocument,
    scope: DocumentScope | null = null,
    within?: WithinTransaction,
  ): Promise<{ record: DocumentRecord; created: boolean }> {
    const name = input.name ?? input.upload.name;
    const file = await this.#deps.inspectUpload({ ...input.upload, name });
    refuseArchive(file.isArchive, scope);
    if (input.duplicates !== 'allow') {
      const { sha256 } = input.upload;
      const twin = await this.#documents.findBySha256(workspaceId, collectionId, sha256, scope?.condition);
      if (twin !== undefined) return this.#duplicate(twin, input);
    }
    const document = { id: newId(), workspace_id: workspaceId, collection_id: collectionId };
    return this.#storing(document, input.upload, async (contentId) => {
      const record = {
        ...document,
        parent_id: null,
        ...contentFields(name, file, input.upload, contentId),
        metadata: JSON.stringify(input.metadata ?? {}),
        status: 'indexing' as const,
        stage: 'queued' as const,
        error_type: null,
        error_message: null,
      };
      auditResource('document', document.id);
      if (within !== undefined) return { record: await this.#createWithin(record, within), created: true };
      if (input.duplicates === 'allow' && scope === null) {
        carryAudit(record);
        return { record: await this.#creations.call(record), created: true };
      }
      return this.#createAlone(record, input, scope);
    });
  }

  #createWithin(record: NewRecord, within: WithinTransaction): Promise<DocumentRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const inserted = await this.#insert(transaction, record);
      await within(transaction, inserted);
      return inserted;
    });
  }

  /** Creates a document in a transaction of its own: for checks of duplicates, and of the scope. */
  async #createAlone(
    record: NewRecord,
    input: NewDocument,
    scope: DocumentScope | null,
  ): Promise<{ record: DocumentRecord; created: boolean }> {
    const { workspace_id: workspaceId, collection_id: collectionId, sha256 } = record;
    return this.#deps.database.transaction().execute(async (transaction) => {
      if (input.duplicates !== 'allow') {
        const documents = new DocumentRepository(transaction);
        await documents.lockContent(collectionId, sha256);
        const twin = await documents.findBySha256(workspaceId, collectionId, sha256, scope?.condition);
        if (twin !== undefined) return this.#duplicate(twin, input);
      }
      const inserted = await this.#insert(transaction, record);
      await requireStillInScope(transaction, workspaceId, [inserted.id], scope);
      return { record: inserted, created: true };
    });
  }

  async #insert(transaction: Transaction<Database>, record: NewRecord): Promise<DocumentRecord> {
    await requireLiveCollection(transaction, record.workspace_id, record.collection_id);
    const [inserted] = await insertDocuments(transaction, [record]);
    if (inserted === undefined) throw notFound();
    await enqueueIngestions(transaction, this.#deps.queue, [inserted]);
    return inserted;
  }

  /**
   * Gives a document new content as its next revision. The old revision stays searchable until the new one is ready.
   */
  async replace(
    workspaceId: string,
    documentId: string,
    input: Omit<NewDocument, 'duplicates'>,
    scope: DocumentScope | null = null,
    within?: WithinTransaction,
  ): Promise<DocumentRecord> {
    const current = this.#live(await this.#documents.findById(workspaceId, documentId));
    const name = input.name ?? input.upload.name;
    const file = await this.#deps.inspectUpload({ ...input.upload, name });
    if (file.isArchive !== current.is_archive) {
      throw conflict('An archive cannot replace a single document, nor the other way round', { format: file.format });
    }
    refuseArchive(file.isArchive, scope);
    const { record } = await this.#storing(current, input.upload, async (contentId) =>
      this.#deps.database.transaction().execute(async (transaction) => {
        const documents = new DocumentRepository(transaction);
        const locked = this.#live(await documents.lock(workspaceId, documentId));
        await requireInScope(transaction, locked, scope);
        const status = nextStatus(locked.status, 'replace');
        if (status === undefined) throw conflict('The document cannot be replaced now', { status: locked.status });
        const record = await documents.update(workspaceId, documentId, {
          ...contentFields(name, file, input.upload, contentId),
          ...(input.metadata === undefined ? {} : { metadata: JSON.stringify(input.metadata) }),
          ...freshAttempt(status),
          revision: locked.revision + 1,
          modified_at: new Date(),
        });
        if (record === undefined) throw notFound();
        await requireStillInScope(transaction, workspaceId, [documentId], scope);
        if (locked.content_id !== locked.searchable_content_id) {
          const prefix = storageKeys.content(locked, locked.content_id);
          await this.#deps.queue.enqueue(transaction, 'purge-content', { prefix });
        }
        await enqueueIngestions(transaction, this.#deps.queue, [record]);
        await within?.(transaction, record);
        return { record, created: true };
      }),
    );
    return record;
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
    const record = await this.#wait(workspaceId, documentId, waitMs, signal);
    await requireInScope(this.#deps.database, record, scope);
    return record;
  }

  #wait(workspaceId: string, documentId: string, waitMs: number, signal?: AbortSignal): Promise<DocumentRecord> {
    return waitForRecord({
      notifications: this.#deps.notifications,
      topic: documentTopic(documentId),
      read: () => this.#documents.findById(workspaceId, documentId),
      isDone: isTerminal,
      waitMs,
      signal,
    });
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
      let record = this.#live(await documents.lock(workspaceId, documentId));
      refuseArchive(record.is_archive, scope);
      await requireInScope(transaction, record, scope);
      if (changes.name !== undefined) {
        record = this.#live(
          await documents.update(workspaceId, documentId, { name: changes.name, modified_at: new Date() }),
        );
      }
      if (changes.metadata !== undefined) {
        record = this.#live(await documents.mergeMetadata(workspaceId, documentId, changes.metadata));
      }
      await requireStillInScope(transaction, workspaceId, [documentId], scope);
      return record;
    });
  }

  /** Restarts the ingestion of a failed document. */
  async retry(workspaceId: string, documentId: string, scope: DocumentScope | null = null): Promise<DocumentRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const documents = new DocumentRepository(transaction);
      const current = this.#live(await documents.lock(workspaceId, documentId));
      refuseArchive(current.is_archive, scope);
      await requireInScope(transaction, current, scope);
      const status = nextStatus(current.status, 'retry');
      if (status === undefined) throw conflict('Only a failed document can be retried', { status: current.status });
      if (isUnreadMember(current)) {
        const reason = 'This member could not be unpacked; retry its archive instead';
        throw conflict(reason, { parentId: current.parent_id });
      }
      const record = this.#live(await documents.update(workspaceId, documentId, freshAttempt(status)));
      await requireStillInScope(transaction, workspaceId, [documentId], scope);
      await enqueueIngestions(transaction, this.#deps.queue, [record]);
      return record;
    });
  }

  /**
   * Restarts the ingestion of every failed document that matches the condition, and returns their number. Members that
   * could not be unpacked are skipped: retrying their archive reads them again.
   */
  async retryMany(
    workspaceId: string,
    collectionId: string,
    condition: DocumentCondition,
    scope: DocumentScope | null = null,
  ): Promise<number> {
    const restart = async (transaction: Transaction<Database>): Promise<number> => {
      const documents = new DocumentRepository(transaction);
      const changes = freshAttempt('indexing');
      const among = changeableIn(scope, condition);
      const restarted = await documents.restartFailed(workspaceId, collectionId, among, changes);
      const ids = restarted.map(({ id }) => id);
      auditDetails(bulkDetails(ids));
      await requireStillInScope(transaction, workspaceId, ids, scope);
      await enqueueIngestions(transaction, this.#deps.queue, restarted);
      return restarted.length;
    };
    return retryDeadlock(() => this.#deps.database.transaction().execute(restart));
  }

  #duplicate(twin: DocumentRecord, input: NewDocument): { record: DocumentRecord; created: false } {
    if (input.duplicates === 'skip') {
      skipAudit();
      return { record: twin, created: false };
    }
    throw conflict('The collection already has a document with the same content', { documentId: twin.id });
  }

  #live(record: DocumentRecord | undefined): DocumentRecord {
    if (record === undefined) throw notFound();
    if (record.deleted_at !== null) throw deleted('The document is deleted', { documentId: record.id });
    return record;
  }

  /** Stores the original durably, then runs `commit`; deletes the object if `commit` throws or does not use it. */
  async #storing(
    document: Pick<DocumentRecord, 'id' | 'workspace_id' | 'collection_id'>,
    upload: Upload,
    commit: (contentId: string) => Promise<{ record: DocumentRecord; created: boolean }>,
  ): Promise<{ record: DocumentRecord; created: boolean }> {
    const contentId = newId();
    const key = storageKeys.original(document, contentId);
    await this.#deps.store.putFile(key, upload.path);
    try {
      const result = await commit(contentId);
      if (!result.created) await this.#deps.store.delete(key);
      return result;
    } catch (error) {
      // After a lost connection the record may exist and need the file.
      if (!isConnectionLoss(error)) await this.#deps.store.delete(key);
      throw error;
    }
  }
}

function contentFields(name: string, file: InspectedFile, upload: Upload, contentId: string) {
  if (name.trim() === '') {
    throw apiError(422, 'string_too_short', 'String should have at least 1 character', {
      loc: ['body', 'name'],
      ctx: { min_length: 1 },
    });
  }
  return {
    name,
    format: file.format,
    content_type: file.contentType,
    size_bytes: upload.sizeBytes,
    sha256: upload.sha256,
    content_id: contentId,
    is_archive: file.isArchive,
  };
}
