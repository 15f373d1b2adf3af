/**
 * The client of one table's copy; the thread behind the channel holds the rows. Loads the copy in the background and
 * keeps it up to date: writes of this process are forwarded, and a new table version makes it read the rows of other
 * processes.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { IndexFilter, IndexHit, IndexRow, IndexTable } from '../search-index.ts';
import type { CopyChannel } from './copy-channel.ts';
import {
  EMPTY_STATE,
  erasesDocuments,
  hitsOfColumns,
  type DocumentRemoval,
  type CopyRequest,
  type TableState,
} from './copy-protocol.ts';
import type { CopySource } from './copy-source.ts';
import { batchOfRows, buffersOf, ownBatch } from './row-batch.ts';

/** Share of removed rows above which a copy is loaded again. */
const MAX_REMOVED_SHARE = 0.2;
/**
 * Loaded part of a table from which its size is extrapolated. Later rows share terms with earlier ones and take less.
 */
const SAMPLE_ROWS = 5_000;
const SAMPLE_SHARE = 0.1;
const LATER_ROW_SHARE = 0.8;
/** Minimum number of rows of a snapshot: fewer load as fast from the table as from a file. */
const SAVED_ROWS = 5_000;
/** Changes after which a snapshot is written again; the next start loads those that it lacks. */
const UNSAVED_ROWS = 2_000;
const UNSAVED_SHARE = 0.1;

type Change = { rows: readonly IndexRow[] } | { removed: readonly DocumentRemoval[] };

let copies = 0;

export class TableCopy {
  readonly table: IndexTable;
  readonly #source: CopySource;
  readonly #channel: CopyChannel;
  readonly #number = ++copies;
  /** State reported with the last reply. */
  #state: TableState = EMPTY_STATE;
  /** Changes since the load began; null once it is complete. */
  #backlog: Change[] | null = [];
  /** Identity and version of the source table that the copy corresponds to. */
  #identity: string | null = null;
  #version: number | undefined;
  #released = false;
  #tooLarge = false;
  /** Number of rows in the snapshot file. */
  #savedRows = 0;
  /** True when the copy holds terms and vectors of purged documents, which must not be written to a file. */
  #hasErased = false;

  constructor(table: IndexTable, source: CopySource, channel: CopyChannel) {
    this.table = table;
    this.#source = source;
    this.#channel = channel;
  }

  /** True when the copy is loaded and can be searched. */
  get isReady(): boolean {
    return this.#backlog === null && !this.#released;
  }

  get version(): number | undefined {
    return this.#version;
  }

  /** Identity of the copied table; set when the copy is ready. */
  get identity(): string | null {
    return this.#identity;
  }

  get byteLength(): number {
    return this.#released ? 0 : this.#state.bytes;
  }

  /** True when loading stopped because the copy exceeded its memory limit. */
  get isTooLarge(): boolean {
    return this.#tooLarge;
  }

  /** Average memory per loaded row, in bytes. */
  get rowBytes(): number {
    return this.#state.bytes / Math.max(1, this.#state.rows);
  }

  /** True when many rows of the copy no longer exist in the table. */
  get isStale(): boolean {
    return this.#state.removedRows > Math.max(1000, this.#state.rows * MAX_REMOVED_SHARE);
  }

