/** The use cases of runs: create, add files, submit, wait, cancel, delete. `processing.ts` processes them. */
import type { Transaction } from 'kysely';
import type { Database, RunFile, RunRecord, RunStatus } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { apiError, conflict, notFound, type ApiError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { isConnectionLoss } from '../../shared/connection-loss.ts';
import { newId } from '../../shared/uuid.ts';
import { storageKeys } from '../../storage/layout.ts';
import { waitForRecord, type RecordWait } from '../changes/wait-for-record.ts';
import type { Upload } from '../documents/types.ts';
import { RunCreation, type RunCreationDeps } from './creation.ts';
import { endRun } from './ending.ts';
import { enqueueRun } from './enqueue.ts';
import { describeFile, tooManyFiles } from './files.ts';
import { RunRepository } from './repository.ts';
import { nextStatus, statusesFor, type RunEvent } from './status.ts';
import { isAtRest, runTopic, type NewRun } from './types.ts';

export interface RunServiceDeps extends RunCreationDeps {
  notifications: Notifications;
  retentionMs: number;
}

/** Delay of a second deletion, in ms: by then a worker has noticed that its run was deleted and writes no more. */
const LATE_WRITES_MS = 120_000;

export class RunService {
  readonly #deps: RunServiceDeps;
  readonly #runs: RunRepository;
  readonly #creation: RunCreation;

  constructor(deps: RunServiceDeps) {
    this.#deps = deps;
    this.#runs = new RunRepository(deps.database);
    this.#creation = new RunCreation(deps);
  }

  /**
   * Creates a run, or returns the one that the same request with the same idempotency key created. When this resolves,
   * the files are fsynced, and record and job are committed.
   */
  create(workspaceId: string, request: NewRun): Promise<RunRecord> {
    return this.#creation.create({ id: newId(), workspace_id: workspaceId }, request);
  }

  /** Creates a run, and waits for it as `wait` does; if it cannot be read again, returns it as created. */
  async createAndWait(workspaceId: string, request: NewRun, waitMs: number, signal: AbortSignal): Promise<RunRecord> {
    const place = { id: newId(), workspace_id: workspaceId };
    let created: RunRecord | undefined;
    try {
      const run = await this.#wait(workspaceId, place.id, {
        // Subscribed before, so that the record need not be read again after its creation.
        first: async () => (created = await this.#creation.create(place, request)),
        isDone: (record) => record.id !== place.id || isAtRest(record),
        waitMs,
        signal,
      });
      const isEnded = run.id === place.id || isAtRest(run);
      return isEnded ? run : await this.wait(workspaceId, run.id, waitMs, signal);
    } catch (error) {
      if (created === undefined || !isConnectionLoss(error)) throw error;
      return created;
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
    const file = await describeFile(this.#deps.inspectUpload, upload);
    const added = { documents: 0, bytes: upload.sizeBytes };
    await this.#deps.quota?.check(this.#deps.database, run.workspace_id, added);
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

const missingFiles = (): ApiError => apiError(422, 'missing', 'Field required', { loc: ['body', 'files'] });
