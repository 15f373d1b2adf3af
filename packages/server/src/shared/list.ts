/** Lists: newest first (ids are version 7 UUIDs, so they sort by creation), continued after the last id seen. */
export interface ListQuery {
  /** 1..100. */
  limit: number;
  /** The id of the last row of the page before. */
  after?: string;
  order?: 'asc' | 'desc';
}

export interface ListPage<T> {
  items: T[];
  /** The id to continue after; null on the last page. */
  next: string | null;
  /** All rows that the query's filters match, on every page. */
  total: number;
}
