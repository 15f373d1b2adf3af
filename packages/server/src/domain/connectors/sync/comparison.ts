/**
 * Compares a complete listing with the known files, in SQL, in batches of paths. Each batch is one transaction: it
 * marks what has to be fetched, described again or deleted, so that the phase continues anywhere. Comparing staged rows
 * takes 2 s for 1,000,000 files; marking every listed file as seen would take 22 s and double the table each time.
 */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import type { SyncAttempt } from './sync-attempt.ts';

/** Maximum number of listed files that one transaction compares. */
export const BATCH_PATHS = 10_000;
/** Maximum number of rounds in which chains of moves (a to b, b to c) are resolved. */
const MOVE_ROUNDS = 10;

/** Skipped for a reason that concerns the content: the document of the last readable version stays. */
const KEEPS_DOCUMENT = ['too_large', 'unsupported_file_type'];

/** A file has to be fetched: `i` is what is known of it, `l` how it is listed. */
export const wantsFetch = (refetch: boolean) => sql<boolean>`(
  l.skip_type is null and (${refetch}::boolean or i.status in ('deleted', 'pending') or i.version is distinct from l.version)
  and not (not ${refetch}::boolean and i.status = 'failed' and i.listed_version = l.version
    and coalesce(i.next_attempt_at > now(), false)))`;

/** A file is listed, but not to be imported any more. */
export const wantsRemoval = sql<boolean>`(
  l.skip_type is not null and l.skip_type <> all(${KEEPS_DOCUMENT}::text[])
  and i.document_id is not null and i.status <> 'deleted')`;

/** The description of the source in the metadata has changed, the content has not. */
const wantsDescription = (syncId: string) => sql<boolean>`(
  l.skip_type is null and i.document_id is not null and i.status <> 'deleted' and (
    i.permissions is distinct from l.permissions or i.url is distinct from l.url or i.name is distinct from l.name
    or (i.todo = 'describe' and i.todo_sync = ${syncId})))`;

/** A known file `i` is missing, and the source reported that itself: its deletion, or its id at another path. */
export const isReported = (syncId: string) => sql<boolean>`(
  exists (select from connector_folders f where f.sync_id = ${syncId} and f.folder = i.path and f.state = 'removed')
  or (i.source_id is not null and exists (
    select from connector_listing o where o.sync_id = ${syncId} and o.source_id = i.source_id)))`;

/** A known file `i` is missing, and the listing shows that it was deleted. */
export const isDeletable = (syncId: string) => sql<boolean>`(
  exists (select from connector_folders f where f.sync_id = ${syncId} and f.folder = i.path
    and f.state in ('removed', 'suspected'))
  or (exists (
      select from connector_folders f where f.sync_id = ${syncId} and f.state = 'whole'
      and f.folder = any(folders_of_path(i.path)))
    and not exists (
      select from connector_folders f where f.sync_id = ${syncId} and f.state = 'failed'
      and f.folder = any(folders_of_path(i.path) || i.path))))`;

/** Compares the next batch; after the last one the phase is `fetching`. */
export async function compareBatch(attempt: SyncAttempt, batchPaths = BATCH_PATHS): Promise<void> {
  await attempt.write(async (transaction) => {
    const { position } = attempt.sync;
    if (position === null) return begin(transaction, attempt);
    const end = await endOfBatch(transaction, attempt.id, position, batchPaths);
    const range = { after: position, upTo: end };
    const known = await updateKnown(transaction, attempt, range);
    const added = await insertNew(transaction, attempt, range);
    await markMissing(transaction, attempt, range);
    await attempt.advance(transaction, end === null ? { phase: 'fetching', position: null } : { position: end }, {
      unchanged: known.unchanged,
      skipped: added.skipped + known.skipped,
      failed: known.failed,
      to_fetch: added.fetched + known.fetched,
    });
  });
}

interface Range {
  after: string;
  /** Null for the last batch. */
  upTo: string | null;
}

const within = (path: string, { after, upTo }: Range) =>
  sql<boolean>`(${sql.ref(path)} > ${after} and (${upTo}::text is null or ${sql.ref(path)} <= ${upTo}))`;

