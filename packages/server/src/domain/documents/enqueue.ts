import type { DocumentRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { JobQueue, NewJob } from '../../queue/job-queue.ts';
import { BACKLOG_CAP } from './backlogs.ts';
import { DocumentRepository } from './repository.ts';

export const ingestJobKey = (documentId: string): string => `ingest:${documentId}`;

type QueuedDocument = Pick<DocumentRecord, 'id' | 'workspace_id' | 'revision'>;

/** `priority`: the workspace's backlog, so that one with 10,000 queued documents does not delay another's first one. */
export const ingestJob = (document: QueuedDocument, priority: number): NewJob<'ingest-document'> => ({
  payload: { workspaceId: document.workspace_id, documentId: document.id, revision: document.revision },
  key: ingestJobKey(document.id),
  priority,
  maxAttempts: 25,
});

/** Queues the ingestion of a document's newest revision. */
export async function enqueueIngestion(executor: Executor, queue: JobQueue, document: QueuedDocument): Promise<void> {
  const backlog = await new DocumentRepository(executor).backlog(document.workspace_id, BACKLOG_CAP);
  const { payload, ...options } = ingestJob(document, backlog);
  await queue.enqueue(executor, 'ingest-document', payload, options);
}
