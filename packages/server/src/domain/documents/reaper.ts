/**
 * Ends documents that no worker ends: fails overdue ones, queues documents without a job again, and ends archives whose
 * members have ended. Any process may run it.
 */
import type { Kysely } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import { settleArchive } from './archive.ts';
import { enqueueIngestions, ingestJobKey } from './enqueue.ts';
import type { DocumentIngestion } from './ingestion.ts';

export interface ReaperDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
  ingestion: DocumentIngestion;
  deadlineMs: number;
}

/** Grace period after the deadline, in ms, in which a worker can fail its own overdue document. */
const GRACE_MS = 60_000;
/** Minimum age, in ms: a younger document may be between its commit and its job. */
const SETTLING_MS = 60_000;
const DOCUMENTS_PER_ROUND = 1_000;

export class DocumentReaper {
  readonly #deps: ReaperDeps;

  constructor(deps: ReaperDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of documents that it failed, queued again or ended. */
  async run(): Promise<number> {
    const suspects = await this.#suspects();
    const states = await this.#deps.queue.states(suspects.map((document) => ingestJobKey(document.id)));
    let count = 0;
    for (const document of suspects) {
      if (await this.#tend(document, states.get(ingestJobKey(document.id)))) count += 1;
    }
    return count;
  }

  #suspects(): Promise<DocumentRecord[]> {
    const settled = new Date(Date.now() - SETTLING_MS);
    const overdue = new Date(Date.now() - GRACE_MS);
    return this.#deps.database
      .selectFrom('documents')
      .selectAll()
      .where('status', '=', 'indexing')
      .where('deleted_at', 'is', null)
      .where((eb) => eb.or([eb('deadline_at', '<', overdue), eb('modified_at', '<', settled)]))
      .orderBy('id')
      .limit(DOCUMENTS_PER_ROUND)
      .execute();
  }

  async #tend(document: DocumentRecord, job: 'waiting' | 'running' | undefined): Promise<boolean> {
    if (job === 'waiting') return false;
    if (document.is_archive && document.stage === 'writing') {
      await this.#deps.database
        .transaction()
        .execute((transaction) => settleArchive(transaction, document.id, this.#deps.notifications));
      return true;
    }
    if (job === 'running') {
      if (document.deadline_at === null || document.deadline_at.getTime() > Date.now() - GRACE_MS) return false;
      const message = `Processing took longer than ${this.#deps.deadlineMs / 1000} s`;
      return this.#deps.ingestion.failOverdue(document, 'timeout', message);
    }
    // The job is gone even if an attempt holds the token: a lost connection can end a job without its attempt.
    await this.#deps.database
      .transaction()
      .execute((transaction) => enqueueIngestions(transaction, this.#deps.queue, [document]));
    return true;
  }
}
