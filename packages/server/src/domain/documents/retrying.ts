/** Restarts the ingestion of failed documents. */
import type { Kysely, Transaction } from 'kysely';
import { auditDetails } from '../../database/pending-audit.ts';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import { withFilterLimit } from '../../database/filter-limit.ts';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import { conflict } from '../../errors.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { bulkDetails } from '../audit/bulk-details.ts';
import { enqueueIngestions } from './enqueue.ts';
import { freshAttempt } from './fresh-attempt.ts';
import { requireLiveDocument } from './live-document.ts';
import { DocumentRepository, type DocumentCondition } from './repository.ts';
import { changeableIn, refuseArchive, requireInScope, requireStillInScope, type DocumentScope } from './scope.ts';
import { nextStatus } from './status.ts';
import { isUnreadMember } from './unread-member.ts';

export interface DocumentRetryingDeps {
  database: Kysely<Database>;
  queue: JobQueue;
}

export class DocumentRetrying {
  readonly #deps: DocumentRetryingDeps;

  constructor(deps: DocumentRetryingDeps) {
    this.#deps = deps;
  }

  async retry(workspaceId: string, documentId: string, scope: DocumentScope | null): Promise<DocumentRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const documents = new DocumentRepository(transaction);
      const current = requireLiveDocument(await documents.lock(workspaceId, documentId));
      refuseArchive(current.is_archive, scope);
      await requireInScope(transaction, current, scope);
      const status = nextStatus(current.status, 'retry');
      if (status === undefined) throw conflict('Only a failed document can be retried', { status: current.status });
      if (isUnreadMember(current)) {
        const reason = 'This member could not be unpacked; retry its archive instead';
        throw conflict(reason, { parentId: current.parent_id });
      }
      const record = requireLiveDocument(await documents.update(workspaceId, documentId, freshAttempt(status)));
      await requireStillInScope(transaction, workspaceId, [documentId], scope);
      await enqueueIngestions(transaction, this.#deps.queue, [record]);
      return record;
    });
  }

  /** See `DocumentService.retryMany`. */
  async retryMany(
    workspaceId: string,
    collectionId: string,
    condition: DocumentCondition,
    scope: DocumentScope | null,
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
    return withFilterLimit(condition.identity === undefined ? scope : condition, () =>
      retryDeadlock(() => this.#deps.database.transaction().execute(restart)),
    );
  }
}
