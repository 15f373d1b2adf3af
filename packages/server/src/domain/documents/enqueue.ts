import { FORMATS, type Format } from '@quire/parse/formats';
import type { DocumentRecord } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { BACKLOG_CAP } from '../../queue/backlogs.ts';
import type { JobQueue, NewJob } from '../../queue/job-queue.ts';
import { DocumentRepository } from './repository.ts';

/** Maximum size of a small text, in bytes: it is parsed and chunked in about 100 ms. */
const SMALL_BYTES = 256 * 1024;

export const ingestJobKey = (documentId: string): string => `ingest:${documentId}`;

export type QueuedDocument = Pick<DocumentRecord, 'id' | 'workspace_id' | 'revision' | 'format' | 'size_bytes'>;
type IngestJob = NewJob<'ingest-document' | 'ingest-small-document'>;

/**
 * `priority` is the workspace's backlog, so that 10,000 queued documents do not delay another workspace's first one.
 */
export const ingestJob = (document: QueuedDocument, priority: number): IngestJob => ({
  name: isSmallText(document) ? 'ingest-small-document' : 'ingest-document',
  payload: { workspaceId: document.workspace_id, documentId: document.id, revision: document.revision },
  key: ingestJobKey(document.id),
  priority,
  maxAttempts: 25,
});

const isSmallText = ({ format, size_bytes: sizeBytes }: QueuedDocument): boolean =>
  FORMATS[format as Format].family === 'text' && Number(sizeBytes) <= SMALL_BYTES;

/** Queues the ingestion of the newest revisions of documents of one workspace, whose records are already written. */
export async function enqueueIngestions(
  executor: Executor,
  queue: JobQueue,
  documents: readonly QueuedDocument[],
): Promise<void> {
  const [first] = documents;
  if (first === undefined) return;
  const backlog = await new DocumentRepository(executor).backlog(first.workspace_id, BACKLOG_CAP);
  const before = Math.max(0, backlog - documents.length);
  const jobs = documents.map((document, position) => ingestJob(document, before + position + 1));
  await queue.enqueueMany(executor, jobs);
}
