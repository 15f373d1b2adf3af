/**
 * The vectors of a hot table: unit vectors in 16 bits a dimension (cosines are exact to 0.00002, and much closer near 1), and above `SKETCHED_ROWS` a
 * sketch of each. A search scans all sketches, which takes no training and serves rows as they come, and computes the exact
 * score of the best.
 */
import { BestHits, type ScoredSlot } from './best-hits.ts';
import { grown } from './growing.ts';
import { PAGE_BYTES, type HotMemory } from './hot-memory.ts';
import type { SnapshotReader, SnapshotWriter } from './hot-snapshot.ts';
import { MAX_DIMENSIONS, MAX_DOTS, MAX_SKETCHES, SCRATCH } from './scratch.ts';
import { BLOCK_ROWS, blockBytes } from './sketch-kernels.ts';
import { scoresEnd, Sketcher } from './sketch.ts';
import type { VectorKernels } from './vector-kernels.ts';

const ONE = 32_767;
/** So many exact scores take as long as one look at 20 times as many sketches. */
const SKETCHED_ROWS = 8192;
/** Candidates whose exact score is computed, for each wanted hit and at least. */
const CANDIDATES_PER_HIT = 20;
const MIN_CANDIDATES = 1024;
/** The score that candidates have is estimated from this part of the sketches; a few more are taken to be sure. */
const SAMPLED_EVERY = 16;
const MARGIN = 1.15;

export class HotVectors {
  readonly #memory: HotMemory;
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
  /** By slot: length of the row as it is stored; 0 for one without a direction, which nothing is near to. */
  #lengths = new Float64Array(16);
  #size = 0;

  constructor(memory: HotMemory, dimensions: number) {
    if (dimensions > MAX_DIMENSIONS) throw new RangeError(`Vectors of ${dimensions} numbers are not kept in memory`);
    this.#memory = memory;
    this.#dimensions = dimensions;
    this.#padded = Math.ceil(dimensions / 64) * 64;
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

  /** Into vectors that are empty. */
  restore(from: SnapshotReader): void {
    this.#lengths = from.numbers(Float64Array);
    this.#size = this.#lengths.length;
    const centre = from.numbers(Float32Array);
    if (centre.length > 0) this.#sketcher = new Sketcher(centre);
    for (const pages of [this.#pages, this.#sketchPages]) {
      const count = from.number();
      for (let page = 0; page < count; page += 1) {
        const address = this.#memory.allocate();
        pages.push(address);
        this.#memory.uint8.set(from.numbers(Uint8Array), address);
      }
    }
  }

  /** Appends the vector of the next slot; its length does not matter. */
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

  /** The nearest slots that `admitted` has a 1 for, best first, with their cosine. `among`: looks only at these. */
  search(query: Float32Array, limit: number, admitted: Uint8Array, among?: readonly number[]): ScoredSlot[] {
    const scale = this.#scaleOf(query, 0);
    if (scale === 0) return [];
    const length = this.#write(query, 0, scale, SCRATCH.query);
    return this.#score(length, among ?? this.#candidates(limit, admitted), limit, admitted);
  }

  #query(): Int16Array {
    return this.#memory.int16.subarray(SCRATCH.query / 2, SCRATCH.query / 2 + this.#padded);
  }

  /** Gives the pages back; nothing may be called after it. */
  release(): void {
    this.#memory.release([...this.#pages.splice(0), ...this.#sketchPages.splice(0)]);
  }

  #scaleOf(vector: ArrayLike<number>, offset: number): number {
    let sum = 0;
    for (let at = offset; at < offset + this.#dimensions; at += 1) sum += (vector[at] ?? 0) ** 2;
    return sum > 0 && Number.isFinite(sum) ? ONE / Math.sqrt(sum) : 0;
  }

  /** Stores the vector in 16 bits; gives the length of what is stored. */
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

  /** Slots worth an exact score: all of a small table. */
  #candidates(limit: number, admitted: Uint8Array): ArrayLike<number> {
    const wanted = Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT);
    if (this.#sketcher === undefined || wanted * 2 > this.#size) return firstSlots(this.#size);
    this.#sketcher.writeQuery(this.#query(), this.#memory.uint8);
    const least = this.#scoreReached(wanted * MARGIN, admitted);
    const slots: number[] = [];
    for (const [page, address] of this.#sketchPages.entries()) {
      const first = page * this.#sketchesPerPage;
      this.#kernels.nearby(address, this.#blocksPerPage, least);
      const { uint16, int32 } = this.#memory;
      const end = (SCRATCH.rows + (int32[SCRATCH.count / 4] ?? 0)) / 2;
      for (let at = SCRATCH.rows / 2; at < end; at += 1) {
        const slot = first + (uint16[at] ?? 0);
        // A page that is not full has sketches of no row.
        if (slot < this.#size && admitted[slot] === 1) slots.push(slot);
      }
    }
    return slots;
  }

  /** The score that so many sketches reach by a sample of them; 0 when there are not so many that are admitted. */
  #scoreReached(wanted: number, admitted: Uint8Array): number {
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

  /** From here on every row has a sketch. */
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

/** Of the 16 scores of a block: those of the even rows come first. */
const ROWS_BY_SCORE = Array.from({ length: BLOCK_ROWS }, (_, at) => (at % 8) * 2 + Math.floor(at / 8));

/** 0, 1, 2 and so on, for all tables. */
let ascending = new Uint32Array(0);

function firstSlots(count: number): Uint32Array {
  if (ascending.length < count) {
    ascending = new Uint32Array(count * 2);
    for (let slot = 0; slot < ascending.length; slot += 1) ascending[slot] = slot;
  }
  return ascending.subarray(0, count);
}
