/**
 * The client of one table; the thread behind the channel holds the rows. Loads the table from a snapshot and the
 * records, and catches it up with them. Rows that this process writes are forwarded, so that they are searchable at
 * once and need not be read from the records. The thread skips rows that it has.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { CopyChannel } from '../memory/copy-channel.ts';
import {
  EMPTY_STATE,
  erasesDocuments,
  hitsOfColumns,
  type CopyRequest,
  type DocumentRemoval,
  type TableState,
} from '../memory/copy-protocol.ts';
import { batchOfRows, buffersOf } from '../memory/row-batch.ts';
import type { IndexFilter, IndexHit, IndexRow, IndexTable } from '../search-index.ts';
import { KeyRanges, type KeyRange } from './key-ranges.ts';
import type { RowChanges, RowSource } from './row-source.ts';

/** Share of removed rows above which a table is loaded again, and the number of them that is always tolerated. */
const MAX_REMOVED_SHARE = 0.2;
const TOLERATED_ROWS = 1000;
/** Loaded part of a table from which its size is extrapolated; later rows share terms with earlier ones. */
const SAMPLE_ROWS = 5_000;
const SAMPLE_SHARE = 0.1;
const LATER_ROW_SHARE = 0.8;
/** Minimum number of rows of a snapshot: fewer load as fast from the records. */
const SAVED_ROWS = 5_000;
/** Number and share of changed rows after which a snapshot is written again. */
const UNSAVED_ROWS = 2_000;
const UNSAVED_SHARE = 0.1;

let tables = 0;

/** `gone`: there is no such table. `large`: it exceeds the memory limit, or is predicted to. */
export type LoadResult = 'ready' | 'gone' | 'large';

type ReadResult = { end: 'ready'; position: string } | { end: 'gone' | 'large' };

export class ResidentTable {
  readonly table: IndexTable;
  readonly #source: RowSource;
  readonly #channel: CopyChannel;
  readonly #number = ++tables;
  /** State reported with the last reply. */
  #state: TableState = EMPTY_STATE;
  #identity = '';
  #expectedRows = 0;
  /** The position of the records that the table includes; null until it is loaded. */
  #position: string | null = null;
  #opened = false;
  /** True once rows may be forwarded: before, they would be overwritten by the snapshot, and the records pass them. */
  #accepts = false;
  #released = false;
  #savedRows = 0;
  #hasErased = false;
  #catchingUp: Promise<boolean> | null = null;
  /** The rows that were forwarded since the last catch-up. */
  readonly #forwarded = new KeyRanges();

  constructor(table: IndexTable, source: RowSource, channel: CopyChannel) {
    this.table = table;
    this.#source = source;
    this.#channel = channel;
  }

  get isReady(): boolean {
    return this.#position !== null && !this.#released;
  }

  get position(): string | null {
    return this.#position;
  }

  get byteLength(): number {
    return this.#released ? 0 : this.#state.bytes;
  }

  get rows(): number {
    return this.#state.rows;
  }

  /** Number of rows that are expected when the table is loaded; 0 until it is its turn. */
  get expectedRows(): number {
    return this.#expectedRows;
  }

  /** True when the thread holds terms and vectors of erased documents, which must not be written to a file. */
  get hasErased(): boolean {
    return this.#hasErased;
  }

  /** True when many removed rows still take memory. */
  get isStale(): boolean {
    const { rows, removedRows } = this.#state;
    return removedRows > Math.max(TOLERATED_ROWS, rows * MAX_REMOVED_SHARE);
  }

  /** True when enough rows have changed since the last snapshot to write a new one. */
  get isWorthSaving(): boolean {
    const { rows, removedRows } = this.#state;
    const changed = rows + removedRows - this.#savedRows;
    return (
      this.isReady && !this.#hasErased && rows >= SAVED_ROWS && changed > Math.max(UNSAVED_ROWS, rows * UNSAVED_SHARE)
    );
  }

