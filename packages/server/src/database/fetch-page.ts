import { sql, type SelectQueryBuilder } from 'kysely';
import type { ListPage, ListQuery } from '../shared/list.ts';

/** Returns one page of the selected rows, sorted by id (newest first by default), with the total over all pages. */
export async function fetchPage<DB, TB extends keyof DB, Row extends { id: string }>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: ListQuery,
): Promise<ListPage<Row>> {
  const id = sql.ref<string>('id');
  const order = query.order ?? 'desc';
  let page = rows.orderBy(id, order).limit(query.limit + 1);
  if (query.after !== undefined) page = page.where(id, order === 'asc' ? '>' : '<', query.after);
  const counted = rows
    .clearSelect()
    .select(sql<string>`count(*)`.as('total'))
    .$castTo<{ total: string }>();
  const [found, { total }] = await Promise.all([page.execute(), counted.executeTakeFirstOrThrow()]);
  const items: Row[] = found.slice(0, query.limit);
  return { items, next: found.length > query.limit ? (items.at(-1)?.id ?? null) : null, total: Number(total) };
}
