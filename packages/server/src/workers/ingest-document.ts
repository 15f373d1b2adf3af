/** Job `ingest-document`: one attempt at making a document's newest revision searchable. */
import { AttemptSuperseded, type Attempt, type DocumentIngestion } from '../domain/documents/ingestion.ts';
import type { ArchiveIngestion } from '../domain/documents/archive-ingestion.ts';
import { ContentError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Embedder } from '../pipeline/embed/embedder.ts';
import { ingest, type IngestDeps, type IngestStates, type IngestTarget } from '../pipeline/ingest.ts';
import { unpackArchive } from '../pipeline/unpack.ts';
import type { ParseOptions } from '../pipeline/parse/parser.ts';
import type { JobContext, JobHandler } from '../queue/job-queue.ts';

export interface IngestDocumentDeps extends IngestDeps {
  ingestion: DocumentIngestion;
  archives: ArchiveIngestion;
  /** The dense embedder that an index was built with; null for a sparse index. */
  embedderFor: (index: Attempt['indexes'][number]) => Promise<Embedder | null>;
  parseOptionsFor: (attempt: Attempt) => Promise<ParseOptions>;
  deadlineMs: number;
  logger: Logger;
}

/** An error that is not the document's fault is tried again so often before the document fails with `internal`. */
const MAX_INTERNAL_ERRORS = 5;
/** Quick documents write no intermediate stage at all. */
const FIRST_PROGRESS_MS = 500;

export function ingestDocument(deps: IngestDocumentDeps): JobHandler<'ingest-document'> {
  return async ({ workspaceId, documentId, revision }, context) => {
    const attempt = await deps.ingestion.claim(workspaceId, documentId, revision);
    if (attempt === undefined) return;
    const deadline = AbortSignal.timeout(deps.deadlineMs);
    try {
      await run(attempt, deps, AbortSignal.any([context.signal, deadline]));
    } catch (error) {
      await settle(attempt, error, deadline.aborted, context, deps);
    }
  };
}

async function run(attempt: Attempt, deps: IngestDocumentDeps, signal: AbortSignal): Promise<void> {
  if (attempt.document.is_archive) {
    const members = await unpackArchive(attempt.document, deps, signal);
    try {
      await deps.archives.storeMembers(attempt, members.files);
    } finally {
      await members.release();
    }
    return;
  }
  const targets: IngestTarget[] = await Promise.all(
    attempt.indexes.map(async (index) => ({ index, embedder: await deps.embedderFor(index) })),
  );
  const options = await deps.parseOptionsFor(attempt);
  await ingest({ document: attempt.document, targets, options }, fencedStates(attempt, deps), deps, signal);
}

function fencedStates(attempt: Attempt, deps: IngestDocumentDeps): IngestStates {
  let nextReportAt = Date.now() + FIRST_PROGRESS_MS;
  return {
    progress: (stage, fraction) => {
      if (Date.now() < nextReportAt) return;
      nextReportAt = Date.now() + FIRST_PROGRESS_MS;
      deps.ingestion.progress(attempt, stage, fraction).catch((error: unknown) => {
        deps.logger.warn({ err: error, documentId: attempt.document.id }, 'progress was not recorded');
      });
    },
    storeChunks: (generation, rows) => deps.ingestion.storeChunks(attempt, generation, rows),
    knownEmbeddings: (generation) => deps.ingestion.knownEmbeddings(attempt, generation),
    succeed: (ready) => deps.ingestion.succeed(attempt, ready),
  };
}

async function settle(
  attempt: Attempt,
  error: unknown,
  overdue: boolean,
  context: JobContext,
  deps: IngestDocumentDeps,
): Promise<void> {
  const log = deps.logger.child({ documentId: attempt.document.id, jobId: context.jobId });
  try {
    if (error instanceof AttemptSuperseded) {
      log.info('the attempt was superseded');
    } else if (context.signal.aborted) {
      await deps.ingestion.release(attempt);
      throw error;
    } else if (overdue) {
      await deps.ingestion.fail(attempt, 'timeout', `Processing took longer than ${deps.deadlineMs / 1000} s`);
    } else if (error instanceof ContentError) {
      log.info({ type: error.type, err: error }, 'the document failed');
      await deps.ingestion.fail(attempt, error.type, error.message);
    } else if (context.attempt >= MAX_INTERNAL_ERRORS) {
      log.error({ err: error }, 'the document failed for a reason of ours');
      await deps.ingestion.fail(attempt, 'internal', 'Processing failed for an internal reason');
    } else {
      log.warn({ err: error, attempt: context.attempt }, 'an attempt failed and will be repeated');
      await deps.ingestion.release(attempt);
      throw error;
    }
  } catch (failure) {
    if (!(failure instanceof AttemptSuperseded)) throw failure;
    log.info('the attempt was superseded');
  }
}
