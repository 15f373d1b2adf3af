import { FORMATS, type Format } from '../../content/format.ts';
import type { DocumentRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import type { JobQueue, NewJob } from '../../queue/job-queue.ts';
import { BACKLOG_CAP } from './backlogs.ts';
import { DocumentRepository } from './repository.ts';

/** Of a text that is read and cut in some 100 ms. */
const SMALL_BYTES = 256 * 1024;

export const ingestJobKey = (documentId: string): string => `ingest:${documentId}`;

type QueuedDocument = Pick<DocumentRecord, 'id' | 'workspace_id' | 'revision' | 'format' | 'size_bytes'>;
type IngestJob = NewJob<'ingest-document' | 'ingest-small-document'>;

/** `priority`: the workspace's backlog, so that one with 10,000 queued documents does not delay another's first one. */
export const ingestJob = (document: QueuedDocument, priority: number): IngestJob => ({
  name: isSmallText(document) ? 'ingest-small-document' : 'ingest-document',
  payload: { workspaceId: document.workspace_id, documentId: document.id, revision: document.revision },
  key: ingestJobKey(document.id),
  priority,
  maxAttempts: 25,
});

const isSmallText = ({ format, size_bytes: sizeBytes }: QueuedDocument): boolean =>
  FORMATS[format as Format].family === 'text' && Number(sizeBytes) <= SMALL_BYTES;

/** Queues the ingestion of a document's newest revision. */
export async function enqueueIngestion(executor: Executor, queue: JobQueue, document: QueuedDocument): Promise<void> {
  const backlog = await new DocumentRepository(executor).backlog(document.workspace_id, BACKLOG_CAP);
  await queue.enqueueMany(executor, [ingestJob(document, backlog)]);
}
