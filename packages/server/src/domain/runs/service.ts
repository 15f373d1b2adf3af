/** Runs: create, add files, submit, wait, cancel, delete. `processing.ts` processes them. */
import type { Kysely, Transaction } from 'kysely';
import { auditResource, carryAudit, skipAudit } from '../../database/pending-audit.ts';
import type { Database, RunFile, RunRecord, RunStatus } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { ApiError, apiError, conflict, notFound, valueError, type ErrorDetail } from '../../errors.ts';
import { outsideRequest } from '../../logger.ts';
import { Backlogs } from '../../queue/backlogs.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { BatchedCalls } from '../../shared/batched-calls.ts';
import { isConnectionLoss } from '../../shared/connection-loss.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { newId } from '../../shared/uuid.ts';
import { storageKeys } from '../../storage/layout.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { waitForRecord, type RecordWait } from '../changes/wait-for-record.ts';
import type { InspectUpload, Upload } from '../documents/types.ts';
import { unlessCommitted } from '../audit/with-audits.ts';
import { insertRuns, type NewRunRecord } from './batched-inserts.ts';
import { endRun } from './ending.ts';
import { enqueueRun } from './enqueue.ts';
import { hashKey, hashRequest } from './idempotency.ts';
import { RunRepository } from './repository.ts';
import { nextStatus, statusesFor, type RunEvent } from './status.ts';
import { isAtRest, runTopic, type NewRun, type RunBlocks } from './types.ts';

export interface RunServiceDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  store: ObjectStore;
  notifications: Notifications;
  inspectUpload: InspectUpload;
  /** Returns problems of well-formed blocks: unknown ids, unusable schemas. */
  checkBlocks: (workspaceId: string, blocks: RunBlocks) => Promise<ErrorDetail[]>;
  retentionMs: number;
  maxFiles: number;
  /** Reports why a batch of new runs failed; they are then committed one by one. */
  onBatchFailed: (error: unknown) => void;
}

/** Time that a staged run waits for its files and its submission, in ms (CONTRACT section 7). */
const IDLE_MS = 24 * 3_600_000;
/** Delay of a second deletion, in ms: by then a worker has noticed that its run was deleted and writes no more. */
const LATE_WRITES_MS = 120_000;
const INSERT_TRIES = 3;
/** Maximum number of concurrent requests whose runs one transaction commits, and its minimum interval in ms. */
const MAX_BATCH_SIZE = 64;
const CREATION_LINGER_MS = 5;

