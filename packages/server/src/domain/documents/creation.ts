/** Creates documents from uploads. Uploads that need no check inside the transaction share one with concurrent ones. */
import type { Kysely, Transaction } from 'kysely';
import { auditResource, carryAudit, skipAudit } from '../../database/pending-audit.ts';
import { orCommitted } from '../../database/or-committed.ts';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import { conflict, notFound } from '../../errors.ts';
import { outsideRequest } from '../../logger.ts';
import { Backlogs } from '../../queue/backlogs.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { newId } from '../../shared/uuid.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { unlessCommitted, withAudits } from '../audit/with-audits.ts';
import { requireLiveCollection } from '../collections/live.ts';
import type { WorkspaceQuota } from '../workspaces/quota.ts';
import { createBatch, insertDocuments, type NewRecord } from './batches/batched-inserts.ts';
import { enqueueIngestions } from './enqueue.ts';
import { DocumentRepository } from './repository.ts';
import { refuseArchive, requireStillInScope, type DocumentScope } from './scope.ts';
import { contentColumns, storeUpload, type CommittedUpload } from './stored-upload.ts';
import type { InspectUpload, NewDocument, WithinTransaction } from './types.ts';

export interface DocumentCreationDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  inspectUpload: InspectUpload;
  /** Default: no limit. */
  quota?: WorkspaceQuota | undefined;
  /** Reports why a batch of uploads failed; they are then committed one by one. */
  onBatchFailed: (error: unknown) => void;
}

/** Maximum number of concurrent uploads that one transaction commits, with one disk write. */
const MAX_BATCH_SIZE = 64;

/** Minimum time between two transactions that create documents, in ms: the uploads that end meanwhile share one. */
const LINGER_MS = 10;

export class DocumentCreation {
  readonly #deps: DocumentCreationDeps;
  readonly #documents: DocumentRepository;
  readonly #batches: BatchedCalls<NewRecord, DocumentRecord>;

  constructor(deps: DocumentCreationDeps) {
    this.#deps = deps;
    this.#documents = new DocumentRepository(deps.database);
    const backlogs = new Backlogs((workspaceId, cap) => this.#documents.backlog(workspaceId, cap));
    const creation = { ...deps, backlogs };
    this.#batches = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: (records) => outsideRequest(() => createBatch(creation, records)),
      runSingle: (record) => outsideRequest(() => this.#createAfterBatch(record)),
      onBatchFailed: deps.onBatchFailed,
      lingerMs: LINGER_MS,
    });
  }

  /** See `DocumentService.create`. */
  async create(
    workspaceId: string,
    collectionId: string,
    input: NewDocument,
    scope: DocumentScope | null,
    within: WithinTransaction | undefined,
  ): Promise<CommittedUpload> {
    const name = input.name ?? input.upload.name;
    const file = await this.#deps.inspectUpload({ ...input.upload, name });
    refuseArchive(file.isArchive, scope);
    if (input.duplicates !== 'allow') {
      const { sha256 } = input.upload;
      const twin = await this.#documents.findBySha256(workspaceId, collectionId, sha256, scope?.condition);
      if (twin !== undefined) return acceptDuplicate(twin, input);
    }
    const added = { documents: 1, bytes: input.upload.sizeBytes };
    await this.#deps.quota?.check(this.#deps.database, workspaceId, added);
    const document = { id: newId(), workspace_id: workspaceId, collection_id: collectionId };
    return storeUpload(this.#deps.store, document, input.upload, async (contentId) => {
      const record = {
        ...document,
        parent_id: null,
        ...contentColumns(name, file, input.upload, contentId),
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
        return { record: await this.#batches.call(record), created: true };
      }
      const find = async (): Promise<CommittedUpload | undefined> => {
        const found = await this.#documents.findById(workspaceId, document.id);
        if (found !== undefined) skipAudit();
        return found === undefined ? undefined : { record: found, created: true };
      };
      return orCommitted(() => this.#createChecked(record, input, scope), find);
    });
  }

  /** Creates a document together with other writes of its caller. */
  #createWithin(record: NewRecord, within: WithinTransaction): Promise<DocumentRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const inserted = await this.#insert(transaction, record);
      await within(transaction, inserted);
      return inserted;
    });
  }

  /** Creates a document in a transaction of its own, which checks for duplicates and the scope. */
  #createChecked(record: NewRecord, input: NewDocument, scope: DocumentScope | null): Promise<CommittedUpload> {
    const { workspace_id: workspaceId, collection_id: collectionId, sha256 } = record;
    return this.#deps.database.transaction().execute(async (transaction) => {
      if (input.duplicates !== 'allow') {
        const documents = new DocumentRepository(transaction);
        await documents.lockContent(collectionId, sha256);
        const twin = await documents.findBySha256(workspaceId, collectionId, sha256, scope?.condition);
        if (twin !== undefined) return acceptDuplicate(twin, input);
      }
      const inserted = await this.#insert(transaction, record);
      await requireStillInScope(transaction, workspaceId, [inserted.id], scope);
      return { record: inserted, created: true };
    });
  }

  /** Creates a document of a failed batch. */
  #createAfterBatch(record: NewRecord): Promise<DocumentRecord> {
    const find = (): Promise<DocumentRecord | undefined> => this.#documents.findById(record.workspace_id, record.id);
    return unlessCommitted(record, find, () =>
      withAudits(this.#deps.database, async (transaction) => {
        const inserted = await this.#insert(transaction, record);
        return { result: inserted, written: [record] };
      }),
    );
  }

  async #insert(transaction: Transaction<Database>, record: NewRecord): Promise<DocumentRecord> {
    await requireLiveCollection(transaction, record.workspace_id, record.collection_id);
    const [inserted] = await insertDocuments(transaction, [record], this.#deps.quota);
    if (inserted === undefined) throw notFound();
    await enqueueIngestions(transaction, this.#deps.queue, [inserted]);
    return inserted;
  }
}

/** Returns the document with the same bytes, or throws 409, as the policy of the upload says. */
function acceptDuplicate(twin: DocumentRecord, { duplicates }: NewDocument): CommittedUpload {
  if (duplicates === 'skip') {
    skipAudit();
    return { record: twin, created: false };
  }
  throw conflict('The collection already has a document with the same content', { documentId: twin.id });
}
