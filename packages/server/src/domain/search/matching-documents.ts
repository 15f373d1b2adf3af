/** The statements that find the documents a filter matches; `filter-matches.ts` caches their results. */
import { expressionBuilder, sql, type Kysely, type RawBuilder } from 'kysely';
import { settled, UNSETTLED_LOG_END } from '../../database/settle.ts';
import type { Database } from '../../database/tables.ts';
import type { DocumentCondition } from '../documents/repository.ts';

export interface SearchedDocuments {
  workspaceId: string;
  collectionIds: readonly string[];
}

/** The searchable documents that matched when a statement began. */
export interface MatchList {
  keys: BigInt64Array;
  /**
   * Changes that the statement did not see have this transaction id or a later one (`documents.changed_in`), also after
   * a crash of PostgreSQL.
   */
  horizon: bigint;
}

/** Number of changed documents from which on a list's horizon is settled at the cost of a write to disk. */
const SETTLED_CHANGES = 100;

/** Number of the oldest documents, and of the newest, that are sampled to estimate a filter's share. */
const SAMPLED_AT_EACH_END = 150;

/** Estimates the matching share from a sample of the first collection; the error may be large. */
export async function sampledShare(
  database: Kysely<Database>,
  { workspaceId, collectionIds }: SearchedDocuments,
  filter: DocumentCondition,
): Promise<number> {
  const [collectionId] = collectionIds;
  const end = (direction: 'asc' | 'desc') => sql`(
    select * from documents where collection_id = ${collectionId} and workspace_id = ${workspaceId}
    order by id ${direction === 'asc' ? sql`` : sql`desc`} limit ${SAMPLED_AT_EACH_END})`;
  const { rows } = await sql<{ matching: number; sampled: number }>`
    select count(*) filter (where ${conditionOf(filter)})::int as matching, count(*)::int as sampled
    from (${end('asc')} union all ${end('desc')}) as documents
    where searchable_revision is not null and deleted_at is null`.execute(database);
  const { matching, sampled } = rows[0] ?? { matching: 0, sampled: 0 };
  return sampled === 0 ? 0 : matching / sampled;
}

/** Returns null when more than `limit` documents match. Uses an index if the filter has a narrowing condition. */
export function readMatches(
  database: Kysely<Database>,
  among: SearchedDocuments,
  filter: DocumentCondition,
  limit: number,
): Promise<MatchList | null> {
  const { workspaceId, collectionIds } = among;
  const narrowing = filter.narrowing?.(among) ?? sql`true`;
  return settled(database, async (connection) => {
    const { rows } = await sql<Horizon & { keys: string | null }>`
      select ${HORIZON}, string_agg(key::text, ',') as keys
      from (
        select key from documents
        where workspace_id = ${workspaceId} and collection_id = any(${[...collectionIds]}::uuid[])
          and searchable_revision is not null and deleted_at is null and ${conditionOf(filter)} and ${narrowing}
        limit ${limit + 1}
      ) as matching`.execute(connection);
    const [row] = rows;
    const keys = keysOf(row?.keys);
    const list = keys.length > limit ? null : { keys, horizon: BigInt(row?.horizon ?? 0) };
    return { result: list, logEnd: list === null ? null : (row?.logEnd ?? null) };
  });
}

/**
 * Updates a list with the documents that were changed since. Returns undefined when the list must be read again: more
 * than `maxChanges` documents of a collection were changed, or the database was restored to an earlier time.
 */
export function updatedMatches(
  database: Kysely<Database>,
  { workspaceId, collectionIds }: SearchedDocuments,
  filter: DocumentCondition,
  { keys, horizon }: MatchList,
  maxChanges: number,
): Promise<MatchList | undefined> {
  // The lateral join forces PostgreSQL to use the index on changes, one collection at a time.
  const statement = sql<Horizon & { changed: number; matching: string | null; others: string | null }>`
    with changed as materialized (
      select documents.* from unnest(${[...collectionIds]}::uuid[]) as searched(id) cross join lateral (
        select * from documents
        where collection_id = searched.id and workspace_id = ${workspaceId} and searchable_revision is not null
          and deleted_at is null and changed_in >= ${String(horizon)}::xid8
        order by changed_in limit ${maxChanges + 1}
      ) as documents
    ), tested as (
      select key, ${conditionOf(filter)} as matches from changed as documents
    )
    select ${HORIZON}, count(*)::int as changed, string_agg(key::text, ',') filter (where matches) as matching,
      string_agg(key::text, ',') filter (where not matches) as others
    from tested`;
  return settled(database, async (connection) => {
    const { rows } = await statement.execute(connection);
    const [row] = rows;
    const now = BigInt(row?.horizon ?? 0);
    if (row === undefined || row.changed > maxChanges || now < horizon) return { result: undefined, logEnd: null };
    const moves = row.logEnd === null || row.changed >= SETTLED_CHANGES;
    const changed = changedKeys(keys, keysOf(row.matching), keysOf(row.others));
    return { result: { keys: changed, horizon: moves ? now : horizon }, logEnd: moves ? row.logEnd : null };
  });
}

interface Horizon {
  horizon: string;
  logEnd: string | null;
}

/** The first transaction id that the statement's snapshot may not see, and what must be on disk for it. */
const HORIZON = sql.raw(`pg_snapshot_xmin(pg_current_snapshot())::text as horizon, ${UNSETTLED_LOG_END} as "logEnd"`);

const conditionOf = (filter: DocumentCondition): RawBuilder<unknown> => sql`${filter(expressionBuilder())}`;

/** Applies the changes; returns the same array when there are none. */
function changedKeys(keys: BigInt64Array, matching: BigInt64Array, others: BigInt64Array): BigInt64Array {
  if (matching.length === 0 && others.length === 0) return keys;
  const changed = new Set(keys);
  const size = changed.size;
  for (const key of matching) changed.add(key);
  const isLonger = changed.size > size;
  let isShorter = false;
  for (const key of others) isShorter = changed.delete(key) || isShorter;
  return isLonger || isShorter ? BigInt64Array.from(changed) : keys;
}

const keysOf = (text: string | null | undefined): BigInt64Array =>
  BigInt64Array.from(text?.split(',') ?? [], (key) => BigInt(key));
