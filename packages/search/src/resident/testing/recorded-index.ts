/** A resident index with its records behind the interface of one index, as the conformance suite needs it. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { DocumentRemoval } from '../../memory/copy-protocol.ts';
import type { IndexFilter, IndexRow, IndexTable, SearchIndex } from '../../search-index.ts';
import type { ResidentIndex } from '../resident-index.ts';
import type { ArraySource } from './array-source.ts';

export class RecordedIndex implements SearchIndex {
  readonly #records: ArraySource;
  readonly #index: ResidentIndex;

  constructor(records: ArraySource, index: ResidentIndex) {
    this.#records = records;
    this.#index = index;
  }

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    // Refused rows must not reach the records.
    if (rows.some(({ vector }) => (vector?.length ?? null) !== table.dimensions)) return this.#index.add(table, rows);
    this.#records.add(table, rows);
    await this.#index.add(table, rows);
  }

  async remove(table: IndexTable, documents: readonly DocumentRemoval[]): Promise<void> {
    await this.#index.remove(table, documents);
    this.#records.remove(table, documents);
  }

  /** Searches after the changes of other clients were applied, which takes up to a second in a service. */
  async searchSparse(table: IndexTable, terms: readonly QueryTerm[], limit: number, filter?: IndexFilter) {
    await this.#index.refresh();
    return this.#index.searchSparse(table, terms, limit, filter);
  }

  async searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter) {
    await this.#index.refresh();
    return this.#index.searchDense(table, vector, limit, filter);
  }

  async stats(table: IndexTable) {
    await this.#index.refresh();
    return this.#index.stats(table);
  }

  optimize(table: IndexTable): Promise<void> {
    return this.#index.optimize(table);
  }

  async drop(table: IndexTable): Promise<void> {
    this.#records.tables.delete(table.name);
    await this.#index.drop(table);
  }

  list(): Promise<string[]> {
    return this.#index.list();
  }

  close(): Promise<void> {
    return this.#index.close();
  }
}
