/** Job `process-run`: one attempt at a run. */
import type { Format } from '@quire/parse/formats';
import type { RunFile, RunRecord } from '../database/tables.ts';
import { RunSuperseded, type RunAttempt, type RunProcessing } from '../domain/runs/processing.ts';
import type { RunEnd } from '../domain/runs/ending.ts';
import type { RunBlocks, RunFailure } from '../domain/runs/types.ts';
import { ApiError } from '../errors.ts';
import { ContentError } from '@quire/blocks/content-error';
import { isStorageFull } from '@quire/shared/free-space';
import type { Logger } from '../logger.ts';
import type { StoreContent } from '@quire/process/run-outputs';
import { hasRequestedOutput, runModules, type RunDeps, type RunInput } from '@quire/process/run-modules';
import type { UploadedFile } from '@quire/process/expand-files';
import { TempDirectories } from '@quire/process/temp-directories';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import type { ChatModel } from '@quire/models/chat-model';
import type { Embedder } from '@quire/models/embedder';
import type { JobContext, JobHandler } from '../queue/job-queue.ts';
import { storageKeys } from '../storage/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { StorageUnavailable } from '../shared/storage-unavailable.ts';

export interface ProcessRunDeps {
  processing: RunProcessing;
  sandbox: SandboxClient;
  store: ObjectStore;
  parserFor: (run: RunRecord) => Promise<RunInput['parser']>;
  openModel: (workspaceId: string, modelId: string | null) => Promise<ChatModel | null>;
  openEmbedder: (workspaceId: string) => Promise<Embedder | null>;
  /** Maximum size of a file in bytes. */
  maxFileBytes: number;
  deadlineMs: number;
  /** Called after every attempt that ended the run, with its duration. */
  observe: (status: 'done' | 'failed', seconds: number) => void;
  logger: Logger;
}

/** Number of attempts after which an unexpected error fails the run with `internal`. */
const MAX_INTERNAL_ERRORS = 5;
/** Minimum interval of progress writes in ms, so that short runs write none. */
const PROGRESS_MS = 500;

export function processRun(deps: ProcessRunDeps): JobHandler<'process-run'> {
  return async ({ workspaceId, runId }, context) => {
    const attempt = await deps.processing.claim(workspaceId, runId, context.job);
    if (attempt === undefined) return undefined;
    const startedAt = performance.now();
    const log = deps.logger.child({ runId });
    try {
      const end = await work(attempt, context, { ...deps, logger: log });
      await deps.processing.finish(attempt, end);
      deps.observe(end.error === null ? 'done' : 'failed', (performance.now() - startedAt) / 1000);
      if (end.error !== null) log.info({ type: end.error.type }, 'the run failed');
      return 'recorded';
    } catch (error) {
      if (!(error instanceof RunSuperseded)) {
        log.warn({ err: error, attempt: context.attempt }, 'an attempt ended early and will be repeated');
        await deps.processing.release(attempt);
        throw error;
      }
      log.info('the attempt was superseded');
      await deps.store.deletePrefix(storageKeys.runOutput(attempt.run, `${attempt.token}/`));
      return undefined;
    }
  };
}

/**
 * Returns how the run ends. Rejects with `RunSuperseded` when another attempt took it over, and with other errors to
 * repeat the job.
 */
async function work(attempt: RunAttempt, context: JobContext, deps: ProcessRunDeps): Promise<RunEnd> {
  const { run } = attempt;
  const deadline = AbortSignal.timeout(deps.deadlineMs);
  const { lost, stop } = deps.processing.watch(attempt);
  const outage = new AbortController();
  const cancelled = AbortSignal.any([context.signal, lost, outage.signal]);
  const directories = new TempDirectories();
  const blocks = run.config as RunBlocks;
  const released: (() => Promise<void>)[] = [];
  try {
    const files = await checkOut(run, deps.store, released, cancelled);
    const { maxFileBytes } = deps;
    const input = { files, blocks, parser: await deps.parserFor(run), maxFileBytes };
    const outcome = await runModules(input, moduleDeps(attempt, directories, outage, deps), { deadline, cancelled });
    if (hasRequestedOutput(outcome, blocks)) return { outcome, error: null };
    return { outcome, error: firstError(outcome.files.flatMap(({ errors }) => errors)) };
  } catch (error) {
    if (lost.aborted) throw lost.reason;
    const failure = deadline.aborted && !context.signal.aborted ? timeoutFailure(deps) : failureFor(error, context);
    if (failure === undefined) throw error;
    deps.logger[failure.type === 'internal' ? 'error' : 'info']({ err: error }, 'the run could not be processed');
    return { outcome: null, error: failure };
  } finally {
    stop();
    for (const release of released) await release();
    await directories.remove();
  }
}

