/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** Value for `cursor` of the next page; null on the last page. */
  cursor: string | null;
  limit: number;
  /** Number of records on all pages. */
  total: number;
}

/** A list of records: iterate it for all of them, or read single pages. Requests are sent as pages are needed. */
export class Listing<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | null) => Promise<Page<T>>;
  readonly #start: string | null;

  constructor(read: (cursor: string | null) => Promise<Page<T>>, start: string | null = null) {
    this.#read = read;
    this.#start = start;
  }

  /** Returns the page at the cursor, by default the first one. */
  page(cursor: string | null = this.#start): Promise<Page<T>> {
    return this.#read(cursor);
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor = this.#start;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.cursor;
    } while (cursor !== null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Returns all records in an array. */
  all(): Promise<T[]> {
    return collectable(this).all();
  }
}

/** Values that arrive over time: iterate them, or take `all()` of them in an array. */
export interface Collectable<T> extends AsyncIterable<T> {
  all(): Promise<T[]>;
}

export function collectable<T>(values: AsyncIterable<T>): Collectable<T> {
  const all = async (): Promise<T[]> => {
    const found: T[] = [];
    for await (const value of values) found.push(value);
    return found;
  };
  return { [Symbol.asyncIterator]: () => values[Symbol.asyncIterator](), all };
}
