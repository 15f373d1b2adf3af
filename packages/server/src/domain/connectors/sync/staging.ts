/** Stores the listing of a synchronisation. A page, its resume token and its state are stored in one transaction. */
import type { ListingPage, ListingWarning, RemovedFile, SkipReason, SourceEntry } from '@quire/connectors/connector';
import { MAX_PATH_BYTES } from '@quire/connectors/connector';
import { sql, type Transaction } from 'kysely';
import type { ConnectorFoldersTable, Database, SyncWarning } from '../../../database/tables.ts';
import type { Executor } from '../../../database/transaction.ts';
import type { RowBuffer } from './row-buffer.ts';
import { isStorableText, storableText } from './storable-text.ts';
import type { SyncAttempt } from './sync-attempt.ts';

/** Path of the row that shows that the unlogged tables are intact. */
const MARK = '';
const ROWS_PER_STEP = 50_000;

/**
 * Returns whether the stored listing can be continued. Otherwise its rows are removed and it starts again: at the
 * beginning, or after a crash of PostgreSQL, which empties unlogged tables.
 */
export async function prepareListing(attempt: SyncAttempt, changesSince: string | null): Promise<boolean> {
  return attempt.write(async (transaction) => {
    const mark = await transaction
      .selectFrom('connector_listing')
      .select('path')
      .where('sync_id', '=', attempt.id)
      .where('path', '=', MARK)
      .executeTakeFirst();
    if (mark !== undefined) return true;
    await transaction.deleteFrom('connector_listing').where('sync_id', '=', attempt.id).execute();
    await transaction.deleteFrom('connector_folders').where('sync_id', '=', attempt.id).execute();
    await transaction
      .insertInto('connector_listing')
      .values({ sync_id: attempt.id, path: MARK, version: MARK })
      .execute();
    await attempt.advance(transaction, {
      phase: 'listing',
      position: null,
      changes_since: changesSince,
      listed: 0,
      failed_folders: 0,
      warnings: '[]',
      ...(attempt.sync.phase === 'listing' ? {} : RESTARTED),
    });
    return false;
  });
}

/** Counters of the phases after the listing. */
const RESTARTED = {
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  to_fetch: 0,
  known: 0,
  checked: 0,
  left_out: 0,
  unconfirmed: 0,
};

/** Stores a page. After the last page the phase is `comparing`. The buffer serves all pages of a listing. */
export async function storePage(
  attempt: SyncAttempt,
  page: ListingPage,
  skipReason: (entry: SourceEntry) => SkipReason | undefined,
  buffer: RowBuffer,
): Promise<void> {
  const storable = page.entries.filter(({ path }) => isStorable(path));
  const refused = page.entries.filter(({ path }) => !isStorable(path));
  const isLast = page.resumeToken === null;
  await attempt.write(async (transaction) => {
    const listed = await insertEntries(transaction, attempt.id, storable, skipReason, buffer);
    const failures = [
      ...page.failures.map(({ folder, message }) => ({ folder, message })),
      ...refused.map(({ path }) => ({ folder: path, message: 'The path cannot be stored' })),
    ];
    const failed = await insertFolders(transaction, attempt.id, 'failed', failures);
    await insertFolders(
      transaction,
      attempt.id,
      'whole',
      page.completeFolders.map((folder) => ({ folder, message: null })),
    );
    for (const state of ['removed', 'suspected'] as const) {
      const files = (page.removed ?? []).filter(({ isInferred = false }) => isInferred === (state === 'suspected'));
      const paths = await pathsOfRemoved(transaction, attempt.connector.id, files);
      await insertFolders(
        transaction,
        attempt.id,
        state,
        paths.map((folder) => ({ folder, message: null })),
      );
    }
    await storeState(transaction, attempt.connector.id, page.state ?? {});
    await attempt.advance(
      transaction,
      {
        position: page.resumeToken,
        ...withWarnings(attempt.sync.warnings, page.warnings ?? []),
        ...(isLast ? { phase: 'comparing', position: null, change_token: page.changeToken ?? null } : {}),
      },
      { listed, failed_folders: failed },
    );
  });
}

const isStorable = (path: string): boolean =>
  path !== '' && isStorableText(path) && Buffer.byteLength(path) <= MAX_PATH_BYTES;

