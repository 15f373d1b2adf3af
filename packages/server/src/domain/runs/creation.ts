/** Creates runs: checks the request, stores its files, and inserts the record once per idempotency key. */
import type { Kysely } from 'kysely';
import { auditResource, carryAudit, skipAudit } from '../../database/pending-audit.ts';
import type { Database, RunFile, RunRecord } from '../../database/tables.ts';
import { ApiError, conflict, valueError, type ErrorDetail } from '../../errors.ts';
import { outsideRequest } from '../../logger.ts';
import { Backlogs } from '../../queue/backlogs.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { isConnectionLoss } from '../../shared/connection-loss.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { unlessCommitted } from '../audit/with-audits.ts';
import type { InspectUpload, Upload } from '../documents/types.ts';
import type { WorkspaceQuota } from '../workspaces/quota.ts';
import { insertRuns, type NewRunRecord } from './batched-inserts.ts';
import { describeFile, tooManyFiles } from './files.ts';
import { hashKey, hashRequest } from './idempotency.ts';
import { RunRepository } from './repository.ts';
import type { NewRun, RunBlocks } from './types.ts';

export interface RunCreationDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  inspectUpload: InspectUpload;
  /** Returns problems of well-formed blocks: unknown ids, unusable schemas. */
  checkBlocks: (workspaceId: string, blocks: RunBlocks) => Promise<ErrorDetail[]>;
  maxFiles: number;
  /** Default: no limit. */
  quota?: WorkspaceQuota | undefined;
  /** Reports why a batch of new runs failed; they are then committed one by one. */
  onBatchFailed: (error: unknown) => void;
}

/** The ids of a run that is not created yet. */
export type RunPlace = Pick<RunRecord, 'id' | 'workspace_id'>;

/** Time that a staged run waits for its files and its submission, in ms (CONTRACT section 7). */
const IDLE_MS = 24 * 3_600_000;
const INSERT_TRIES = 3;
/** Maximum number of concurrent requests whose runs one transaction commits, and its minimum interval in ms. */
const MAX_BATCH_SIZE = 64;
const LINGER_MS = 5;

export class RunCreation {
  readonly #deps: RunCreationDeps;
  readonly #runs: RunRepository;
  readonly #batches: BatchedCalls<NewRunRecord, RunRecord | null>;

  constructor(deps: RunCreationDeps) {
    this.#deps = deps;
    this.#runs = new RunRepository(deps.database);
    const backlogs = new Backlogs((workspaceId, cap) => this.#runs.backlog(workspaceId, cap));
    const insert = (runs: readonly NewRunRecord[]) => outsideRequest(() => insertRuns({ ...deps, backlogs }, runs));
    this.#batches = new BatchedCalls({
      maxBatchSize: MAX_BATCH_SIZE,
      runBatch: insert,
      // Null if the idempotency key is taken.
      runSingle: (run) =>
        unlessCommitted<RunRecord | null>(
          run,
          () => this.#runs.findById(run.workspace_id, run.id),
          async () => (await insert([run]))[0] ?? null,
        ),
      onBatchFailed: deps.onBatchFailed,
      lingerMs: LINGER_MS,
    });
  }

  /** See `RunService.create`. */
  async create(place: RunPlace, request: NewRun): Promise<RunRecord> {
    const { id, workspace_id: workspaceId } = place;
    const key = request.idempotencyKey === undefined ? null : hashKey(request.idempotencyKey);
    const requestHash = hashRequest(request);
    // A repeated request is not validated again: a model that it names may have been deleted since.
    const earlier = key === null ? undefined : await this.#runs.findByKey(workspaceId, key);
    if (earlier?.request_hash?.equals(requestHash) === true) {
      skipAudit();
      return earlier;
    }
    const files = await this.#check(workspaceId, request);
    if (earlier !== undefined) throw keyTaken(earlier);
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await this.#deps.quota?.check(this.#deps.database, workspaceId, { documents: 0, bytes });
    auditResource('run', id);
    try {
      await this.#storeAll(place, files, request.uploads);
      for (let attempt = 1; attempt <= INSERT_TRIES; attempt += 1) {
        const created = await this.#insert(place, request, files, key, requestHash);
        if (created !== null) return created;
        // The other request with this key was committed, or its run was deleted already and the key is free.
        const same = key === null ? undefined : await this.#findSame(workspaceId, key, requestHash);
        if (same === undefined) continue;
        await this.#deps.store.deletePrefix(storageKeys.run(workspaceId, id));
        return same;
      }
      throw new Error('the idempotency key of a run was taken and freed repeatedly');
    } catch (error) {
      // After a lost connection the record may exist and need the files.
      if (!isConnectionLoss(error)) await this.#deps.store.deletePrefix(storageKeys.run(workspaceId, id));
      throw error;
    }
  }

  /** Returns the file records; throws one error with all problems of the request. */
  async #check(workspaceId: string, { blocks, uploads }: NewRun): Promise<RunFile[]> {
    const { maxFiles } = this.#deps;
    if (uploads.length > maxFiles) throw tooManyFiles(maxFiles);
    const problems: ErrorDetail[] = [];
    let status = 422;
    const files: RunFile[] = [];
    const names = new Set<string>();
    for (const [index, upload] of uploads.entries()) {
      try {
        if (names.has(upload.name)) throw valueError([], `another file of the request is named '${upload.name}'`);
        names.add(upload.name);
        files.push(await describeFile(this.#deps.inspectUpload, upload));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        status = problems.length === 0 ? error.status : status;
        problems.push(...error.details.map((detail) => ({ ...detail, loc: ['body', 'files', index] })));
      }
    }
    problems.push(...(await this.#deps.checkBlocks(workspaceId, blocks)));
    if (problems.length > 0) throw new ApiError(status, problems);
    return files;
  }

  async #storeAll(place: RunPlace, files: readonly RunFile[], uploads: readonly Upload[]) {
    await Promise.all(
      files.map(async (file, index) => {
        const upload = uploads[index];
        if (upload !== undefined) await this.#deps.store.putFile(storageKeys.runInput(place, file.id), upload.path);
      }),
    );
  }

  async #insert(
    place: RunPlace,
    { blocks, staged }: NewRun,
    files: readonly RunFile[],
    idempotencyKey: Buffer | null,
    requestHash: Buffer,
  ): Promise<RunRecord | null> {
    const run: NewRunRecord = {
      ...place,
      status: staged ? 'idle' : 'queued',
      config: JSON.stringify(blocks),
      files: JSON.stringify(files),
      idempotency_key: idempotencyKey,
      request_hash: requestHash,
      expires_at: staged ? new Date(Date.now() + IDLE_MS) : null,
    };
    carryAudit(run);
    return this.#batches.call(run);
  }

  async #findSame(workspaceId: string, key: Buffer, requestHash: Buffer): Promise<RunRecord | undefined> {
    const earlier = await this.#runs.findByKey(workspaceId, key);
    if (earlier === undefined || earlier.request_hash?.equals(requestHash) === true) return earlier;
    throw keyTaken(earlier);
  }
}

const keyTaken = ({ id: runId, status }: RunRecord): ApiError =>
  conflict('The idempotency key belongs to another request', { runId, status });
