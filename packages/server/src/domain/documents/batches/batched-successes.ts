/** Ends attempts successfully: the document becomes `ready`, and searches see its new revision. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { NOTIFICATION_CHANNEL, type Notifications } from '../../../database/notifications.ts';
import type { CollectionIndexRecord, Database, DocumentRecord } from '../../../database/tables.ts';
import { removalOf } from '../../../queue/claims.ts';
import type { JobQueue } from '../../../queue/job-queue.ts';
import { storageKeys } from '../../../storage/layout.ts';
import { enqueueSweep } from '../../collections/index-jobs.ts';
import { CollectionRepository } from '../../collections/repository.ts';
import { EVENTS_TOPIC, eventRow } from '../../events/outbox.ts';
import { lockArchives, settleArchive } from '../archive.ts';
import type { Attempt, ReadyDocument } from '../attempt.ts';
import { lockAttempts, type LockMode } from '../lock-attempts.ts';
import { documentTopic } from '../types.ts';

export interface Success {
  attempt: Attempt;
  ready: ReadyDocument;
}

export type SuccessOutcome = 'done' | 'superseded' | 'indexes-changed';

export interface SuccessDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  notifications: Notifications;
}

/** Delay before a superseded revision is removed, in ms: longer than any request that may still read it. */
const SWEEP_DELAY_MS = 60_000;

/** Whether a success can share a transaction: it locks no archive and leaves no older revision to sweep. */
export const isBatchable = ({ attempt: { document } }: Success): boolean =>
  document.parent_id === null && document.searchable_revision === null;

/**
 * Ends attempts in one transaction and returns an outcome for each, in order. With `skip`, pass batchable successes
 * only; the outcome of a document whose rows another transaction has locked is then `superseded`.
 */
export function succeedBatch(
  deps: SuccessDeps,
  successes: readonly Success[],
  mode: LockMode,
): Promise<SuccessOutcome[]> {
  return deps.database.transaction().execute(async (transaction) => {
    const attempts = successes.map(({ attempt }) => attempt);
    for (const { document } of attempts) await lockArchives(transaction, document);
    const tokens = await lockAttempts(transaction, attempts, mode);
    // Read after the lock, which holds off a cut-over until this transaction ends.
    const collectionIds = [...new Set(attempts.map(({ document }) => document.collection_id))];
    const active = await new CollectionRepository(transaction).activeIndexes(collectionIds);
    const activeOf = ({ attempt: { document } }: Success) =>
      active.filter((index) => index.collection_id === document.collection_id);
    const outcomes = successes.map((success): SuccessOutcome => {
      if (!tokens.has(success.attempt.token)) return 'superseded';
      const written = new Set(success.attempt.indexes.map((index) => index.table_name));
      return activeOf(success).every((index) => written.has(index.table_name)) ? 'done' : 'indexes-changed';
    });
    const done = successes.filter((_, position) => outcomes[position] === 'done');
    if (done.length > 0) {
      await markReady(
        transaction,
        done.map((success) => ({ ...success, count: liveChunkCount(activeOf(success), success.ready) })),
      );
    }
    for (const { attempt } of done) await finishFamily(transaction, attempt.document, deps);
    return outcomes;
  });
}

/** Returns the number of chunks that searches will see: an index under construction at the start may be live by now. */
const liveChunkCount = (active: readonly CollectionIndexRecord[], { chunkCounts }: ReadyDocument): number =>
  chunkCounts.get(active.find(({ status }) => status === 'live')?.generation ?? 0) ?? 0;

/** Writes states, events and notifications of all documents, and ends their jobs, with one statement. */
async function markReady(
  transaction: Transaction<Database>,
  successes: readonly (Success & { count: number })[],
): Promise<void> {
  const documents = successes.map(({ attempt }) => attempt.document);
  const ids = documents.map((document) => document.id);
  const events = successes.map(({ attempt: { document }, ready }) =>
    eventRow(document.workspace_id, 'document.ready', {
      documentId: document.id,
      collectionId: document.collection_id,
      name: document.name,
      revision: document.revision,
      status: 'ready',
      error: null,
      warnings: ready.warnings,
    }),
  );
  // `ready_at` is taken after the collection is locked, so a transaction that holds that lock can
  // distinguish documents that became ready later.
  await sql`
    with done as (
      update documents set status = 'ready', stage = null, progress = 1, error_type = null, error_message = null,
        language = ready.language, title = ready.title, page_count = ready.page_count, chunk_count = ready.chunk_count,
        warnings = ready.warnings,
        searchable_revision = revision, searchable_content_id = content_id, attempt_token = null, deadline_at = null,
        ready_at = statement_timestamp(), modified_at = statement_timestamp()
      from unnest(
        ${ids}::uuid[], ${successes.map(({ ready }) => ready.language)}::text[],
        ${successes.map(({ ready }) => ready.title)}::text[],
        ${successes.map(({ ready }) => ready.pageCount)}::int[], ${successes.map(({ count }) => count)}::int[],
        ${successes.map(({ ready }) => JSON.stringify(ready.warnings))}::jsonb[]
      ) as ready (id, language, title, page_count, chunk_count, warnings)
      where documents.id = ready.id
    ), obsolete_embeddings as (
      delete from partial_embeddings where document_id = any(${ids}::uuid[])
    ), ended_jobs as (${removalOf(successes.map(({ attempt }) => attempt.job))}
    ), recorded as (
      insert into events (id, workspace_id, type, data)
      select * from unnest(
        ${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.workspace_id)}::uuid[],
        ${events.map((event) => event.type)}::text[], ${events.map((event) => event.data)}::jsonb[])
    )
    select pg_notify(${NOTIFICATION_CHANNEL}, topic)
    from unnest(${[EVENTS_TOPIC, ...ids.map(documentTopic)]}::text[]) as topic`.execute(transaction);
}

/** Settles the archive that the document is a member of, and schedules the removal of its superseded revision. */
async function finishFamily(
  transaction: Transaction<Database>,
  document: DocumentRecord,
  { queue, notifications }: SuccessDeps,
): Promise<void> {
  if (document.parent_id !== null) await settleArchive(transaction, document.parent_id, notifications);
  if (document.searchable_revision === null) return;
  const runAt = new Date(Date.now() + SWEEP_DELAY_MS);
  const { collection_id: collectionId, searchable_content_id: contentId } = document;
  await enqueueSweep(transaction, queue, collectionId, { runAt });
  if (contentId !== null && contentId !== document.content_id) {
    const prefix = storageKeys.content(document, contentId);
    await queue.enqueue(transaction, 'purge-content', { prefix }, { runAt });
  }
}