async function insertEntries(
  transaction: Transaction<Database>,
  syncId: string,
  entries: readonly SourceEntry[],
  skipReason: (entry: SourceEntry) => SkipReason | undefined,
  buffer: RowBuffer,
): Promise<number> {
  if (entries.length === 0) return 0;
  const rows = entries.map((entry) => {
    const skip = skipReason(entry);
    return {
      path: entry.path,
      source_id: entry.id === undefined ? null : storableText(entry.id),
      url: entry.url === undefined ? null : storableText(entry.url),
      name: entry.name === undefined ? null : storableText(entry.name),
      version: storableText(entry.version),
      size_bytes: entry.sizeBytes ?? null,
      content_type: entry.contentType === undefined ? null : storableText(entry.contentType),
      source_modified_at: entry.modifiedAt?.toISOString() ?? null,
      permissions: entry.permissions?.map(storableText) ?? null,
      skip_type: skip?.type ?? null,
      skip_message: skip === undefined ? null : storableText(skip.message),
    };
  });
  // A file that moved between two pages is listed twice under one path at most; the later entry is the newer one.
  const byPath = [...new Map(rows.map((row) => [row.path, row])).values()];
  const { rows: counted } = await sql<{ listed: number }>`
    with stored as (
      insert into connector_listing
      select ${syncId}::uuid, entry.* from jsonb_to_recordset(${buffer.encode(byPath)}::text::jsonb) as entry (
        path text, source_id text, url text, name text, version text, size_bytes bigint, content_type text,
        source_modified_at timestamptz, permissions text[], skip_type text, skip_message text)
      on conflict (sync_id, path) do update set
        source_id = excluded.source_id, url = excluded.url, name = excluded.name, version = excluded.version,
        size_bytes = excluded.size_bytes, content_type = excluded.content_type,
        source_modified_at = excluded.source_modified_at, permissions = excluded.permissions,
        skip_type = excluded.skip_type, skip_message = excluded.skip_message
      returning xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as listed from stored`.execute(transaction);
  return counted[0]?.listed ?? 0;
}

/** Adds the warnings of a page; the first one of each type is kept. */
function withWarnings(known: readonly SyncWarning[], found: readonly ListingWarning[]): { warnings?: string } {
  const byType = new Map(known.map((warning) => [warning.type, warning]));
  for (const { type, message } of found) {
    if (!byType.has(type)) byType.set(type, { type, message: storableText(message) });
  }
  return byType.size === known.length ? {} : { warnings: JSON.stringify([...byType.values()]) };
}

/** Returns the number of folders that were not stored in this state before. */
export async function insertFolders(
  transaction: Transaction<Database>,
  syncId: string,
  state: ConnectorFoldersTable['state'],
  folders: readonly { folder: string; message: string | null }[],
): Promise<number> {
  if (folders.length === 0) return 0;
  const inserted = await transaction
    .insertInto('connector_folders')
    .values(
      folders.map(({ folder, message }) => ({
        sync_id: syncId,
        folder: storableText(folder),
        state,
        message: message === null ? null : storableText(message),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('folder')
    .execute();
  return inserted.length;
}

async function pathsOfRemoved(
  transaction: Transaction<Database>,
  connectorId: string,
  removed: readonly RemovedFile[],
): Promise<string[]> {
  const paths = removed.flatMap((file) => ('path' in file ? [file.path] : []));
  const ids = removed.flatMap((file) => ('id' in file ? [storableText(file.id)] : []));
  if (ids.length === 0) return paths;
  const found = await transaction
    .selectFrom('connector_items')
    .select('path')
    .where('connector_id', '=', connectorId)
    .where('source_id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  return [...paths, ...found.map(({ path }) => path)];
}

async function storeState(
  transaction: Transaction<Database>,
  connectorId: string,
  changes: Readonly<Record<string, string | null>>,
): Promise<void> {
  const entries = Object.entries(changes);
  const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
  const stored = entries.flatMap(([key, value]) =>
    value === null ? [] : [{ connector_id: connectorId, key, value: storableText(value) }],
  );
  if (removed.length > 0) {
    await transaction
      .deleteFrom('connector_state')
      .where('connector_id', '=', connectorId)
      .where('key', '=', (eb) => eb.fn.any(eb.val(removed)))
      .execute();
  }
  if (stored.length === 0) return;
  await transaction
    .insertInto('connector_state')
    .values(stored)
    .onConflict((conflict) =>
      conflict.columns(['connector_id', 'key']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}

/** Removes the listings of synchronisations that have ended, and returns the number of rows. */
export async function clearListings(executor: Executor): Promise<number> {
  let count = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from connector_listing where ctid = any(array(
        select ctid from connector_listing as listing
        where not exists (
          select from connector_syncs as sync where sync.id = listing.sync_id and sync.status = 'running')
        limit ${ROWS_PER_STEP}))`.execute(executor);
    count += Number(numAffectedRows ?? 0n);
    if (Number(numAffectedRows ?? 0n) < ROWS_PER_STEP) break;
  }
  const { numAffectedRows } = await sql`
    delete from connector_folders as folder where not exists (
      select from connector_syncs as sync where sync.id = folder.sync_id and sync.status = 'running')`.execute(
    executor,
  );
  return count + Number(numAffectedRows ?? 0n);
}
