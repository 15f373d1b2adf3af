/** The records that tables are loaded from and kept up to date with; the server implements it over PostgreSQL. */
import type { RowBatch } from '../memory/row-batch.ts';
import type { IndexTable } from '../search-index.ts';
import type { KeyRange } from './key-ranges.ts';

export interface SourceTable {
  /** Changes when the rows behind the name are replaced, such as by a restored database. */
  identity: string;
  /** Estimated number of rows. */
  rows: number;
}

/** Receives the changes of a table; the source waits for each promise before it reads on. */
export interface RowChanges {
  /** The buffers of the batch are detached. */
  add(rows: RowBatch): Promise<void>;
  /** Receives keys of chunks that were removed. */
  remove(chunkKeys: BigInt64Array): Promise<void>;
}

export interface RowSource {
  /** Returns undefined when there is no such table. */
  find(table: IndexTable): Promise<SourceTable | undefined>;
  /**
   * Passes the rows and removals that the position `since` does not include, all rows for null, and returns the new
   * position. Returns undefined when changes since then are no longer known, or the table is gone. Rows may be passed
   * repeatedly. Rows in `known`, which the caller has, need not be passed.
   */
  read(
    table: IndexTable,
    since: string | null,
    changes: RowChanges,
    known?: readonly KeyRange[],
  ): Promise<string | undefined>;
  /** Returns the tables that are being built to replace one of these. */
  successors(names: readonly string[]): Promise<IndexTable[]>;
  /**
   * Compares tables with their positions. Returns for each table that still exists the new position, or null when it
   * has changed since its position, or none is given.
   */
  compare(tables: readonly { name: string; position: string | null }[]): Promise<Map<string, string | null>>;
}
