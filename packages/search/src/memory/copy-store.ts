/**
 * The copies of one worker thread and the handler of its requests. Searches are synchronous; loading runs in slices.
 */
import { setImmediate } from 'node:timers/promises';
import { WasmPages } from './wasm-pages.ts';
import { columnsOfHits, EMPTY_STATE, type CopyReply, type CopyRequest, type TableState } from './copy-protocol.ts';
import { rm } from 'node:fs/promises';
import { SnapshotWriter, writeSnapshot } from './snapshot-file.ts';
import { DamagedSnapshot, openSnapshot } from './snapshot-reader.ts';
import type { RowBatch } from './row-batch.ts';
import { MemoryTable } from './memory-table.ts';

/** Maximum duration of a slice of loading, which is how long a search may wait. */
const SLICE_MS = 1;

interface StoredTable {
  memoryTable: MemoryTable;
  dimensions: number | null;
}

export class CopyStore {
  readonly #memory = new WasmPages();
  readonly #tables = new Map<number, StoredTable>();

  /** Never throws: an error becomes a reply. */
  handle(request: CopyRequest): CopyReply | Promise<CopyReply> {
    try {
      if (request.do === 'load') return this.#load(request.table, request.rows).catch(failed);
      if (request.do === 'save') return this.#save(request).catch(failed);
      if (request.do === 'restore') return this.#restore(request).catch(failed);
      return this.#answer(request);
    } catch (error) {
      return failed(error);
    }
  }

  #answer(request: Exclude<CopyRequest, { do: 'load' | 'save' | 'restore' }>): CopyReply {
    if (request.do === 'open') return this.#open(request.table, request.dimensions);
    if (request.do === 'release') return this.#release(request.table);
    const stored = this.#stored(request.table);
    const { memoryTable } = stored;
    if (request.do === 'sparse') {
      return { hits: columnsOfHits(memoryTable.searchSparse(request.terms, request.limit, request.filter)) };
    }
    if (request.do === 'dense') {
      return { hits: columnsOfHits(memoryTable.searchDense(request.vector, request.limit, request.filter)) };
    }
    if (request.do === 'add') addMissing(stored, request.rows);
    else if (request.do === 'remove chunks') for (const key of request.chunkKeys) memoryTable.removeChunk(key);
    else for (const { documentKey, belowRevision } of request.documents) memoryTable.remove(documentKey, belowRevision);
    return { state: stateOf(stored) };
  }

  #open(table: number, dimensions: number | null): CopyReply {
    const stored = { memoryTable: new MemoryTable(dimensions, this.#memory), dimensions };
    this.#tables.set(table, stored);
    return { state: stateOf(stored) };
  }

  #release(table: number): CopyReply {
    this.#tables.get(table)?.memoryTable.release();
    this.#tables.delete(table);
    return { state: EMPTY_STATE };
  }

  /** Adds the rows that the copy lacks: the records may pass rows that were forwarded before. */
  async #load(table: number, batch: RowBatch): Promise<CopyReply> {
    const stored = this.#stored(table);
    let sliceStart = performance.now();
    for (let row = 0; row < batch.rows; row += 1) {
      if (!stored.memoryTable.has(batch.chunkKeys[row] ?? 0n)) addRow(stored, batch, row);
      if (performance.now() - sliceStart < SLICE_MS) continue;
      await setImmediate();
      // Throws if the copy was released meanwhile.
      this.#stored(table);
      sliceStart = performance.now();
    }
    return { state: stateOf(stored) };
  }

  /**
   * Copies the state in one step, so that rows that arrive during the write are in the file completely or not at all.
   */
  async #save({ table, file, name, identity, position }: CopyRequest & { do: 'save' }): Promise<CopyReply> {
    const stored = this.#stored(table);
    const { memoryTable, dimensions } = stored;
    const writer = new SnapshotWriter();
    memoryTable.save(writer);
    await writeSnapshot(file, { table: name, identity, dimensions, position }, writer.parts);
    return { state: stateOf(stored) };
  }

  /** Reads in slices. A snapshot that is damaged or does not fit leaves an empty table. */
  async #restore({ table, file, name, identity, of }: CopyRequest & { do: 'restore' }): Promise<CopyReply> {
    const stored = this.#stored(table);
    const { dimensions } = stored;
    const isHeld = (): boolean => this.#tables.get(table) === stored;
    const wanted = { table: name, identity, dimensions: of?.dimensions ?? dimensions };
    const snapshot = await openSnapshot(file, wanted, isHeld);
    if (snapshot === undefined) return { state: stateOf(this.#stored(table)), position: null };
    const { head, reader } = snapshot;
    try {
      await stored.memoryTable.restore(reader, of?.part);
      if (!(await reader.verify())) throw new DamagedSnapshot('The snapshot has another checksum');
      return { state: stateOf(this.#stored(table)), position: head.position };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (error instanceof DamagedSnapshot) await rm(file, { force: true });
    } finally {
      await reader.close();
      if (!isHeld()) stored.memoryTable.release();
    }
    stored.memoryTable.release();
    stored.memoryTable = new MemoryTable(dimensions, this.#memory);
    return { state: stateOf(this.#stored(table)), position: null };
  }

  #stored(table: number): StoredTable {
    const stored = this.#tables.get(table);
    if (stored === undefined) throw new Error(`There is no copy number ${table}`);
    return stored;
  }
}

function addMissing(stored: StoredTable, batch: RowBatch): void {
  for (let row = 0; row < batch.rows; row += 1) {
    if (!stored.memoryTable.has(batch.chunkKeys[row] ?? 0n)) addRow(stored, batch, row);
  }
}

function addRow({ memoryTable, dimensions }: StoredTable, batch: RowBatch, row: number): void {
  memoryTable.add({
    chunkKey: batch.chunkKeys[row] ?? 0n,
    documentKey: batch.documentKeys[row] ?? 0n,
    revision: batch.revisions[row] ?? 0,
    terms: batch.terms.subarray(batch.termOffsets[row], batch.termOffsets[row + 1]),
    ...(batch.vectors && { vectors: batch.vectors, vectorOffset: row * (dimensions ?? 0) }),
  });
}

function stateOf({ memoryTable }: StoredTable): TableState {
  return { bytes: memoryTable.byteLength, rows: memoryTable.rows, removedRows: memoryTable.removedRows };
}

function failed(error: unknown): CopyReply {
  return { error: error instanceof Error ? error.message : String(error) };
}
