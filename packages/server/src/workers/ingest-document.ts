/**
 * Jobs `ingest-document` and `ingest-small-document`: one attempt at making a document's newest revision searchable.
 */
import { AttemptSuperseded, type Attempt } from '../domain/documents/attempt.ts';
import type { DocumentIngestion } from '../domain/documents/ingestion.ts';
import type { ArchiveIngestion } from '../domain/documents/archive-ingestion.ts';
import { QuotaExceeded } from '../domain/workspaces/quota.ts';
import { ContentError } from '@quire/blocks/content-error';
import { isStorageFull } from '@quire/shared/free-space';
import type { Logger } from '../logger.ts';
import type { Embedder } from '@quire/models/embedder';
import {
  ingest,
  type IngestDeps,
  type IngestInput,
  type IngestStates,
  type IngestTarget,
} from '../ingestion/ingest.ts';
import { SandboxUnavailable } from '@quire/sandbox/start-backoff';
import { unpackArchive } from '../ingestion/unpack.ts';
import { ProviderError } from '@quire/models/remote/provider-error';
import type { JobContext, JobHandler } from '../queue/job-queue.ts';
import { StorageUnavailable } from '../shared/storage-unavailable.ts';

export interface IngestDocumentDeps extends IngestDeps {
  ingestion: DocumentIngestion;
  archives: ArchiveIngestion;
  /** The dense embedder that an index was built with; null for a sparse index. */
  embedderFor: (index: Attempt['indexes'][number], signal: AbortSignal) => Promise<Embedder | null>;
  parserFor: (attempt: Attempt) => Promise<Pick<IngestInput, 'options' | 'parser'>>;
  deadlineMs: number;
  /** Called for every attempt that ended the document, with its duration in seconds. */
  observe: (outcome: 'ready' | 'failed', format: string, seconds: number) => void;
  logger: Logger;
}

/** Number of attempts after which an error that the document did not cause fails it with `internal`. */
const MAX_INTERNAL_ERRORS = 5;
const STORAGE_FULL = 'The service has no storage space left; retry when there is some';
/**
 * Attempts on provider errors. Attempts follow after about 3, 7, 20 and 55 s, and each one also retries its own calls.
 */
const MAX_PROVIDER_ATTEMPTS = 5;
/** Time before the first write of a stage in ms, so that quick documents write none. */
const FIRST_PROGRESS_MS = 500;

export function ingestDocument(deps: IngestDocumentDeps): JobHandler<'ingest-document' | 'ingest-small-document'> {
  return async ({ workspaceId, documentId, revision }, context) => {
    const attempt = await deps.ingestion.claim(workspaceId, documentId, revision, context.job);
    if (attempt === undefined) return undefined;
    const deadline = AbortSignal.timeout(deps.deadlineMs);
    const startedAt = performance.now();
    const observe = (outcome: 'ready' | 'failed'): void =>
      deps.observe(outcome, attempt.document.format, (performance.now() - startedAt) / 1000);
    try {
      await run(attempt, deps, AbortSignal.any([context.signal, deadline]));
      observe('ready');
    } catch (error) {
      if (!(await settle(attempt, error, deadline.aborted, context, deps))) return undefined;
      observe('failed');
    }
    return 'recorded';
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
    attempt.indexes.map(async (index) => ({ index, embedder: await deps.embedderFor(index, signal) })),
  );
  const parsing = await deps.parserFor(attempt);
  await ingest({ document: attempt.document, targets, ...parsing }, fencedStates(attempt, deps), deps, signal);
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
    knownEmbeddings: (index, modelId) => deps.ingestion.knownEmbeddings(attempt, index, modelId),
    keepEmbeddings: (modelId, vectors) => deps.ingestion.keepEmbeddings(attempt, modelId, vectors),
    succeed: (ready) => deps.ingestion.succeed(attempt, ready),
  };
}

/**
 * Ends the attempt after an error. Returns whether the document has failed too. Throws to repeat the job.
 */
async function settle(
  attempt: Attempt,
  error: unknown,
  overdue: boolean,
  context: JobContext,
  deps: IngestDocumentDeps,
): Promise<boolean> {
  const log = deps.logger.child({ documentId: attempt.document.id });
  if (error instanceof AttemptSuperseded) {
    log.info('the attempt was superseded');
    return false;
  }
  const verdict = overdue && !context.signal.aborted ? tookTooLong(deps) : verdictOn(error, context);
  if (verdict === undefined) {
    log.warn({ err: error, attempt: context.attempt }, 'an attempt ended early and will be repeated');
    await deps.ingestion.release(attempt);
    throw error;
  }
  log[verdict.type === 'internal' ? 'error' : 'info']({ err: error, type: verdict.type }, 'the document failed');
  try {
    await deps.ingestion.fail(attempt, verdict.type, verdict.message, verdict.warnings);
    deps.observeWarnings(verdict.warnings);
    return true;
  } catch (failure) {
    if (!(failure instanceof AttemptSuperseded)) throw failure;
    log.info('the attempt was superseded');
    return false;
  }
}

const tookTooLong = ({ deadlineMs }: IngestDocumentDeps): ContentError =>
  new ContentError('timeout', `Processing took longer than ${deadlineMs / 1000} s`);

/** Returns why the document fails; undefined if another attempt is justified. */
function verdictOn(error: unknown, context: JobContext): ContentError | undefined {
  if (context.signal.aborted || error instanceof StorageUnavailable) return undefined;
  const mayPass = error instanceof ProviderError && error.retry !== null && context.attempt < MAX_PROVIDER_ATTEMPTS;
  if (mayPass) return undefined;
  if (error instanceof ContentError) return error;
  if (error instanceof QuotaExceeded) return new ContentError('quota_exceeded', error.message);
  if (context.attempt < MAX_INTERNAL_ERRORS) return undefined;
  if (isStorageFull(error)) return new ContentError('storage_full', STORAGE_FULL);
  const reason = error instanceof SandboxUnavailable ? error.message : 'Processing failed because of an internal error';
  return new ContentError('internal', reason);
}
