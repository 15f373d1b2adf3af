/**
 * The comparison of a dry run: counts and examples, without changing anything. Files that would be deleted are verified
 * as in a real synchronisation; the results are stored with the listing.
 */
import { sql, type Transaction } from 'kysely';
import type { Existence } from '@quire/connectors/connector';
import type { Database, SourceItemRecord, SyncChange } from '../../../database/tables.ts';
import type { Executor } from '../../../database/transaction.ts';
import { isDeletable, isReported, wantsFetch, wantsRemoval } from './comparison.ts';
import { insertFolders } from './staging.ts';
import type { SyncAttempt } from './sync-attempt.ts';

/** Maximum number of changes in the record of a dry run. */
export const MAX_CHANGES = 1000;
const KINDS_OF_CHANGE = 4;

interface PreviewCounts {
  added: number;
  updated: number;
  unchanged: number;
  skipped: number;
  deleted: number;
}

/** Returns what a synchronisation would do: at least 250 changes of each kind, if there are, and 1,000 in all. */
export async function previewSync(
  transaction: Transaction<Database>,
  attempt: SyncAttempt,
): Promise<{ counts: PreviewCounts; changes: SyncChange[] }> {
  const { id, sync, connector } = attempt;
  const { rows } = await sql<{ change: keyof typeof COUNTERS; total: string; examples: SyncChange[] }>`
    with compared as (
      select l.path, coalesce(l.skip_message, l.skip_type, i.error_message) as reason,
        case when i.path is null and l.skip_type is null then 'add' when i.path is null then 'skip'
          when ${wantsRemoval} then 'delete' when l.skip_type is not null then 'skip'
          when not ${wantsFetch(sync.refetch)} then
            case when i.status = 'skipped' then 'skip' else 'none' end
          when i.status in ('deleted', 'pending') then 'add' else 'update' end as change
      from connector_listing l
      left join connector_items i on i.connector_id = ${connector.id} and i.path = l.path
      where l.sync_id = ${id} and l.path > ''
      union all
      select i.path, 'The source does not contain the file any more', 'delete' from connector_items i
      where i.connector_id = ${connector.id} and i.document_id is not null and i.status <> 'deleted'
        and not exists (select from connector_listing l where l.sync_id = ${id} and l.path = i.path)
        and ${connector.deletions === 'mirror'}::boolean and ${isDeletable(id)} and not ${isKept(id)}),
    ranked as (select *, row_number() over (partition by change order by path) as position from compared)
    select change, count(*) as total,
      coalesce(jsonb_agg(jsonb_build_object('path', path, 'change', change, 'reason', reason) order by path)
        filter (where position <= ${MAX_CHANGES} and change <> 'none'), '[]') as examples
    from ranked group by change`.execute(transaction);
  const counts: PreviewCounts = { added: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0 };
  for (const { change, total } of rows) counts[COUNTERS[change]] = Number(total);
  return { counts, changes: share(rows.map(({ examples }) => examples)) };
}

const COUNTERS = { add: 'added', update: 'updated', none: 'unchanged', skip: 'skipped', delete: 'deleted' } as const;

/** A dry run has verified the missing file `i`, which exists or may exist. */
const isKept = (syncId: string) => sql<boolean>`exists (select from connector_folders f
  where f.sync_id = ${syncId} and f.folder = i.path and f.state in ('present', 'unknown'))`;

/** Returns the next files after a path whose documents would be deleted because the listing did not contain them. */
export async function nextChecks(
  executor: Executor,
  { id, connector }: SyncAttempt,
  after: string,
  limit: number,
): Promise<Pick<SourceItemRecord, 'path' | 'source_id' | 'url'>[]> {
  const { rows } = await sql<Pick<SourceItemRecord, 'path' | 'source_id' | 'url'>>`
    select i.path, i.source_id, i.url from connector_items i
    where i.connector_id = ${connector.id} and i.path > ${after} and i.document_id is not null
      and i.status <> 'deleted'
      and not exists (select from connector_listing l where l.sync_id = ${id} and l.path = i.path)
      and ${isDeletable(id)} and not ${isReported(id)}
    order by i.path limit ${limit}`.execute(executor);
  return rows;
}

/** Keeps the answers for files that exist or may exist. */
export async function storeChecks(
  transaction: Transaction<Database>,
  syncId: string,
  answers: ReadonlyMap<string, Existence>,
): Promise<void> {
  for (const state of ['present', 'unknown'] as const) {
    const paths = [...answers].filter(([, existence]) => existence === state);
    const rows = paths.map(([folder]) => ({ folder, message: null }));
    await insertFolders(transaction, syncId, state, rows);
  }
}

/** Gives each kind of change its share; what one does not need is free for the others. */
function share(kinds: readonly SyncChange[][]): SyncChange[] {
  const least = MAX_CHANGES / KINDS_OF_CHANGE;
  let free = MAX_CHANGES - kinds.reduce((sum, changes) => sum + Math.min(changes.length, least), 0);
  return kinds.flatMap((changes) => {
    const extra = Math.min(free, Math.max(0, changes.length - least));
    free -= extra;
    return changes.slice(0, least + extra);
  });
}
