/** A page of a list, newest first: version 7 UUIDs sort by creation, and the next page starts after the last id. */
export interface ListQuery {
  /** Page size, 1 to 100. */
  limit: number;
  /** Id of the last row of the previous page. */
  after?: string;
  order?: 'asc' | 'desc';
}

export interface ListPage<T> {
  items: T[];
  /** Id after which the next page starts; null on the last page. */
  next: string | null;
  /** Number of rows that match the filters, on all pages. */
  total: number;
}
