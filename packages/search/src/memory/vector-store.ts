/**
 * The vectors of a table: unit vectors with 16 bits per dimension (cosines are exact to 0.00002, and closer near 1),
 * plus a sketch of each above `SKETCHED_ROWS` rows. A search scans all sketches and re-ranks the best candidates by
 * exact scores. Sketches need no training, so rows are searchable as they arrive.
 */
import { BestHits, type ScoredSlot } from './best-hits.ts';
import { grown } from './grown-array.ts';
import { PAGE_BYTES, type WasmPages } from './wasm-pages.ts';
import type { SnapshotWriter } from './snapshot-file.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { MAX_DIMENSIONS, MAX_DOTS, MAX_SKETCHES, SCRATCH } from './scratch.ts';
import { BLOCK_ROWS, blockBytes } from './sketch-layout.ts';
import { scoresEnd, Sketcher } from './sketch.ts';
import type { VectorKernels } from './vector-kernels.ts';

/** The stored value of 1. */
const ONE = 32_767;
/** Number of rows below which exact scores of all rows are faster than sketches. */
const SKETCHED_ROWS = 8192;
/** Number of candidates that are re-ranked, per requested hit and as a minimum. */
const CANDIDATES_PER_HIT = 20;
const MIN_CANDIDATES = 1024;
/** One block of this many is sampled to estimate the score threshold of candidates; the margin allows for its error. */
const SAMPLED_EVERY = 16;
const MARGIN = 1.15;

/** Returns the memory of the vectors of a table, in bytes; `MAX_VECTOR_BYTES` limits that of all tables together. */
export function vectorBytes(rows: number, dimensions: number): number {
  const padded = paddedDimensions(dimensions);
  return rows * (padded * 2 + blockBytes(padded) / BLOCK_ROWS);
}

const paddedDimensions = (dimensions: number): number => Math.ceil(dimensions / 64) * 64;

export class VectorStore {
  readonly #memory: WasmPages;
  readonly #kernels: VectorKernels;
  readonly #dimensions: number;
  readonly #padded: number;
  readonly #rowBytes: number;
  readonly #rowsPerPage: number;
  readonly #pages: number[] = [];
  readonly #blockBytes: number;
  readonly #blocksPerPage: number;
  readonly #sketchesPerPage: number;
  readonly #sketchPages: number[] = [];
  #sketcher: Sketcher | undefined;
  /** Norm of the stored row, by slot; 0 for a zero vector, which never matches. */
  #lengths = new Float64Array(16);
  #size = 0;

  constructor(memory: WasmPages, dimensions: number) {
    if (dimensions > MAX_DIMENSIONS)
      throw new RangeError(`Vectors of ${dimensions} dimensions cannot be kept in memory`);
    this.#memory = memory;
    this.#dimensions = dimensions;
    this.#padded = paddedDimensions(dimensions);
    this.#kernels = memory.kernels(this.#padded);
    this.#rowBytes = this.#padded * 2;
    this.#rowsPerPage = Math.floor(PAGE_BYTES / this.#rowBytes);
    this.#blockBytes = blockBytes(this.#padded);
    this.#blocksPerPage = Math.min(MAX_SKETCHES / BLOCK_ROWS, Math.floor(PAGE_BYTES / this.#blockBytes));
    this.#sketchesPerPage = this.#blocksPerPage * BLOCK_ROWS;
  }

