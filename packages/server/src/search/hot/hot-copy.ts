/**
 * The copy of one table: loads it in the background, two milliseconds at a time, and keeps up with it. What this process
 * writes is handed over; of what others write the version tells, and the rows since are read.
 */
import { setImmediate } from 'node:timers/promises';
import type { IndexRow, IndexTable } from '../search-index.ts';
import type { HotMemory } from './hot-memory.ts';
import type { HotSource, RowBatch } from './hot-source.ts';
import { HotTable } from './hot-table.ts';

/** Work between two looks at the event loop: requests wait for at most this at each of their steps. */
const SLICE_MS = 2;
/** A copy that holds this much more than there is, is made anew. */
const MAX_REMOVED_SHARE = 0.2;

type Change =
  | { rows: readonly IndexRow[] }
  | { removed: readonly { documentKey: bigint; belowRevision: number | null }[] };

export class HotCopy {
  readonly table: IndexTable;
  readonly #source: HotSource;
  readonly #hot: HotTable;
  /** What was written since the load began; null once it is done. */
  #backlog: Change[] | null = [];
  /** Of the source when it was read last, and the row that comes after all that was seen. */
  #version: number | undefined;
  #nextRowId = 0n;
  #released = false;

  constructor(table: IndexTable, source: HotSource, memory: HotMemory) {
    this.table = table;
    this.#source = source;
    this.#hot = new HotTable(table, memory);
  }

  /** The table once it is loaded. */
  get ready(): HotTable | undefined {
    return this.#backlog === null && !this.#released ? this.#hot : undefined;
  }

  get version(): number | undefined {
    return this.#version;
  }

  get byteLength(): number {
    return this.#released ? 0 : this.#hot.byteLength;
  }

  /** Many of its rows are gone from the table. */
  get isStale(): boolean {
    return this.#hot.removedRows > Math.max(1000, this.#hot.rows * MAX_REMOVED_SHARE);
  }

  /** Reads the whole table. Stops with false when it is released, or takes more than `maxBytes`. */
  async load(maxBytes: number): Promise<boolean> {
    const version = await this.#source.version(this.table);
    for await (const batch of this.#source.scan(this.table, 0n)) {
      await this.#takeIn(batch);
      if (this.#released || this.byteLength > maxBytes) return false;
    }
    for (const change of this.#backlog ?? []) this.#apply(change);
    this.#backlog = null;
    this.#version = version;
    return true;
  }

  /** Reads what others have added since. False: the copy has fewer or many more rows than the table, make a new one. */
  async catchUp(): Promise<boolean> {
    const version = await this.#source.version(this.table);
    if (version === undefined || version < (this.#version ?? 0)) return false;
    for await (const batch of this.#source.scan(this.table, this.#nextRowId)) {
      await this.#takeIn(batch);
      if (this.#released) return false;
    }
    const rows = (await this.#source.stats(this.table))?.rows ?? 0;
    if (this.#hot.rows < rows || this.#hot.rows - rows > Math.max(1000, rows * MAX_REMOVED_SHARE)) return false;
    this.#version = version;
    return true;
  }

  /** Rows that this process has added. */
  add(rows: readonly IndexRow[]): void {
    this.#change({ rows });
  }

  /** Documents that this process has removed. */
  remove(removed: readonly { documentKey: bigint; belowRevision: number | null }[]): void {
    this.#change({ removed });
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#hot.release();
  }

  #change(change: Change): void {
    if (this.#released) return;
    if (this.#backlog === null) this.#apply(change);
    else this.#backlog.push(change);
  }

  #apply(change: Change): void {
    if ('removed' in change) {
      for (const { documentKey, belowRevision } of change.removed) this.#hot.remove(documentKey, belowRevision);
      return;
    }
    for (const { vector, terms, ...keys } of change.rows) {
      this.#hot.add({ ...keys, terms: Buffer.from(terms), ...(vector && { vectors: vector }) });
    }
  }

  /** Adds the rows that are not known yet: what was compacted comes again. */
  async #takeIn(batch: RowBatch): Promise<void> {
    let sliceStart = performance.now();
    for (let row = 0; row < batch.rows; row += 1) {
      const rowId = batch.rowIds[row] ?? 0n;
      if (rowId >= this.#nextRowId) this.#nextRowId = rowId + 1n;
      const chunkKey = batch.chunkKeys[row] ?? 0n;
      if (this.#released || this.#hot.has(chunkKey)) continue;
      const [start, end] = [batch.termOffsets[row], batch.termOffsets[row + 1]];
      this.#hot.add({
        chunkKey,
        documentKey: batch.documentKeys[row] ?? 0n,
        revision: batch.revisions[row] ?? 0,
        terms: batch.terms.subarray(start, end),
        ...(batch.vectors && { vectors: batch.vectors, vectorOffset: row * (this.table.dimensions ?? 0) }),
      });
      if (performance.now() - sliceStart < SLICE_MS) continue;
      await setImmediate();
      sliceStart = performance.now();
    }
  }
}
