/** The files that a synchronisation still has to fetch or to describe again. */
import { sql } from 'kysely';
import type { Database, SourceItemRecord } from '../../../database/tables.ts';
import type { Executor } from '../../../database/transaction.ts';
import type { Kysely } from 'kysely';
import { DocumentRepository } from '../../documents/repository.ts';
import { documentName } from './skip-rules.ts';
import type { SyncAttempt } from './sync-attempt.ts';
import { sourceOf } from './transfer.ts';

const DESCRIPTIONS_PER_STEP = 200;

const work = (database: Executor, attempt: SyncAttempt, todo: 'fetch' | 'describe') =>
  database
    .selectFrom('connector_items')
    .where('connector_id', '=', attempt.connector.id)
    .where('todo', '=', todo)
    .where('todo_sync', '=', attempt.id);

/** Returns the next files whose fetch is due, in the order of their paths. */
export function dueFetches(database: Executor, attempt: SyncAttempt, limit: number): Promise<SourceItemRecord[]> {
  return work(database, attempt, 'fetch')
    .selectAll()
    .where((eb) => eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', new Date())]))
    .orderBy('path')
    .limit(limit)
    .execute();
}

/** The files that are fetched again after a failure. */
export interface WaitingFetches {
  count: number;
  /** Time of the next fetch, and the failure of that file. */
  at: Date;
  message: string;
}

/** Returns the files that wait for another try; null if none is left. */
export async function waitingFetches(database: Executor, attempt: SyncAttempt): Promise<WaitingFetches | null> {
  const row = await work(database, attempt, 'fetch')
    .select((eb) => ['next_attempt_at', 'error_message', eb.fn.countAll<string>().over().as('count')])
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  if (row?.next_attempt_at == null) return null;
  return { count: Number(row.count), at: row.next_attempt_at, message: row.error_message ?? '' };
}

/** Whether a file failed in this synchronisation for a reason other than that the source did not answer. */
export async function hasAnswered(database: Executor, attempt: SyncAttempt): Promise<boolean> {
  const answered = await database
    .selectFrom('connector_items')
    .select('path')
    .where('connector_id', '=', attempt.connector.id)
    .where('status', '=', 'failed')
    .where('error_type', '<>', 'network')
    .where('last_seen_at', '>=', attempt.sync.started_at)
    .limit(1)
    .executeTakeFirst();
  return answered !== undefined;
}

/** Writes moves and permissions into the metadata of the next documents; returns whether there may be more. */
export async function describeNext(attempt: SyncAttempt): Promise<boolean> {
  const { connector } = attempt;
  return attempt.write(async (transaction) => {
    const items = await work(transaction, attempt, 'describe')
      .selectAll()
      .orderBy('path')
      .limit(DESCRIPTIONS_PER_STEP)
      .execute();
    const documents = new DocumentRepository(transaction);
    const live = await documents.lockLive(
      connector.workspace_id,
      items.flatMap(({ document_id: documentId }) => (documentId === null ? [] : [documentId])),
    );
    const names = new Map(live.map(({ id, name }) => [id, name]));
    for (const item of items) {
      const name = names.get(item.document_id ?? '');
      if (item.document_id === null || name === undefined) continue;
      const current = documentName({ path: item.path, ...(item.name === null ? {} : { name: item.name }) });
      if (name !== current) await documents.update(connector.workspace_id, item.document_id, { name: current });
      await documents.mergeMetadata(connector.workspace_id, item.document_id, { source: sourceOf(item) });
    }
    await sql`update connector_items set todo = null, todo_sync = null
      where connector_id = ${connector.id} and path = any(${items.map(({ path }) => path)}::text[])`.execute(
      transaction,
    );
    await attempt.advance(transaction, {}, { updated: items.length });
    return items.length === DESCRIPTIONS_PER_STEP;
  });
}

/** Counts the documents of the connector that are being processed, up to `cap`. */
export async function countIndexing(database: Kysely<Database>, attempt: SyncAttempt, cap: number): Promise<number> {
  const { connector } = attempt;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from documents where workspace_id = ${connector.workspace_id} and status = 'indexing'
        and deleted_at is null and metadata->'source'->>'connectorId' = ${connector.id} limit ${cap}) as pending
  `.execute(database);
  return rows[0]?.count ?? 0;
}