  /** Loads the table of about `expectedRows` rows, from the snapshot in `file` as far as it is usable. */
  async load(expectedRows: number, identity: string, maxBytes: number, file: string | null): Promise<LoadResult> {
    this.#identity = identity;
    this.#expectedRows = expectedRows;
    await this.#open(expectedRows);
    const since = file === null ? null : await this.#restore(file);
    const known = this.#state.rows + this.#state.removedRows;
    this.#accepts = true;
    let read = await this.#read(since, maxBytes, expectedRows);
    if (read.end === 'gone' && since !== null && !this.#released) {
      await this.#reopen(expectedRows);
      read = await this.#read(null, maxBytes, expectedRows);
    } else if (since !== null) this.#savedRows = known;
    if (this.#released) throw new Error(`The table ${this.table.name} was released while it was loaded`);
    if (read.end === 'ready') this.#position = read.position;
    return read.end;
  }

  /** Applies what has changed in the records. Resolves to false when the table must be loaded again. */
  catchUp(): Promise<boolean> {
    this.#catchingUp ??= this.#catchUp().finally(() => (this.#catchingUp = null));
    return this.#catchingUp;
  }

  /** Notes that nothing has changed between the present position and this one. */
  advance(from: string, to: string): void {
    if (this.#position === from) this.#position = to;
  }

  /** Writes a snapshot with all rows of the records' current state. Resolves to false as `catchUp` does. */
  async save(file: string): Promise<boolean> {
    if (!(await this.catchUp())) return false;
    if (this.#released || this.#hasErased || this.#position === null) return true;
    const { rows, removedRows } = this.#state;
    const head = { name: this.table.name, identity: this.#identity, position: this.#position };
    await this.#change({ do: 'save', table: this.#number, file, ...head });
    this.#savedRows = rows + removedRows;
    return true;
  }

  /** Forwards rows that this process has written; searches that start later see them. */
  async add(rows: readonly IndexRow[]): Promise<void> {
    if (!this.#accepts || this.#released) return;
    const batch = batchOfRows(rows, this.table.dimensions);
    await this.#change({ do: 'add', table: this.#number, rows: batch }, buffersOf(batch));
    this.#forwarded.add(rows.map(({ chunkKey }) => chunkKey));
  }

  async remove(documents: readonly DocumentRemoval[]): Promise<void> {
    this.#hasErased ||= erasesDocuments(documents);
    if (this.#accepts && !this.#released) await this.#change({ do: 'remove', table: this.#number, documents });
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
    // A failure means that the thread is gone, and the rows with it.
    if (this.#opened) this.#channel.request({ do: 'release', table: this.#number }).catch(() => undefined);
  }

  async #catchUp(): Promise<boolean> {
    const before = this.#position;
    if (before === null || this.#released) return !this.#released;
    const read = await this.#read(before, Infinity, 0, this.#forwarded.take());
    if (read.end === 'ready') this.#position = read.position;
    return read.end === 'ready';
  }

  /** Returns the snapshot's position, or null when the file is not usable. */
  async #restore(file: string): Promise<string | null> {
    const wanted = { name: this.table.name, identity: this.#identity };
    const reply = await this.#channel.request({ do: 'restore', table: this.#number, file, ...wanted });
    if (!('state' in reply) || typeof reply.position !== 'string') return null;
    this.#state = reply.state;
    return reply.position;
  }

  async #open(rows: number): Promise<void> {
    if (this.#released) throw new Error(`The table ${this.table.name} was released`);
    this.#opened = true;
    await this.#change({ do: 'open', table: this.#number, dimensions: this.table.dimensions, rows });
  }

  async #reopen(rows: number): Promise<void> {
    this.#accepts = false;
    await this.#channel.request({ do: 'release', table: this.#number });
    await this.#open(rows);
    this.#accepts = true;
  }

  /** Reads the changes since a position. The source reads the next rows while the thread adds the previous ones. */
  async #read(
    since: string | null,
    maxBytes: number,
    expectedRows: number,
    known: readonly KeyRange[] = [],
  ): Promise<ReadResult> {
    let applied: Promise<void> = Promise.resolve();
    let isLarge = this.byteLength > maxBytes;
    const apply = async (request: CopyRequest, transfer: readonly ArrayBuffer[]): Promise<void> => {
      await applied;
      isLarge ||= this.#expectedBytes(expectedRows) > maxBytes;
      if (this.#released || isLarge) throw new StoppedReading();
      applied = this.#change(request, transfer);
      applied.catch(() => undefined);
    };
    try {
      const changes: RowChanges = {
        add: (rows) => apply({ do: 'load', table: this.#number, rows }, buffersOf(rows)),
        remove: (chunkKeys) => apply({ do: 'remove chunks', table: this.#number, chunkKeys }, []),
      };
      const position = await this.#source.read(this.table, since, changes, known);
      await applied;
      if (position === undefined) return { end: 'gone' };
      return this.byteLength > maxBytes ? { end: 'large' } : { end: 'ready', position };
    } catch (error) {
      if (!(error instanceof StoppedReading)) throw error;
      return { end: isLarge ? 'large' : 'gone' };
    }
  }

  /** Returns the current size, or the extrapolated final size once enough rows are loaded. */
  #expectedBytes(expectedRows: number): number {
    const { rows, bytes } = this.#state;
    const isSample = rows >= Math.max(SAMPLE_ROWS, expectedRows * SAMPLE_SHARE);
    return Math.max(bytes, isSample ? (bytes / Math.max(1, rows)) * expectedRows * LATER_ROW_SHARE : 0);
  }

  async #search(request: CopyRequest): Promise<IndexHit[]> {
    const reply = await this.#channel.request(request);
    return 'hits' in reply ? hitsOfColumns(reply.hits) : [];
  }

  async #change(request: CopyRequest, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const reply = await this.#channel.request(request, transfer);
    if ('state' in reply) this.#state = reply.state;
  }
}

/** Ends a read of the source from within. */
class StoppedReading extends Error {}
