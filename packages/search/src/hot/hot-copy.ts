/**
 * The copy of one table, seen from where it is asked: what holds the rows is behind the channel. Loads it in the background
 * and keeps up with it: what this process writes is handed over; of what others write the version tells, and the rows since
 * are read.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { IndexFilter, IndexHit, IndexRow, IndexTable } from '../search-index.ts';
import type { HotChannel } from './hot-channel.ts';
import {
  EMPTY_STATE,
  erasesDocuments,
  hitsOfColumns,
  type DocumentRemoval,
  type HotRequest,
  type TableState,
} from './hot-protocol.ts';
import type { HotSource } from './hot-source.ts';
import { batchOfRows, buffersOf, ownBatch } from './row-batch.ts';

/** A copy that holds this much more than there is, is made anew. */
const MAX_REMOVED_SHARE = 0.2;
/** Of so large a part of a table its size can be told. The first rows take more than those that share their terms. */
const SAMPLE_ROWS = 5_000;
const SAMPLE_SHARE = 0.1;
const LATER_ROW_SHARE = 0.8;
/** Fewer rows are loaded as fast as they are read from a file. */
const SAVED_ROWS = 5_000;
/** What may come before a copy is saved again: it is loaded at the next start. */
const UNSAVED_ROWS = 2_000;
const UNSAVED_SHARE = 0.1;

type Change = { rows: readonly IndexRow[] } | { removed: readonly DocumentRemoval[] };

let copies = 0;

export class HotCopy {
  readonly table: IndexTable;
  readonly #source: HotSource;
  readonly #channel: HotChannel;
  readonly #number = ++copies;
  /** As of the last answer. */
  #state: TableState = EMPTY_STATE;
  /** What was written since the load began; null once it is done. */
  #backlog: Change[] | null = [];
  /** Of the source when it was read first, and last. */
  #identity: string | null = null;
  #version: number | undefined;
  #released = false;
  #tooLarge = false;
  /** Rows that its file holds. */
  #savedRows = 0;
  /** It holds terms and vectors of what was erased, which belong into no file any more. */
  #hasErased = false;

  constructor(table: IndexTable, source: HotSource, channel: HotChannel) {
    this.table = table;
    this.#source = source;
    this.#channel = channel;
  }

  /** It is loaded and can be searched. */
  get isReady(): boolean {
    return this.#backlog === null && !this.#released;
  }

  get version(): number | undefined {
    return this.#version;
  }

  /** Of the table that it is a copy of, since it is ready. */
  get identity(): string | null {
    return this.#identity;
  }

  get byteLength(): number {
    return this.#released ? 0 : this.#state.bytes;
  }

  /** Loading ended because of that. */
  get isTooLarge(): boolean {
    return this.#tooLarge;
  }

  /** Memory for a row, of those that were loaded. */
  get rowBytes(): number {
    return this.#state.bytes / Math.max(1, this.#state.rows);
  }

  /** Many of its rows are gone from the table. */
  get isStale(): boolean {
    return this.#state.removedRows > Math.max(1000, this.#state.rows * MAX_REMOVED_SHARE);
  }

