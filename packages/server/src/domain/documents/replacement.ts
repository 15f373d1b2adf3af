/** Replaces the content of a document by that of an upload. */
import type { Kysely } from 'kysely';
import { orCommitted } from '../../database/or-committed.ts';
import { skipAudit } from '../../database/pending-audit.ts';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import { conflict, notFound } from '../../errors.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { usageOf, type Usage, type WorkspaceQuota } from '../workspaces/quota.ts';
import { enqueueIngestions } from './enqueue.ts';
import { freshAttempt } from './fresh-attempt.ts';
import { requireLiveDocument } from './live-document.ts';
import { DocumentRepository } from './repository.ts';
import { refuseArchive, requireInScope, requireStillInScope, type DocumentScope } from './scope.ts';
import { nextStatus } from './status.ts';
import { contentColumns, storeUpload, type CommittedUpload } from './stored-upload.ts';
import type { InspectUpload, NewContent, Upload, WithinTransaction } from './types.ts';

export interface DocumentReplacementDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  inspectUpload: InspectUpload;
  /** Default: no limit. */
  quota?: WorkspaceQuota | undefined;
}

export class DocumentReplacement {
  readonly #deps: DocumentReplacementDeps;

  constructor(deps: DocumentReplacementDeps) {
    this.#deps = deps;
  }

  /** See `DocumentService.replace`. */
  async replace(
    workspaceId: string,
    documentId: string,
    input: NewContent,
    scope: DocumentScope | null,
    within: WithinTransaction | undefined,
  ): Promise<DocumentRecord> {
    const { database, queue, store, inspectUpload, quota } = this.#deps;
    const current = requireLiveDocument(await new DocumentRepository(database).findById(workspaceId, documentId));
    const name = input.name ?? input.upload.name;
    const file = await inspectUpload({ ...input.upload, name });
    if (file.isArchive !== current.is_archive) {
      throw conflict('An archive cannot replace a single document, nor the other way round', { format: file.format });
    }
    refuseArchive(file.isArchive, scope);
    const replaceWith = (contentId: string): Promise<CommittedUpload> =>
      database.transaction().execute(async (transaction) => {
        const documents = new DocumentRepository(transaction);
        const locked = requireLiveDocument(await documents.lock(workspaceId, documentId));
        await requireInScope(transaction, locked, scope);
        const status = nextStatus(locked.status, 'replace');
        if (status === undefined) throw conflict('The document cannot be replaced now', { status: locked.status });
        await quota?.reserve(transaction, addedBy(input.upload, locked));
        const replaced = await documents.update(workspaceId, documentId, {
          ...contentColumns(name, file, input.upload, contentId),
          ...(input.metadata === undefined ? {} : { metadata: JSON.stringify(input.metadata) }),
          ...freshAttempt(status),
          revision: locked.revision + 1,
          modified_at: new Date(),
        });
        if (replaced === undefined) throw notFound();
        await requireStillInScope(transaction, workspaceId, [documentId], scope);
        if (locked.content_id !== locked.searchable_content_id) {
          const prefix = storageKeys.content(locked, locked.content_id);
          await queue.enqueue(transaction, 'purge-content', { prefix });
        }
        await enqueueIngestions(transaction, queue, [replaced]);
        await within?.(transaction, replaced);
        return { record: replaced, created: true };
      });
    const find = async (contentId: string): Promise<CommittedUpload | undefined> => {
      const record = await new DocumentRepository(database).findById(workspaceId, documentId);
      if (record?.content_id !== contentId) return undefined;
      skipAudit();
      return { record, created: true };
    };
    const { record } = await storeUpload(store, current, input.upload, (contentId) =>
      orCommitted(
        () => replaceWith(contentId),
        () => find(contentId),
      ),
    );
    return record;
  }
}

/** Returns what the new content adds: the present one stays stored while it is the searchable one. */
function addedBy({ sizeBytes }: Upload, former: DocumentRecord): Map<string, Usage> {
  const freed = former.content_id === former.searchable_content_id ? 0 : Number(former.size_bytes);
  return usageOf([{ workspace_id: former.workspace_id, documents: 0, bytes: sizeBytes - freed }]);
}
