/**
 * The search index holds derived data that can always be rebuilt from PostgreSQL: one table per collection and
 * generation. An implementation has no notion of workspaces or soft deletion; callers join its hits with the records.
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
  /** Present if and only if the table has dimensions. */
  vector?: Float32Array;
}

export interface IndexHit {
  chunkKey: bigint;
  documentKey: bigint;
  revision: number;
  /** Sparse: BM25. Dense: cosine similarity. Higher is better. */
  score: number;
}

/** Restricts a query to some documents (allow-list), or excludes some. An empty allow-list matches nothing. */
export interface IndexFilter {
  includeDocuments?: readonly bigint[] | BigInt64Array;
  excludeDocuments?: readonly bigint[];
}

export interface IndexStats {
  rows: number;
  /** Number of rows that no index covers yet and that are searched by scanning; `optimize` reduces it to 0. */
  unindexedRows: number;
  /** Number of fragments that the table is stored in; `optimize` merges small ones. */
  fragments: number;
}

/** Thrown when a table exists but is damaged: drop it and rebuild it from the records. */
export class IndexTableError extends Error {
  override readonly name = 'IndexTableError';
  readonly table: string;

  constructor(table: string, cause: unknown) {
    super(`The index table ${table} does not open`, { cause });
    this.table = table;
  }
}

/** Thrown when a table cannot be searched now: it is being loaded, or does not fit into memory. */
export class IndexUnavailableError extends Error {
  override readonly name = 'IndexUnavailableError';
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Ends the name of a table that shares no storage with others, although small tables do. */
export const OWN_TABLE = '_own';

export interface AddOptions {
  /** The table does not serve yet: its rows need not be searchable before `optimize`. */
  isBuild?: boolean;
}

export interface SearchIndex {
  /**
   * Appends rows, which are searchable when the promise resolves, unless `isBuild`. Several documents of a table may
   * share a commit.
   */
  add(table: IndexTable, rows: readonly IndexRow[], options?: AddOptions): Promise<void>;
  /**
   * Removes the rows of these documents, those of a build included, whose revision is below `belowRevision`, or all
   * their rows when it is null.
   */
  remove(table: IndexTable, documents: readonly { documentKey: bigint; belowRevision: number | null }[]): Promise<void>;
  /**
   * Returns the best rows by BM25. A query word that occurs in no row is replaced by its stems in the collection's
   * other languages, or else by similar words, as if it were misspelt.
   */
  searchSparse(
    table: IndexTable,
    terms: readonly QueryTerm[],
    limit: number,
    filter?: IndexFilter,
  ): Promise<IndexHit[]>;
  searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]>;
  /** Returns undefined when the table does not exist; throws `IndexTableError` when it does not open. */
  stats(table: IndexTable): Promise<IndexStats | undefined>;
  /**
   * Makes all rows searchable, merges fragments and brings the indexes up to date. It is slow: never call it while a
   * request waits.
   */
  optimize(table: IndexTable): Promise<void>;
  /**
   * Loads the table from the records a second time while it serves. Present if tables are loaded from the records, so
   * that none can be lost.
   */
  reload?(table: IndexTable): Promise<void>;
  drop(table: IndexTable): Promise<void>;
  /**
   * Number of rows above which a table should move to one whose name ends with `OWN_TABLE`. Present if other tables
   * share storage.
   */
  readonly sharedRows?: number;
  /** Returns the names of all tables, to find orphans. */
  list(): Promise<string[]>;
  close(): Promise<void>;
}
