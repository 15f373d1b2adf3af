/** Which documents a filter of a search matches, told by an index where that takes less time than to read documents. */
import { expressionBuilder, sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { DocumentCondition } from '../documents/repository.ts';

export interface SearchedDocuments {
  workspaceId: string;
  collectionIds: readonly string[];
}

/** The oldest and as many of the newest are looked at to learn what part of all a filter may match. */
const SAMPLED_AT_EACH_END = 150;
/** Of documents that match more often, enough are found sooner by reading them one by one. */
const NARROW_SHARE = 1 / 6;

/** Keys of documents that can be found and match, of at most so many. */
export async function matchingDocuments(
  database: Kysely<Database>,
  among: SearchedDocuments,
  filter: DocumentCondition,
  limit: number,
): Promise<bigint[]> {
  const narrowing = filter.narrowing ?? null;
  const isNarrow = narrowing !== null && (await isSeldom(database, among, filter));
  let query = database
    .selectFrom('documents')
    .select('documents.key')
    .where('documents.workspace_id', '=', among.workspaceId)
    .where('documents.collection_id', '=', (eb) => eb.fn.any(eb.val(among.collectionIds)))
    .where('documents.searchable_revision', 'is not', null)
    .where('documents.deleted_at', 'is', null)
    .where((eb) => filter(eb as never));
  if (isNarrow) query = query.where(narrowing);
  const rows = await query.limit(limit).execute();
  return rows.map((row) => BigInt(row.key));
}

/** An estimate, from a few documents of the first collection: right or wrong, the answer is the same. */
async function isSeldom(
  database: Kysely<Database>,
  { workspaceId, collectionIds }: SearchedDocuments,
  filter: DocumentCondition,
): Promise<boolean> {
  const [collectionId] = collectionIds;
  const end = (direction: 'asc' | 'desc') => sql`(
    select * from documents where collection_id = ${collectionId} and workspace_id = ${workspaceId}
    order by id ${direction === 'asc' ? sql`` : sql`desc`} limit ${SAMPLED_AT_EACH_END})`;
  const { rows } = await sql<{ matching: number; sampled: number }>`
    select count(*) filter (where ${filter(expressionBuilder())})::int as matching, count(*)::int as sampled
    from (${end('asc')} union all ${end('desc')}) as documents
    where searchable_revision is not null and deleted_at is null`.execute(database);
  const { matching, sampled } = rows[0] ?? { matching: 0, sampled: 0 };
  return matching < sampled * NARROW_SHARE;
}
