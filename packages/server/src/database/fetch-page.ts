import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { ListPage, ListQuery } from '../shared/list.ts';
import { jsonBytes, MAX_ANSWER_BYTES } from './json-bytes.ts';
import type { Executor } from './transaction.ts';

/** Columns whose values may be large; a page ends early when they are too large together. */
export interface WideColumns {
  executor: Executor;
  columns: readonly string[];
}

/**
 * Returns one page of the selected rows, sorted by id (newest first by default), with the total over all pages. A page
 * has at least one row, and ends before the values of its wide columns exceed `MAX_ANSWER_BYTES` together.
 */
export async function fetchPage<DB, TB extends keyof DB, Row extends { id: string }>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  query: ListQuery,
  wide?: WideColumns,
): Promise<ListPage<Row>> {
  const id = sql.ref<string>('id');
  const order = query.order ?? 'desc';
  let page = rows.orderBy(id, order).limit(query.limit + 1);
  if (query.after !== undefined) page = page.where(id, order === 'asc' ? '>' : '<', query.after);
  const counted = rows
    .clearSelect()
    .select(sql<string>`count(*)`.as('total'))
    .$castTo<{ total: string }>();
  const reading = wide === undefined ? page.execute() : readWithinBytes<Row>(sql`${page}`, order, wide);
  const [found, { total }] = await Promise.all([reading, counted.executeTakeFirstOrThrow()]);
  const items: Row[] = found.slice(0, query.limit);
  const hasMore = found.length > query.limit || ('hasMore' in found && found.hasMore === true);
  return { items, next: hasMore ? (items.at(-1)?.id ?? null) : null, total: Number(total) };
}

/** Reads the first rows of a page; `hasMore` is true if some were left out. */
async function readWithinBytes<Row>(
  page: RawBuilder<unknown>,
  order: 'asc' | 'desc',
  { executor, columns }: WideColumns,
): Promise<Row[] & { hasMore: boolean }> {
  const direction = sql.raw(order);
  const bytes = sql.join(
    columns.map((column) => jsonBytes(sql.ref(`page.${column}`))),
    sql` + `,
  );
  const { rows } = await sql<Row & { page_rows?: string; page_bytes?: string; own_bytes?: string }>`
    select * from (
      select measured.*, count(*) over () as page_rows, sum(own_bytes) over (order by id ${direction}) as page_bytes
      from (select page.*, ${bytes} as own_bytes from (${page}) as page) as measured
    ) as page
    where page_bytes <= ${MAX_ANSWER_BYTES} or page_bytes = own_bytes
    order by id ${direction}`.execute(executor);
  const hasMore = Number(rows[0]?.page_rows ?? 0) > rows.length;
  const plain = rows.map(({ page_rows: _rows, page_bytes: _bytes, own_bytes: _own, ...row }) => row as Row);
  return Object.assign(plain, { hasMore });
}