async function checkOut(
  run: RunRecord,
  store: ObjectStore,
  released: (() => Promise<void>)[],
  signal: AbortSignal,
): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  for (const file of run.files) {
    const original = await store.checkout(storageKeys.runInput(run, file.id), signal);
    if (original === undefined) throw new ContentError('internal', 'A stored file is missing');
    released.push(original.release);
    files.push(uploadedFile(file, original.path));
  }
  return files;
}

export const uploadedFile = ({ id, name, sizeBytes, format, contentType }: RunFile, path: string): UploadedFile => ({
  id,
  path,
  name,
  sizeBytes,
  format: format as Format,
  contentType,
});

/** Aborts `outage` when an output cannot be stored for now, so that the run is repeated instead of losing it. */
function moduleDeps(
  attempt: RunAttempt,
  directories: TempDirectories,
  outage: AbortController,
  deps: ProcessRunDeps,
): RunDeps {
  const { run } = attempt;
  let nextReportAt = Date.now() + PROGRESS_MS;
  let outputs = 0;
  let embedder: Promise<Embedder | null> | undefined;
  const models = new Map<string | null, Promise<ChatModel | null>>();
  const store: StoreContent = async (content) => {
    const key = `${attempt.token}/${(outputs += 1)}`;
    const place = storageKeys.runOutput(run, key);
    try {
      await (Buffer.isBuffer(content) ? deps.store.put(place, content) : deps.store.putFile(place, content.path));
    } catch (error) {
      if (error instanceof StorageUnavailable) outage.abort(error);
      throw error;
    }
    return key;
  };
  return {
    sandbox: deps.sandbox,
    directories,
    store,
    openModel: (modelId) => {
      const model = models.get(modelId) ?? openModel(run.workspace_id, modelId, deps);
      models.set(modelId, model);
      return model;
    },
    openEmbedder: () => {
      // Modules work without an embedder rather than fail.
      embedder ??= deps.openEmbedder(run.workspace_id).catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'no embedder is available for a run');
        return null;
      });
      return embedder;
    },
    onProgress: (fraction) => {
      if (Date.now() < nextReportAt) return;
      nextReportAt = Date.now() + PROGRESS_MS;
      deps.processing.progress(attempt, fraction).catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'progress was not recorded');
      });
    },
    onUnexpected: (error, module) => deps.logger.error({ err: error, module }, 'a module failed'),
  };
}

/** Opens a model. An unusable configuration (deleted, without a key) is an error of the modules that need it. */
async function openModel(workspaceId: string, modelId: string | null, deps: ProcessRunDeps): Promise<ChatModel | null> {
  try {
    return await deps.openModel(workspaceId, modelId);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw new ContentError('provider_error', error.message, { cause: error });
  }
}

const firstError = (errors: readonly RunFailure[]): RunFailure => {
  const [first] = errors;
  return { type: first?.type ?? 'internal', message: first?.message ?? 'Nothing was produced' };
};

const timeoutFailure = ({ deadlineMs }: ProcessRunDeps): RunFailure => ({
  type: 'timeout',
  message: `Processing took longer than ${deadlineMs / 1000} s`,
});

/** Returns why the run fails; undefined when another attempt is justified. */
function failureFor(error: unknown, context: JobContext): RunFailure | undefined {
  if (context.signal.aborted || error instanceof StorageUnavailable) return undefined;
  if (error instanceof ContentError) return { type: error.type, message: error.message };
  // The parser's configuration was deleted or changed since the request.
  if (error instanceof ApiError && error.status < 500) return { type: 'provider_error', message: error.message };
  if (context.attempt < MAX_INTERNAL_ERRORS) return undefined;
  if (isStorageFull(error)) return { type: 'storage_full', message: 'The service has no storage space left' };
  return { type: 'internal', message: 'Processing failed because of an internal error' };
}
