import type { DocumentRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { DocumentRepository } from './repository.ts';

/** Priority stops growing here: behind so large a backlog, a few more do not matter. */
const BACKLOG_CAP = 10_000;

export const ingestJobKey = (documentId: string): string => `ingest:${documentId}`;

/**
 * Queues the ingestion of a document's newest revision. The priority is the workspace's backlog, so that a workspace
 * with 10,000 queued documents does not delay another's first one.
 */
export async function enqueueIngestion(
  executor: Executor,
  queue: JobQueue,
  document: Pick<DocumentRecord, 'id' | 'workspace_id' | 'revision'>,
): Promise<void> {
  const backlog = await new DocumentRepository(executor).backlog(document.workspace_id, BACKLOG_CAP);
  await queue.enqueue(
    executor,
    'ingest-document',
    { workspaceId: document.workspace_id, documentId: document.id, revision: document.revision },
    { key: ingestJobKey(document.id), priority: backlog, maxAttempts: 25 },
  );
}
