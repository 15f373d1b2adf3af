/** The copies as they lie in one thread: answers requests about them. Searches are answered at once, loading goes by slices. */
import { setImmediate } from 'node:timers/promises';
import { HotMemory } from './hot-memory.ts';
import { columnsOfHits, EMPTY_STATE, type HotReply, type HotRequest, type TableState } from './hot-protocol.ts';
import { readSnapshot, SnapshotWriter, writeSnapshot } from './hot-snapshot.ts';
import type { RowBatch } from './hot-source.ts';
import { HotTable } from './hot-table.ts';

/** Of loading between two looks at what else there is to do: searches wait for at most this. */
const SLICE_MS = 1;

interface StoredTable {
  hot: HotTable;
  dimensions: number | null;
  nextRowId: bigint;
}

export class HotStore {
  readonly #memory = new HotMemory();
  readonly #tables = new Map<number, StoredTable>();

  /** Never throws: what goes wrong is a reply. */
  handle(request: HotRequest): HotReply | Promise<HotReply> {
    try {
      if (request.do === 'load') return this.#load(request.table, request.rows).catch(failed);
      if (request.do === 'save') return this.#save(request).catch(failed);
      if (request.do === 'restore') return this.#restore(request).catch(failed);
      return this.#answer(request);
    } catch (error) {
      return failed(error);
    }
  }

  #answer(request: Exclude<HotRequest, { do: 'load' | 'save' | 'restore' }>): HotReply {
    if (request.do === 'open') return this.#open(request.table, request.dimensions);
    if (request.do === 'release') return this.#release(request.table);
    const stored = this.#stored(request.table);
    const { hot } = stored;
    if (request.do === 'sparse') {
      return { hits: columnsOfHits(hot.searchSparse(request.terms, request.limit, request.filter)) };
    }
    if (request.do === 'dense') {
      return { hits: columnsOfHits(hot.searchDense(request.vector, request.limit, request.filter)) };
    }
    if (request.do === 'add') for (let row = 0; row < request.rows.rows; row += 1) addRow(stored, request.rows, row);
    else for (const { documentKey, belowRevision } of request.documents) hot.remove(documentKey, belowRevision);
    return { state: stateOf(stored) };
  }

  #open(table: number, dimensions: number | null): HotReply {
    const stored = { hot: new HotTable(dimensions, this.#memory), dimensions, nextRowId: 0n };
    this.#tables.set(table, stored);
    return { state: stateOf(stored) };
  }

  #release(table: number): HotReply {
    this.#tables.get(table)?.hot.release();
    this.#tables.delete(table);
    return { state: EMPTY_STATE };
  }

  /** Leaves out the rows that are known: what was compacted comes again. */
  async #load(table: number, batch: RowBatch): Promise<HotReply> {
    const stored = this.#stored(table);
    let sliceStart = performance.now();
    for (let row = 0; row < batch.rows; row += 1) {
      const rowId = batch.rowIds[row] ?? 0n;
      if (rowId >= stored.nextRowId) stored.nextRowId = rowId + 1n;
      if (!stored.hot.has(batch.chunkKeys[row] ?? 0n)) addRow(stored, batch, row);
      if (performance.now() - sliceStart < SLICE_MS) continue;
      await setImmediate();
      // It may have been given up meanwhile.
      this.#stored(table);
      sliceStart = performance.now();
    }
    return { state: stateOf(stored) };
  }

  /** Everything is taken at once, so that rows that come meanwhile are in it as a whole or not at all. */
  async #save({ table, file, name, identity, version }: HotRequest & { do: 'save' }): Promise<HotReply> {
    const stored = this.#stored(table);
    const { hot, dimensions, nextRowId } = stored;
    const writer = new SnapshotWriter();
    hot.save(writer);
    await writeSnapshot(file, { table: name, identity, dimensions, version, nextRowId }, writer.parts);
    return { state: stateOf(stored) };
  }

  async #restore({ table, file, name, identity }: HotRequest & { do: 'restore' }): Promise<HotReply> {
    const { dimensions } = this.#stored(table);
    const snapshot = await readSnapshot(file, { table: name, identity, dimensions });
    // It may have been given up meanwhile.
    const stored = this.#stored(table);
    if (snapshot === undefined) return { state: stateOf(stored), version: null };
    try {
      stored.hot.restore(snapshot.reader);
    } catch {
      stored.hot.release();
      stored.hot = new HotTable(dimensions, this.#memory);
      return { state: stateOf(stored), version: null };
    }
    stored.nextRowId = snapshot.head.nextRowId;
    return { state: stateOf(stored), version: snapshot.head.version };
  }

  #stored(table: number): StoredTable {
    const stored = this.#tables.get(table);
    if (stored === undefined) throw new Error(`There is no copy number ${table}`);
    return stored;
  }
}

function addRow({ hot, dimensions }: StoredTable, batch: RowBatch, row: number): void {
  hot.add({
    chunkKey: batch.chunkKeys[row] ?? 0n,
    documentKey: batch.documentKeys[row] ?? 0n,
    revision: batch.revisions[row] ?? 0,
    terms: batch.terms.subarray(batch.termOffsets[row], batch.termOffsets[row + 1]),
    ...(batch.vectors && { vectors: batch.vectors, vectorOffset: row * (dimensions ?? 0) }),
  });
}

function stateOf({ hot, nextRowId }: StoredTable): TableState {
  return { bytes: hot.byteLength, rows: hot.rows, removedRows: hot.removedRows, nextRowId };
}

function failed(error: unknown): HotReply {
  return { error: error instanceof Error ? error.message : String(error) };
}