export class RunService {
  readonly #deps: RunServiceDeps;
  readonly #runs: RunRepository;
  readonly #creations: BatchedCalls<NewRunRecord, RunRecord | null>;

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
    this.#runs = new RunRepository(deps.database);
    const backlogs = new Backlogs((workspaceId, cap) => this.#runs.backlog(workspaceId, cap));
    const insert = (runs: readonly NewRunRecord[]) => outsideRequest(() => insertRuns({ ...deps, backlogs }, runs));
    this.#creations = new BatchedCalls({
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
      lingerMs: CREATION_LINGER_MS,
    });
  }

  /**
   * Creates a run, or returns the one that the same request with the same idempotency key created. When this resolves,
   * the files are fsynced, and record and job are committed.
   */
  create(workspaceId: string, request: NewRun): Promise<RunRecord> {
    return this.#create({ id: newId(), workspace_id: workspaceId }, request);
  }

  /** Creates a run as `create` does, and waits for it as `wait` does. */
  async createAndWait(workspaceId: string, request: NewRun, waitMs: number, signal: AbortSignal): Promise<RunRecord> {
    const place = { id: newId(), workspace_id: workspaceId };
    const run = await this.#wait(workspaceId, place.id, {
      // Subscribed before, so that the record need not be read again after its creation.
      first: () => this.#create(place, request),
      isDone: (record) => record.id !== place.id || isAtRest(record),
      waitMs,
      signal,
    });
    return run.id === place.id || isAtRest(run) ? run : this.wait(workspaceId, run.id, waitMs, signal);
  }

  async #create(place: { id: string; workspace_id: string }, request: NewRun): Promise<RunRecord> {
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

  findById(workspaceId: string, runId: string): Promise<RunRecord | undefined> {
    return this.#runs.findById(workspaceId, runId);
  }

  list(
    workspaceId: string,
    filter: { status?: RunStatus | undefined },
    query: ListQuery,
  ): Promise<ListPage<RunRecord>> {
    return this.#runs.list(workspaceId, filter, query);
  }

  /** Counts queued and running runs, for metrics. */
  pending(): Promise<{ labels: { status: string }; value: number }[]> {
    return this.#runs.pending();
  }

  /** Resolves when the run is idle or has ended, or after `waitMs`. */
  wait(workspaceId: string, runId: string, waitMs: number, signal?: AbortSignal): Promise<RunRecord> {
    return this.#wait(workspaceId, runId, { isDone: isAtRest, waitMs, signal });
  }

  /** Adds a file to a staged run. The same name with the same content changes nothing. */
  async addFile(run: RunRecord, upload: Upload): Promise<RunFile> {
    const present = this.#room(run, upload);
    if (present !== undefined) return present;
    const file = await this.#describe(upload);
    const key = storageKeys.runInput(run, file.id);
    await this.#deps.store.putFile(key, upload.path);
    try {
      // One statement, because hundreds of concurrent calls wait for the lock on one row.
      if (await this.#runs.appendFile(run, file, statusesFor('addFile'), this.#deps.maxFiles)) return file;
      const twin = this.#room(await this.#runs.findById(run.workspace_id, run.id), upload);
      if (twin === undefined) throw new Error('a run refused a file although its limit is not reached');
      await this.#deps.store.delete(key);
      return twin;
    } catch (error) {
      await this.#deps.store.delete(key);
      throw error;
    }
  }

  submit(workspaceId: string, runId: string): Promise<RunRecord> {
    return this.#change(workspaceId, runId, 'submit', async (transaction, run) => {
      if (run.files.length === 0) throw missingFiles();
      const changes = { status: 'queued', expires_at: null, modified_at: new Date() } as const;
      const queued = await new RunRepository(transaction).update(workspaceId, runId, changes);
      if (queued === undefined) throw notFound();
      await enqueueRun(transaction, this.#deps.queue, queued);
      await this.#deps.notifications.publish(transaction, runTopic(runId));
      return queued;
    });
  }

  /** Ends the run as failed, also while a worker processes it. */
  cancel(workspaceId: string, runId: string): Promise<RunRecord> {
    const end = { outcome: null, error: { type: 'cancelled', message: 'The run was cancelled' } };
    return this.#change(workspaceId, runId, 'cancel', async (transaction, run) => {
      const ended = await endRun(transaction, run, { statuses: [run.status] }, end, this.#deps.retentionMs);
      if (ended === undefined) throw notFound();
      return ended;
    });
  }

  /** Erases record, inputs and outputs in any status, and frees the idempotency key. */
  async remove(workspaceId: string, runId: string): Promise<RunRecord> {
    const prefix = storageKeys.run(workspaceId, runId);
    const erased = await this.#deps.database.transaction().execute(async (transaction) => {
      const record = await new RunRepository(transaction).erase(workspaceId, runId);
      if (record === undefined) throw notFound();
      if (!isAtRest(record)) {
        const runAt = new Date(Date.now() + LATE_WRITES_MS);
        await this.#deps.queue.enqueue(transaction, 'purge-content', { prefix }, { runAt });
      }
      await this.#deps.notifications.publish(transaction, runTopic(runId));
      return record;
    });
    await this.#deps.store.deletePrefix(prefix);
    return { ...erased, outcome: null, outputs_deleted_at: erased.outputs_deleted_at ?? new Date() };
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
        files.push(await this.#describe(upload));
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

  async #describe(upload: Upload): Promise<RunFile> {
    const { format, contentType } = await this.#deps.inspectUpload(upload);
    const { name, sizeBytes, sha256 } = upload;
    return { id: newId(), name, format, contentType, sizeBytes, sha256 };
  }

  async #storeAll(place: { id: string; workspace_id: string }, files: readonly RunFile[], uploads: readonly Upload[]) {
    await Promise.all(
      files.map(async (file, index) => {
        const upload = uploads[index];
        if (upload !== undefined) await this.#deps.store.putFile(storageKeys.runInput(place, file.id), upload.path);
      }),
    );
  }

  async #insert(
    place: { id: string; workspace_id: string },
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
    return this.#creations.call(run);
  }

  #wait(
    workspaceId: string,
    runId: string,
    wait: Pick<RecordWait<RunRecord>, 'first' | 'isDone' | 'waitMs' | 'signal'>,
  ): Promise<RunRecord> {
    return waitForRecord({
      notifications: this.#deps.notifications,
      topic: runTopic(runId),
      read: () => this.#runs.findById(workspaceId, runId),
      ...wait,
    });
  }

  async #findSame(workspaceId: string, key: Buffer, requestHash: Buffer): Promise<RunRecord | undefined> {
    const earlier = await this.#runs.findByKey(workspaceId, key);
    if (earlier === undefined || earlier.request_hash?.equals(requestHash) === true) return earlier;
    throw keyTaken(earlier);
  }

  /** Locks the run, throws 409 if its status forbids the event, and makes the change. */
  #change(
    workspaceId: string,
    runId: string,
    event: RunEvent,
    change: (transaction: Transaction<Database>, run: RunRecord) => Promise<RunRecord>,
  ): Promise<RunRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const run = await new RunRepository(transaction).lock(workspaceId, runId);
      if (run === undefined) throw notFound();
      if (nextStatus(run.status, event) === undefined) throw wrongStatus(run);
      return change(transaction, run);
    });
  }

  /** Returns the file if the run has it already, undefined if it can be added; throws otherwise. */
  #room(run: RunRecord | undefined, upload: Upload): RunFile | undefined {
    if (run === undefined) throw notFound();
    if (nextStatus(run.status, 'addFile') === undefined) throw wrongStatus(run);
    const twin = run.files.find(({ name }) => name === upload.name);
    if (twin !== undefined && twin.sha256 !== upload.sha256) {
      const ctx = { name: twin.name, sha256: twin.sha256, status: run.status };
      throw conflict('The run has a file of this name with another content', ctx);
    }
    if (twin === undefined && run.files.length >= this.#deps.maxFiles) throw tooManyFiles(this.#deps.maxFiles);
    return twin;
  }
}

const wrongStatus = ({ status }: RunRecord): ApiError => conflict(`The run is ${status}`, { status });

const keyTaken = ({ id: runId, status }: RunRecord): ApiError =>
  conflict('The idempotency key belongs to another request', { runId, status });

const missingFiles = (): ApiError => apiError(422, 'missing', 'Field required', { loc: ['body', 'files'] });

const tooManyFiles = (limit: number): ApiError =>
  apiError(413, 'too_many_files', `A run takes ${limit} files at most`, { loc: ['body', 'files'], ctx: { limit } });