  /**
   * Loads the whole table (about `tableRows` rows), or the rows since the snapshot in `file`. Resolves to false when
   * the copy is released, exceeds `maxBytes` (or is predicted to), or when another table has taken the name.
   */
  async load(maxBytes: number, tableRows: number, file: string | null): Promise<boolean> {
    const identity = await this.#source.identity(this.table);
    const version = await this.#source.version(this.table);
    // A copy opened after the release would never be freed.
    if (this.#released || identity === undefined) return false;
    this.#identity = identity;
    await this.#open(tableRows);
    const isRestored = file !== null && (await this.#restore(file, version, tableRows));
    if (!isRestored && !(await this.#takeIn(0n, maxBytes, tableRows))) return false;
    if (!(await this.#isSameTable())) return false;
    const backlog = this.#backlog ?? [];
    // Later changes go straight to the copy, behind these.
    this.#backlog = null;
    this.#version = version;
    await Promise.all(backlog.map((change) => this.#apply(change)));
    return this.byteLength <= maxBytes;
  }

  /**
   * Reads the rows that other processes have added. Resolves to false when the copy cannot be caught up and must be
   * loaded again: it has fewer or many more rows than the table, or the table was replaced.
   */
  async catchUp(): Promise<boolean> {
    const version = await this.#source.version(this.table);
    if (version === undefined || version < (this.#version ?? 0)) return false;
    // Read before the scan: rows that this process adds meanwhile may not have reached the copy yet.
    const rows = (await this.#source.stats(this.table))?.rows ?? 0;
    if (!(await this.#takeIn(this.#state.nextRowId, Infinity, 0))) return false;
    if (!this.#isCopyOf(rows) || !(await this.#isSameTable())) return false;
    this.#version = version;
    return true;
  }

  /** True when enough rows have changed since the last snapshot to write a new one. */
  get isWorthSaving(): boolean {
    const { rows, removedRows } = this.#state;
    const changed = rows + removedRows - this.#savedRows;
    return (
      this.isReady && !this.#hasErased && rows >= SAVED_ROWS && changed > Math.max(UNSAVED_ROWS, rows * UNSAVED_SHARE)
    );
  }

  /** Writes a snapshot of the table's current version. Resolves to false as `catchUp` does. */
  async save(file: string): Promise<boolean> {
    const version = await this.#source.version(this.table);
    if (version !== this.#version && !(await this.catchUp())) return false;
    if (this.#released || this.#hasErased || this.#version === undefined) return true;
    const { rows, removedRows } = this.#state;
    const known = { name: this.table.name, identity: this.#identity, version: this.#version };
    await this.#change({ do: 'save', table: this.#number, file, ...known });
    this.#savedRows = rows + removedRows;
    return true;
  }

  /** Returns true if the table was not replaced while its rows were read: identities are never reused. */
  async #isSameTable(): Promise<boolean> {
    return (await this.#source.identity(this.table)) === this.#identity;
  }

  /**
   * Returns true if the row count fits a table of `rows` rows; other processes may have removed some rows of the copy.
   */
  #isCopyOf(rows: number): boolean {
    const { rows: copied } = this.#state;
    return copied >= rows && copied - rows <= Math.max(1000, rows * MAX_REMOVED_SHARE);
  }

  /** Restores the copy from a snapshot. Resolves to false, with an empty copy, when the file is not usable. */
  async #restore(file: string, version: number | undefined, tableRows: number): Promise<boolean> {
    const known = { name: this.table.name, identity: this.#identity };
    const reply = await this.#channel.request({ do: 'restore', table: this.#number, file, ...known });
    if (!('state' in reply) || typeof reply.version !== 'number') return false;
    this.#state = reply.state;
    const { rows, removedRows, nextRowId } = this.#state;
    const isOlder = version !== undefined && reply.version <= version;
    const isCurrent = isOlder && (reply.version === version || (await this.#takeIn(nextRowId, Infinity, 0)));
    if (isCurrent && this.#isCopyOf(tableRows)) {
      this.#savedRows = rows + removedRows;
      return true;
    }
    if (this.#released) return false;
    await this.#channel.request({ do: 'release', table: this.#number });
    await this.#open(tableRows);
    return false;
  }

  #open(rows: number): Promise<void> {
    return this.#change({ do: 'open', table: this.#number, dimensions: this.table.dimensions, rows });
  }

  /** Forwards rows that this process has added; later searches see them. Resolves when the new size is known. */
  add(rows: readonly IndexRow[]): Promise<void> {
    return this.#write({ rows });
  }

  /** Forwards documents that this process has removed, as `add` does. */
  remove(removed: readonly DocumentRemoval[]): Promise<void> {
    this.#hasErased ||= erasesDocuments(removed);
    return this.#write({ removed });
  }

  searchSparse(terms: readonly QueryTerm[], limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    return this.#search({ do: 'sparse', table: this.#number, terms, limit, filter });
  }

  searchDense(vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    // Copied, since the whole underlying buffer would be sent.
    return this.#search({ do: 'dense', table: this.#number, vector: vector.slice(), limit, filter });
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    // A failure means that the thread is gone, and the copy with it.
    this.#channel.request({ do: 'release', table: this.#number }).catch(() => undefined);
  }

  async #search(request: CopyRequest): Promise<IndexHit[]> {
    const reply = await this.#channel.request(request);
    return 'hits' in reply ? hitsOfColumns(reply.hits) : [];
  }

  async #write(change: Change): Promise<void> {
    if (this.#released) return;
    if (this.#backlog === null) await this.#apply(change);
    else this.#backlog.push(change);
  }

  #apply(change: Change): Promise<void> {
    const table = this.#number;
    if ('removed' in change) return this.#change({ do: 'remove', table, documents: change.removed });
    const rows = batchOfRows(change.rows, this.table.dimensions);
    return this.#change({ do: 'add', table, rows }, buffersOf(rows));
  }

  /** Loads the rows from `fromRowId` on. Reads the next batch while the thread adds the previous one. */
  async #takeIn(fromRowId: bigint, maxBytes: number, tableRows: number): Promise<boolean> {
    let taken: Promise<void> = Promise.resolve();
    try {
      for await (const batch of this.#source.scan(this.table, fromRowId)) {
        await taken;
        this.#tooLarge = this.#expectedBytes(tableRows) > maxBytes;
        if (this.#released || this.#tooLarge) return false;
        const rows = ownBatch(batch, this.table.dimensions);
        taken = this.#change({ do: 'load', table: this.#number, rows }, buffersOf(rows));
        taken.catch(() => undefined);
      }
    } finally {
      await taken;
    }
    this.#tooLarge = this.byteLength > maxBytes;
    return !this.#released && !this.#tooLarge;
  }

  /** Returns the current size, or the extrapolated final size once enough rows are loaded. */
  #expectedBytes(tableRows: number): number {
    const { rows } = this.#state;
    const isSample = rows >= Math.max(SAMPLE_ROWS, tableRows * SAMPLE_SHARE);
    return Math.max(this.byteLength, isSample ? this.rowBytes * tableRows * LATER_ROW_SHARE : 0);
  }

  async #change(request: CopyRequest, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const reply = await this.#channel.request(request, transfer);
    if ('state' in reply) this.#state = reply.state;
  }
}