/** Counts the known files and resolves moves by id, before the first batch. */
async function begin(transaction: Transaction<Database>, attempt: SyncAttempt): Promise<void> {
  const known = await countKnown(transaction, attempt.connector.id);
  for (let round = 0; round < MOVE_ROUNDS; round += 1) if ((await moveById(transaction, attempt)) === 0) break;
  if (attempt.sync.changes_since !== null) await retryUnlisted(transaction, attempt);
  await attempt.advance(transaction, { position: '', known });
}

/** Returns the number of known files with a document. */
export async function countKnown(transaction: Transaction<Database>, connectorId: string): Promise<number> {
  const { known } = await transaction
    .selectFrom('connector_items')
    .select((eb) => eb.fn.countAll<string>().as('known'))
    .where('connector_id', '=', connectorId)
    .where('document_id', 'is not', null)
    .where('status', '<>', 'deleted')
    .executeTakeFirstOrThrow();
  return Number(known);
}

/** Gives the known file of a moved one its new path, if the new path is free and the old one is not listed. */
async function moveById(transaction: Transaction<Database>, { id, connector }: SyncAttempt): Promise<number> {
  await sql`
    delete from connector_items as old using connector_listing as l, connector_items as i
    where old.connector_id = ${connector.id} and old.status = 'deleted' and l.sync_id = ${id} and l.path = old.path
      and i.connector_id = ${connector.id} and i.source_id = l.source_id and i.path <> l.path
      and i.status <> 'deleted'`.execute(transaction);
  const { numAffectedRows } = await sql`
    with moved as (
      select distinct on (i.path) i.path as old_path, l.path as new_path
      from connector_items i join connector_listing l
        on l.sync_id = ${id} and l.source_id = i.source_id and l.path <> i.path
      where i.connector_id = ${connector.id} and i.document_id is not null and i.status <> 'deleted'
        and not exists (select from connector_listing o where o.sync_id = ${id} and o.path = i.path)
        and not exists (select from connector_items n where n.connector_id = ${connector.id} and n.path = l.path)
      order by i.path, l.path),
    free as (select distinct on (new_path) * from moved order by new_path, old_path)
    update connector_items as i set path = free.new_path, todo = 'describe', todo_sync = ${id}, is_missing = false
    from free where i.connector_id = ${connector.id} and i.path = free.old_path`.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** A change feed does not list files again whose fetch failed. */
async function retryUnlisted(transaction: Transaction<Database>, attempt: SyncAttempt): Promise<void> {
  const { numAffectedRows } = await sql`
    update connector_items set todo = 'fetch', todo_sync = ${attempt.id}, attempts = 0, next_attempt_at = null
    where connector_id = ${attempt.connector.id} and status in ('failed', 'pending') and not is_missing
      and coalesce(next_attempt_at <= now(), true)
      and not exists (select from connector_listing l where l.sync_id = ${attempt.id} and l.path = connector_items.path)
  `.execute(transaction);
  await attempt.advance(transaction, {}, { to_fetch: Number(numAffectedRows ?? 0n) });
}

/** Returns the last path of the batch; null if it is the last batch. */
async function endOfBatch(
  transaction: Transaction<Database>,
  syncId: string,
  after: string,
  batchPaths: number,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('connector_listing')
    .select('path')
    .where('sync_id', '=', syncId)
    .where('path', '>', after)
    .orderBy('path')
    .offset(batchPaths - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.path ?? null;
}

async function insertNew(transaction: Transaction<Database>, { id, connector }: SyncAttempt, range: Range) {
  const { rows } = await sql<{ fetched: number; skipped: number }>`
    with added as (
      insert into connector_items (connector_id, path, source_id, url, name, status, listed_version, size_bytes,
        content_type, source_modified_at, permissions, error_type, error_message, todo, todo_sync)
      select ${connector.id}, l.path, l.source_id, l.url, l.name,
        case when l.skip_type is null then 'pending' else 'skipped' end, l.version, l.size_bytes, l.content_type,
        l.source_modified_at, l.permissions, l.skip_type, l.skip_message,
        case when l.skip_type is null then 'fetch' end, ${id}
      from connector_listing l
      where l.sync_id = ${id} and ${within('l.path', range)}
        and not exists (select from connector_items i where i.connector_id = ${connector.id} and i.path = l.path)
      returning todo)
    select count(*) filter (where todo = 'fetch')::int as fetched, count(*) filter (where todo is null)::int as skipped
    from added`.execute(transaction);
  return rows[0] ?? { fetched: 0, skipped: 0 };
}

async function updateKnown(transaction: Transaction<Database>, { id, sync, connector }: SyncAttempt, range: Range) {
  const { rows } = await sql<{ fetched: number; skipped: number; failed: number; unchanged: number }>`
    with compared as (
      select i.path, l.source_id, l.url, l.name, l.version, l.size_bytes, l.content_type, l.source_modified_at,
        l.permissions, l.skip_type, l.skip_message, i.status,
        case when ${wantsFetch(sync.refetch)} then 'fetch' when ${wantsRemoval} then 'delete'
          when ${wantsDescription(id)} then 'describe' end as todo,
        i.is_missing or i.todo is not null or i.source_id is distinct from l.source_id
          or i.listed_version <> l.version or (l.skip_type is not null and i.error_type is distinct from l.skip_type)
          as is_stale
      from connector_listing l join connector_items i on i.connector_id = ${connector.id} and i.path = l.path
      where l.sync_id = ${id} and ${within('l.path', range)}),
    changed as (
      update connector_items as i set source_id = c.source_id, url = c.url, name = c.name,
        listed_version = c.version, size_bytes = c.size_bytes, content_type = c.content_type,
        source_modified_at = c.source_modified_at, permissions = c.permissions, is_missing = false, last_seen_at = now(),
        todo = c.todo, todo_sync = ${id},
        status = case when c.skip_type is not null and c.todo is null then 'skipped' else i.status end,
        error_type = coalesce(c.skip_type, i.error_type), error_message = coalesce(c.skip_message, i.error_message),
        attempts = case when c.todo = 'fetch' then 0 else i.attempts end,
        next_attempt_at = case when c.todo = 'fetch' then null else i.next_attempt_at end
      from compared c
      where i.connector_id = ${connector.id} and i.path = c.path and (c.todo is not null or c.is_stale))
    select count(*) filter (where todo = 'fetch')::int as fetched,
      count(*) filter (where todo is null and (skip_type is not null or status = 'skipped'))::int as skipped,
      count(*) filter (where todo is null and skip_type is null and status = 'failed')::int as failed,
      count(*) filter (where todo is null and skip_type is null and status = 'synced')::int as unchanged
    from compared`.execute(transaction);
  return rows[0] ?? { fetched: 0, skipped: 0, failed: 0, unchanged: 0 };
}

/** Marks missing files for deletion where the listing allows it. Those without a document are forgotten. */
async function markMissing(transaction: Transaction<Database>, attempt: SyncAttempt, range: Range): Promise<void> {
  const { id, connector, sync } = attempt;
  const isFeed = sync.changes_since !== null;
  await sql`
    with missing as (
      select i.path, i.document_id, ${isDeletable(id)} as deletable, ${isReported(id)} as reported
      from connector_items i
      where i.connector_id = ${connector.id} and i.status <> 'deleted' and ${within('i.path', range)}
        and not exists (select from connector_listing l where l.sync_id = ${id} and l.path = i.path)),
    forgotten as (
      delete from connector_items i using missing m
      where i.connector_id = ${connector.id} and i.path = m.path and m.deletable and m.document_id is null)
    update connector_items i set is_missing = true, is_reported = m.reported, todo = case when m.deletable then 'delete' end, todo_sync = ${id},
      last_seen_at = case when i.is_missing then i.last_seen_at else coalesce(${connector.listed_at}, i.last_seen_at) end
    from missing m
    where i.connector_id = ${connector.id} and i.path = m.path and m.document_id is not null
      and (m.deletable or not ${isFeed}::boolean)
      and not (i.todo = 'fetch' and i.todo_sync = ${id} and ${isFeed}::boolean and not m.deletable)`.execute(
    transaction,
  );
}
