/**
 * The end of many attempts in one transaction. It is only for documents that become searchable for the first time and
 * came out of no archive; others, and those whose row or collection another transaction holds, end alone.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import { NOTIFICATION_CHANNEL } from '../../database/notifications.ts';
import type { CollectionIndexRecord, Database } from '../../database/tables.ts';
import { CollectionRepository } from '../collections/repository.ts';
import { EVENTS_TOPIC, eventRow } from '../events/outbox.ts';
import type { Attempt, ReadyDocument } from './ingestion.ts';
import { lockAttempts } from './lock-attempts.ts';
import { documentTopic } from './types.ts';

export interface Success {
  attempt: Attempt;
  ready: ReadyDocument;
}

/** Passages that searches will see: an index that was being built when the attempt began may be the live one by now. */
export const liveCount = (active: readonly CollectionIndexRecord[], { chunkCounts }: ReadyDocument): number =>
  chunkCounts.get(active.find(({ status }) => status === 'live')?.generation ?? 0) ?? 0;

/** In order: true for what is done, undefined for what is to be done alone. */
export function succeedTogether(
  database: Kysely<Database>,
  successes: readonly Success[],
): Promise<(true | undefined)[]> {
  const simple = successes.filter(
    ({ attempt: { document } }) => document.parent_id === null && document.searchable_revision === null,
  );
  return database.transaction().execute(async (transaction) => {
    const attempts = simple.map(({ attempt }) => attempt);
    const held = await lockAttempts(transaction, attempts, 'skip');
    // Read after the lock, which holds off a cut-over until this transaction ends.
    const collectionIds = [...new Set(simple.map(({ attempt }) => attempt.document.collection_id))];
    const active = await new CollectionRepository(transaction).activeIndexes(collectionIds);
    const activeOf = ({ attempt: { document } }: Success) =>
      active.filter((index) => index.collection_id === document.collection_id);
    const done = simple.filter((success) => {
      const written = new Set(success.attempt.indexes.map((index) => index.table_name));
      return held.has(success.attempt.token) && activeOf(success).every((index) => written.has(index.table_name));
    });
    const counted = done.map((success) => ({ ...success, count: liveCount(activeOf(success), success.ready) }));
    if (done.length > 0) await finish(transaction, counted);
    const finished = new Set(done);
    return successes.map((success) => (finished.has(success) ? true : undefined));
  });
}

async function finish(
  transaction: Transaction<Database>,
  successes: readonly (Success & { count: number })[],
): Promise<void> {
  const documents = successes.map(({ attempt }) => attempt.document);
  const events = documents.map((document) =>
    eventRow(document.workspace_id, 'document.ready', {
      documentId: document.id,
      collectionId: document.collection_id,
      name: document.name,
      revision: document.revision,
      status: 'ready',
      error: null,
    }),
  );
  await sql`
    with done as (
      update documents set status = 'ready', stage = null, progress = 1, error_type = null, error_message = null,
        language = ready.language, page_count = ready.page_count, chunk_count = ready.chunk_count,
        searchable_revision = revision, searchable_content_id = content_id, attempt_token = null, deadline_at = null,
        ready_at = statement_timestamp(), modified_at = statement_timestamp()
      from unnest(
        ${documents.map((document) => document.id)}::uuid[],
        ${successes.map(({ ready }) => ready.language)}::text[],
        ${successes.map(({ ready }) => ready.pageCount)}::int[],
        ${successes.map(({ count }) => count)}::int[]
      ) as ready (id, language, page_count, chunk_count)
      where documents.id = ready.id
    ), forgotten as (
      delete from partial_embeddings where document_id = any(${documents.map((document) => document.id)}::uuid[])
    ), told as (
      insert into events (id, workspace_id, type, data)
      select * from unnest(
        ${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.workspace_id)}::uuid[],
        ${events.map((event) => event.type)}::text[], ${events.map((event) => event.data)}::jsonb[])
    )
    select pg_notify(${NOTIFICATION_CHANNEL}, topic)
    from unnest(${[EVENTS_TOPIC, ...documents.map((document) => documentTopic(document.id))]}::text[]) as topic`.execute(
    transaction,
  );
}
