/**
 * Ends documents that no worker ends: fails overdue ones, queues documents without a job again, and ends archives whose
 * members have ended. Any process may run it.
 */
import type { Kysely } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { settleArchive } from './archive.ts';
import { enqueueIngestions, ingestJobKey, type QueuedDocument } from './enqueue.ts';
import type { DocumentIngestion } from './ingestion.ts';

export interface ReaperDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
  ingestion: DocumentIngestion;
  deadlineMs: number;
  /** Maximum number of claimed and of unclaimed documents that a round reads. Default 1,000. */
  pageSize?: number;
}

/** Grace period after the deadline, in ms, in which a worker can fail its own overdue document. */
const GRACE_MS = 60_000;
/** Minimum age, in ms: a younger document may be between its commit and its job. */
const SETTLING_MS = 60_000;
const DEFAULT_PAGE_SIZE = 1_000;

type JobState = 'waiting' | 'running' | undefined;
type UnclaimedDocument = QueuedDocument & Pick<DocumentRecord, 'is_archive' | 'stage'>;

export class DocumentReaper {
  readonly #deps: ReaperDeps;
  readonly #pageSize: number;
  /** The last unclaimed document that was read; the next round continues behind it. Undefined: from the first one. */
  #lastUnclaimed: string | undefined;

  constructor(deps: ReaperDeps) {
    this.#deps = deps;
    this.#pageSize = deps.pageSize ?? DEFAULT_PAGE_SIZE;
  }

  /**
   * Runs one round and returns the number of documents that it failed, queued again or ended. It reads all claimed
   * documents (as many as jobs run) and one page of the unclaimed ones, so its cost does not grow with the backlog.
   */
  async run(): Promise<number> {
    const claimed = await this.#claimed();
    const unclaimed = await this.#nextUnclaimed();
    const keys = [...claimed, ...unclaimed].map((document) => ingestJobKey(document.id));
    const states = await this.#deps.queue.states(keys);
    let count = 0;
    for (const document of claimed) {
      if (await this.#tendClaimed(document, states.get(ingestJobKey(document.id)))) count += 1;
    }
    for (const document of unclaimed) {
      if (await this.#tendUnclaimed(document, states.get(ingestJobKey(document.id)))) count += 1;
    }
    return count;
  }

  #claimed(): Promise<DocumentRecord[]> {
    const settled = new Date(Date.now() - SETTLING_MS);
    const overdue = new Date(Date.now() - GRACE_MS);
    return this.#deps.database
      .selectFrom('documents')
      .selectAll()
      .where('status', '=', 'indexing')
      .where('deleted_at', 'is', null)
      .where('deadline_at', 'is not', null)
      .where((eb) => eb.or([eb('deadline_at', '<', overdue), eb('modified_at', '<', settled)]))
      .orderBy('deadline_at')
      .limit(this.#pageSize)
      .execute();
  }

  async #nextUnclaimed(): Promise<UnclaimedDocument[]> {
    let query = this.#deps.database
      .selectFrom('documents')
      .select(['id', 'workspace_id', 'revision', 'format', 'size_bytes', 'is_archive', 'stage'])
      .where('status', '=', 'indexing')
      .where('deleted_at', 'is', null)
      .where('deadline_at', 'is', null)
      .where('modified_at', '<', new Date(Date.now() - SETTLING_MS))
      .orderBy('id')
      .limit(this.#pageSize);
    if (this.#lastUnclaimed !== undefined) query = query.where('id', '>', this.#lastUnclaimed);
    const page = await query.execute();
    this.#lastUnclaimed = page.length < this.#pageSize ? undefined : page.at(-1)?.id;
    return page;
  }

  async #tendClaimed(document: DocumentRecord, job: JobState): Promise<boolean> {
    if (job === 'waiting') return false;
    // The job is gone although an attempt holds the token: a lost connection can end a job without its attempt.
    if (job === undefined) return this.#requeue(document);
    if (document.deadline_at === null || document.deadline_at.getTime() > Date.now() - GRACE_MS) return false;
    const message = `Processing took longer than ${this.#deps.deadlineMs / 1000} s`;
    return this.#deps.ingestion.failOverdue(document, 'timeout', message);
  }

  async #tendUnclaimed(document: UnclaimedDocument, job: JobState): Promise<boolean> {
    if (job === 'waiting') return false;
    if (document.is_archive && document.stage === 'writing') {
      await this.#deps.database
        .transaction()
        .execute((transaction) => settleArchive(transaction, document.id, this.#deps.notifications));
      return true;
    }
    return job === undefined && this.#requeue(document);
  }

  async #requeue(document: QueuedDocument): Promise<true> {
    await this.#deps.database
      .transaction()
      .execute((transaction) => enqueueIngestions(transaction, this.#deps.queue, [document]));
    return true;
  }
}
