/**
 * The search index: derived data, always rebuildable from PostgreSQL. One table per collection and generation.
 * Implementations know nothing of workspaces or deletion; callers join hits with the records.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';

export interface IndexTable {
  /** Unique name, `[a-z0-9_]+`. */
  name: string;
  /** Length of the dense vectors; null for a table without any. */
  dimensions: number | null;
}

export interface IndexRow {
  /** `chunks.id`, a bigint key. */
  chunkKey: bigint;
  /** `documents.key`, a bigint key. */
  documentKey: bigint;
  revision: number;
  /** The analyser's tokens, joined by single spaces. */
  terms: string;
  /** Present exactly when the table has dimensions. */
  vector?: Float32Array;
}

export interface IndexHit {
  chunkKey: bigint;
  documentKey: bigint;
  revision: number;
  /** Sparse: BM25. Dense: cosine similarity. Higher is better. */
  score: number;
}

/** Restricts a query to documents, or away from them. Empty `include` matches nothing. */
export interface IndexFilter {
  includeDocuments?: readonly bigint[] | BigInt64Array;
  excludeDocuments?: readonly bigint[];
}

export interface IndexStats {
  rows: number;
  /** Rows that are searched by scanning, for no index holds them yet; `optimize` brings it to 0. */
  unindexedRows: number;
  /** Pieces the table is stored in; `optimize` merges small ones. */
  fragments: number;
}

/** The table is there but damaged: drop it and build it again from the records. */
export class IndexTableError extends Error {
  override readonly name = 'IndexTableError';
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(`The index table ${table} does not open`, { cause });
    this.table = table;
  }
}

export interface SearchIndex {
  /** Appends rows; several documents of one table may share a commit. Searchable when it resolves. */
  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void>;
  /** Removes the rows of these documents whose revision is below the given one (null: all of them). */
  remove(table: IndexTable, documents: readonly { documentKey: bigint; belowRevision: number | null }[]): Promise<void>;
  /** Words that no row has are asked for as other languages have them, or else as if they were misspelt. */
  searchSparse(
    table: IndexTable,
    terms: readonly QueryTerm[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexHit[]>;
  searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]>;
  /** Undefined when the table is not there; throws `IndexTableError` when it does not open. */
  stats(table: IndexTable): Promise<IndexStats | undefined>;
  /** Merges fragments and brings the indexes up to date; slow, never on a request's path. */
  optimize(table: IndexTable): Promise<void>;
  drop(table: IndexTable): Promise<void>;
  /** Names of all tables there are, to find those that belong to nothing. */
  list(): Promise<string[]>;
  close(): Promise<void>;
}
