/**
 * Ends documents that no worker ends: fails overdue ones, queues documents without a job again, and ends archives whose
 * members have ended. Any process may run it.
 */
import { sql, type Kysely } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { hasJob, hasWaitingJob, tendAbandoned, type WorkKind } from '../../queue/abandoned-work.ts';
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
}

/** Grace period after the deadline, in ms, in which a worker can fail its own overdue document. */
const GRACE_MS = 60_000;
const ARCHIVES_PER_ROUND = 500;

const key = sql`${ingestJobKey('')}::text || documents.id`;

export class DocumentReaper {
  readonly #deps: ReaperDeps;

  constructor(deps: ReaperDeps) {
    this.#deps = deps;
  }

  /** Runs one round and returns the number of documents that it failed, queued again or ended. */
  async run(): Promise<number> {
    const tended = await tendAbandoned(this.#deps.database, documentWork(this.#deps));
    return tended + (await this.#settleArchives());
  }

  /** Ends archives whose last member ended in a transaction that did not see the archive's own. */
  async #settleArchives(): Promise<number> {
    const { database, notifications } = this.#deps;
    const { rows } = await sql<{ id: string }>`
      select id from documents
      where status = 'indexing' and deleted_at is null and is_archive and stage = 'writing' and not exists (
        select from documents as member
        where member.parent_id = documents.id and member.status = 'indexing' and member.deleted_at is null
      ) limit ${ARCHIVES_PER_ROUND}`.execute(database);
    for (const { id } of rows)
      await database.transaction().execute((transaction) => settleArchive(transaction, id, notifications));
    return rows.length;
  }
}

/** The members of an archive are processed by their own jobs, so that it needs none once they are stored. */
const documentWork = (deps: ReaperDeps): WorkKind<QueuedDocument, DocumentRecord> => ({
  findJobless: async (transaction, limit) => {
    const { rows } = await sql<QueuedDocument>`
      select id, workspace_id, revision, format, size_bytes from documents
      where status = 'indexing' and deleted_at is null and not (is_archive and stage is not distinct from 'writing')
        and not ${hasJob(key)}
      order by id limit ${limit} for update skip locked`.execute(transaction);
    return rows;
  },
  enqueue: async (transaction, documents) => {
    for (const workspaceId of new Set(documents.map((document) => document.workspace_id))) {
      const own = documents.filter((document) => document.workspace_id === workspaceId);
      await enqueueIngestions(transaction, deps.queue, own);
    }
  },
  findOverdue: async (limit) => {
    const { rows } = await sql<DocumentRecord>`
      select * from documents
      where status = 'indexing' and deleted_at is null and deadline_at < ${new Date(Date.now() - GRACE_MS)}
        and not ${hasWaitingJob(key)}
      order by deadline_at limit ${limit}`.execute(deps.database);
    return rows;
  },
  fail: (document) => {
    const message = `Processing took longer than ${deps.deadlineMs / 1000} s`;
    return deps.ingestion.failOverdue(document, 'timeout', message);
  },
});
