/**
 * Sees to it that every document ends, whatever died meanwhile: fails what is overdue, queues again what has no job,
 * settles archives whose members are done. Any process may run it; under a lock one at a time does.
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

/** A worker fails its own overdue document first; this is for one that hangs or lost its way. */
const GRACE_MS = 60_000;
/** A document this young may be between its commit and its job. */
const SETTLING_MS = 60_000;
const DOCUMENTS_PER_ROUND = 1_000;

export class DocumentReaper {
  readonly #deps: ReaperDeps;

  constructor(deps: ReaperDeps) {
    this.#deps = deps;
  }

  /** One round; returns how many documents it failed, queued again or settled. */
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
      .where((eb) =>
        eb.or([
          eb('deadline_at', '<', overdue),
          eb.and([eb('deadline_at', 'is', null), eb('modified_at', '<', settled)]),
        ]),
      )
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
      if (document.deadline_at === null) return false;
      const message = `Processing took longer than ${this.#deps.deadlineMs / 1000} s`;
      return this.#deps.ingestion.failOverdue(document, 'timeout', message);
    }
    await this.#deps.database
      .transaction()
      .execute((transaction) => enqueueIngestions(transaction, this.#deps.queue, [document]));
    return true;
  }
}