  get byteLength(): number {
    return (this.#pages.length + this.#sketchPages.length) * PAGE_BYTES + this.#lengths.byteLength;
  }

  save(to: SnapshotWriter): void {
    to.numbers(this.#lengths, this.#size);
    to.numbers(this.#sketcher?.centre ?? new Float32Array(0));
    for (const pages of [this.#pages, this.#sketchPages]) {
      to.number(pages.length);
      for (const address of pages) to.numbers(this.#memory.uint8.subarray(address, address + PAGE_BYTES));
    }
  }

  /** Fills an empty store. */
  async restore(from: SnapshotReader): Promise<void> {
    this.#lengths = await from.numbers(Float64Array);
    this.#size = this.#lengths.length;
    const centre = await from.numbers(Float32Array);
    if (centre.length > 0) this.#sketcher = new Sketcher(centre);
    for (const pages of [this.#pages, this.#sketchPages]) {
      const count = await from.number();
      from.expectParts(count, PAGE_BYTES);
      this.#memory.reserve(count);
      for (let page = 0; page < count; page += 1) {
        const address = this.#memory.allocate();
        pages.push(address);
        // Each piece needs the present view: another table may grow the memory in between.
        await from.pieces(PAGE_BYTES, (piece, at) => this.#memory.uint8.set(piece, address + at));
      }
    }
  }

  /** Appends the vector of the next slot; it need not be normalised. */
  add(vector: ArrayLike<number>, offset = 0): void {
    const slot = this.#size;
    if (slot % this.#rowsPerPage === 0) this.#pages.push(this.#memory.allocate());
    const scale = this.#scaleOf(vector, offset);
    this.#lengths = grown(this.#lengths, slot + 1);
    this.#lengths[slot] = this.#write(vector, offset, scale, this.#address(slot));
    this.#size += 1;
    if (this.#sketcher !== undefined) this.#addSketch(slot);
    else if (this.#size === SKETCHED_ROWS) this.#startSketches();
  }

  /**
   * Returns the nearest slots for which `admitted` is 1, best first, with cosines. `among` restricts the search to a
   * list.
   */
  search(query: Float32Array, limit: number, admitted: Uint8Array, among?: readonly number[]): ScoredSlot[] {
    const scale = this.#scaleOf(query, 0);
    if (scale === 0) return [];
    const length = this.#write(query, 0, scale, SCRATCH.query);
    return this.#score(length, among ?? this.#candidates(limit, admitted), limit, admitted);
  }

  #query(): Int16Array {
    return this.#memory.int16.subarray(SCRATCH.query / 2, SCRATCH.query / 2 + this.#padded);
  }

  /** Frees the pages; no method may be called afterwards. */
  release(): void {
    this.#memory.release([...this.#pages.splice(0), ...this.#sketchPages.splice(0)]);
  }

  #scaleOf(vector: ArrayLike<number>, offset: number): number {
    let sum = 0;
    for (let at = offset; at < offset + this.#dimensions; at += 1) sum += (vector[at] ?? 0) ** 2;
    return sum > 0 && Number.isFinite(sum) ? ONE / Math.sqrt(sum) : 0;
  }

  /** Stores the vector in 16 bits and returns the norm of the stored values. */
  #write(vector: ArrayLike<number>, offset: number, scale: number, address: number): number {
    const { int16 } = this.#memory;
    const row = address / 2;
    let sum = 0;
    for (let at = 0; at < this.#dimensions; at += 1) {
      const value = Math.round((vector[offset + at] ?? 0) * scale);
      int16[row + at] = value;
      sum += value * value;
    }
    int16.fill(0, row + this.#dimensions, row + this.#padded);
    return Math.sqrt(sum);
  }

  #address(slot: number): number {
    return (this.#pages[Math.floor(slot / this.#rowsPerPage)] ?? 0) + (slot % this.#rowsPerPage) * this.#rowBytes;
  }

  #score(queryLength: number, slots: ArrayLike<number>, limit: number, admitted: Uint8Array): ScoredSlot[] {
    const best = new BestHits(limit);
    const { int32 } = this.#memory;
    const [addresses, dots] = [SCRATCH.addresses / 4, SCRATCH.dots / 4];
    for (let start = 0; start < slots.length; start += MAX_DOTS) {
      const count = Math.min(MAX_DOTS, slots.length - start);
      for (let at = 0; at < count; at += 1) int32[addresses + at] = this.#address(slots[start + at] ?? 0);
      this.#kernels.dots(count);
      for (let at = 0; at < count; at += 1) {
        const slot = slots[start + at] ?? 0;
        const length = this.#lengths[slot] ?? 0;
        if (admitted[slot] === 1 && length > 0) best.offer(slot, (int32[dots + at] ?? 0) / (length * queryLength));
      }
    }
    return best.sorted();
  }

  /** Returns the slots to re-rank: all of a small table, else those with the best sketch scores. */
  #candidates(limit: number, admitted: Uint8Array): ArrayLike<number> {
    const wanted = Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT);
    if (this.#sketcher === undefined || wanted * 2 > this.#size) return firstSlots(this.#size);
    this.#sketcher.writeQuery(this.#query(), this.#memory.uint8);
    const least = this.#scoreThreshold(wanted * MARGIN, admitted);
    const slots: number[] = [];
    for (const [page, address] of this.#sketchPages.entries()) {
      const first = page * this.#sketchesPerPage;
      this.#kernels.nearby(address, this.#blocksPerPage, least);
      const { uint16, int32 } = this.#memory;
      const end = (SCRATCH.rows + (int32[SCRATCH.count / 4] ?? 0)) / 2;
      for (let at = SCRATCH.rows / 2; at < end; at += 1) {
        const slot = first + (uint16[at] ?? 0);
        // A page that is not full has unused sketches.
        if (slot < this.#size && admitted[slot] === 1) slots.push(slot);
      }
    }
    return slots;
  }

  /** Estimates the score that `wanted` admitted sketches reach, from a sample; 0 when there are fewer. */
  #scoreThreshold(wanted: number, admitted: Uint8Array): number {
    const counts = new Uint32Array(scoresEnd(this.#padded));
    const blocks = Math.ceil(this.#blocksPerPage / SAMPLED_EVERY);
    const sampled = Math.ceil((wanted * blocks) / this.#blocksPerPage);
    for (const [page, address] of this.#sketchPages.entries()) {
      this.#kernels.sketches(address, blocks, this.#blockBytes * SAMPLED_EVERY);
      const scores = this.#memory.uint16.subarray(SCRATCH.rows / 2, SCRATCH.rows / 2 + blocks * BLOCK_ROWS);
      for (let at = 0; at < scores.length; at += 1) {
        const row = ROWS_BY_SCORE[at % BLOCK_ROWS] ?? 0;
        const block = Math.floor(at / BLOCK_ROWS) * SAMPLED_EVERY;
        const slot = page * this.#sketchesPerPage + row * this.#blocksPerPage + block;
        const score = scores[at] ?? 0;
        if (slot < this.#size && admitted[slot] === 1) counts[score] = (counts[score] ?? 0) + 1;
      }
    }
    let score = counts.length;
    for (let count = 0; score > 0 && count < sampled;) count += counts[--score] ?? 0;
    return score;
  }

  /** Sketches all rows; later rows are sketched as they arrive. */
  #startSketches(): void {
    const centre = new Float32Array(this.#padded);
    const { int16 } = this.#memory;
    for (let slot = 0; slot < this.#size; slot += 1) {
      const row = this.#address(slot) / 2;
      for (let at = 0; at < this.#dimensions; at += 1) centre[at] = (centre[at] ?? 0) + (int16[row + at] ?? 0);
    }
    this.#sketcher = new Sketcher(centre.map((sum) => sum / this.#size));
    for (let slot = 0; slot < this.#size; slot += 1) this.#addSketch(slot);
  }

  #addSketch(slot: number): void {
    if (this.#sketcher === undefined) return;
    const place = slot % this.#sketchesPerPage;
    if (place === 0) this.#sketchPages.push(this.#memory.allocate());
    const row = this.#address(slot) / 2;
    const vector = this.#memory.int16.subarray(row, row + this.#padded);
    const block = (this.#sketchPages.at(-1) ?? 0) + (place % this.#blocksPerPage) * this.#blockBytes;
    this.#sketcher.write(vector, this.#memory.uint8, block + Math.floor(place / this.#blocksPerPage));
  }
}

/** Row of each of a block's 16 scores: the scores of the even rows come first. */
const ROWS_BY_SCORE = Array.from({ length: BLOCK_ROWS }, (_, at) => (at % 8) * 2 + Math.floor(at / 8));

/** The numbers 0, 1, 2, …, shared by all tables. */
let ascending = new Uint32Array(0);

function firstSlots(count: number): Uint32Array {
  if (ascending.length < count) {
    ascending = new Uint32Array(count * 2);
    for (let slot = 0; slot < ascending.length; slot += 1) ascending[slot] = slot;
  }
  return ascending.subarray(0, count);
}