  /**
   * Reads the whole table, of about so many rows, or what came since it was saved to the file. Stops with false when it is
   * released, or takes more than `maxBytes`, as soon as that can be told, or when another table has taken its name.
   */
  async load(maxBytes: number, tableRows: number, file: string | null): Promise<boolean> {
    const identity = await this.#source.identity(this.table);
    const version = await this.#source.version(this.table);
    // What is opened now would never be given back.
    if (this.#released || identity === undefined) return false;
    this.#identity = identity;
    await this.#open(tableRows);
    const isRestored = file !== null && (await this.#restore(file, version, tableRows));
    if (!isRestored && !(await this.#takeIn(0n, maxBytes, tableRows))) return false;
    if (!(await this.#isSameTable())) return false;
    const backlog = this.#backlog ?? [];
    // From here on changes go straight to the copy, after these.
    this.#backlog = null;
    this.#version = version;
    await Promise.all(backlog.map((change) => this.#apply(change)));
    return this.byteLength <= maxBytes;
  }

  /**
   * Reads what others have added since. False: the copy has fewer or many more rows than the table, or is one of another
   * table of this name; make a new one.
   */
  async catchUp(): Promise<boolean> {
    const version = await this.#source.version(this.table);
    if (version === undefined || version < (this.#version ?? 0)) return false;
    // Looked up first: what this process adds meanwhile may not have come to the copy yet.
    const rows = (await this.#source.stats(this.table))?.rows ?? 0;
    if (!(await this.#takeIn(this.#state.nextRowId, Infinity, 0))) return false;
    if (!this.#isCopyOf(rows) || !(await this.#isSameTable())) return false;
    this.#version = version;
    return true;
  }

  /** So many rows came since it was saved that it had better be saved again. */
  get isWorthSaving(): boolean {
    const { rows, removedRows } = this.#state;
    const changed = rows + removedRows - this.#savedRows;
    return (
      this.isReady && !this.#hasErased && rows >= SAVED_ROWS && changed > Math.max(UNSAVED_ROWS, rows * UNSAVED_SHARE)
    );
  }

  /** Writes it to a file, as of the table's present version. False: as `catchUp`. */
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

  /** Asked after its rows were read: until then it was the same, for no table gets an identity again. */
  async #isSameTable(): Promise<boolean> {
    return (await this.#source.identity(this.table)) === this.#identity;
  }

  /** Whether it can be one of a table with so many rows: others may have removed some of those that it has. */
  #isCopyOf(rows: number): boolean {
    const { rows: copied } = this.#state;
    return copied >= rows && copied - rows <= Math.max(1000, rows * MAX_REMOVED_SHARE);
  }

  /** False, and it is empty, when the file is of no use. */
  async #restore(file: string, version: number | undefined, tableRows: number): Promise<boolean> {
    const known = { name: this.table.name, identity: this.#identity };
    const reply = await this.#channel.ask({ do: 'restore', table: this.#number, file, ...known });
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
    await this.#channel.ask({ do: 'release', table: this.#number });
    await this.#open(tableRows);
    return false;
  }

  #open(rows: number): Promise<void> {
    return this.#change({ do: 'open', table: this.#number, dimensions: this.table.dimensions, rows });
  }

  /** Rows that this process has added: what is searched from here on sees them. Resolves when it has its new size. */
  add(rows: readonly IndexRow[]): Promise<void> {
    return this.#write({ rows });
  }

  /** Documents that this process has removed; as `add`. */
  remove(removed: readonly DocumentRemoval[]): Promise<void> {
    this.#hasErased ||= erasesDocuments(removed);
    return this.#write({ removed });
  }

  searchSparse(terms: readonly QueryTerm[], limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    return this.#search({ do: 'sparse', table: this.#number, terms, limit, filter });
  }

  searchDense(vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]> {
    // All of the buffer that an array lies in would be sent.
    return this.#search({ do: 'dense', table: this.#number, vector: vector.slice(), limit, filter });
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    // Nobody waits for it, and if there is no thread there is no copy.
    this.#channel.ask({ do: 'release', table: this.#number }).catch(() => undefined);
  }

  async #search(request: HotRequest): Promise<IndexHit[]> {
    const reply = await this.#channel.ask(request);
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

  /** Adds the rows from this row id on. While the copy takes in one batch the next is read. */
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

  /** What it takes now, or will take, once that can be told. */
  #expectedBytes(tableRows: number): number {
    const { rows } = this.#state;
    const isSample = rows >= Math.max(SAMPLE_ROWS, tableRows * SAMPLE_SHARE);
    return Math.max(this.byteLength, isSample ? this.rowBytes * tableRows * LATER_ROW_SHARE : 0);
  }

  async #change(request: HotRequest, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const reply = await this.#channel.ask(request, transfer);
    if ('state' in reply) this.#state = reply.state;
  }
}
