/**
 * An index table in memory: terms in posting lists, vectors in 16 bits. All methods but `restore` are synchronous, so a
 * search sees a row completely or not at all.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { IndexFilter, IndexHit } from '../search-index.ts';
import type { ScoredSlot } from './best-hits.ts';
import type { WholeTable } from './copy-protocol.ts';
import { searchTerms } from './terms/bm25.ts';
import { grown } from './grown-array.ts';
import type { WasmPages } from './wasm-pages.ts';
import type { SnapshotWriter } from './snapshot-file.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { VectorStore } from './vector-store.ts';
import { MAX_SLOTS, Postings } from './terms/postings.ts';
import { Slots, type SlotKeys } from './slots.ts';
import { Spelling } from './terms/spelling.ts';
import { addToHash, EMPTY_HASH, Vocabulary } from './terms/vocabulary.ts';

/** The input of `add`: terms in UTF-8 joined by single spaces, the vector at an offset of a longer array. */
export interface MemoryRow extends SlotKeys {
  terms: Uint8Array;
  vectors?: ArrayLike<number>;
  vectorOffset?: number;
}

const SPACE = 32;

export class MemoryTable {
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new Postings();
  readonly #slots = new Slots();
  readonly #spelling = new Spelling(this.#vocabulary, (term) => this.#postings.rowsWith(term));
  readonly #vectors: VectorStore | null;
  /** Numbers of the terms of the row that is being added. */
  #numbers = new Uint32Array(16);

  /** @param dimensions null for a table without vectors. */
  constructor(dimensions: number | null, memory: WasmPages) {
    this.#vectors = dimensions === null ? null : new VectorStore(memory, dimensions);
  }

  get byteLength(): number {
    const vectors = this.#vectors?.byteLength ?? 0;
    return vectors + this.#vocabulary.byteLength + this.#postings.byteLength + this.#slots.byteLength;
  }

  /** Number of rows that are searched. */
  get rows(): number {
    return this.#slots.size - this.#slots.removed;
  }

  /** Number of removed rows that still take memory. */
  get removedRows(): number {
    return this.#slots.removed;
  }

  save(to: SnapshotWriter): void {
    for (const part of [this.#vocabulary, this.#postings, this.#slots, ...this.#vectorParts()]) part.save(to);
  }

  /**
   * Fills an empty table, which must not be used meanwhile; the part `vectors` leaves out the terms of the snapshot.
   * Rejects with `RangeError` when memory runs out or the snapshot is damaged.
   */
  async restore(from: SnapshotReader, part?: WholeTable['part']): Promise<void> {
    const terms = part === 'vectors' ? [new Vocabulary(), new Postings()] : [this.#vocabulary, this.#postings];
    for (const each of [...terms, this.#slots, ...this.#vectorParts()]) await each.restore(from);
  }

  #vectorParts(): VectorStore[] {
    return this.#vectors === null ? [] : [this.#vectors];
  }

  has(chunkKey: bigint): boolean {
    return this.#slots.has(chunkKey);
  }

  /** Adds a row, which replaces an older row of the same chunk. Throws `RangeError` when the table is full. */
  add(row: MemoryRow): void {
    if (this.#slots.size >= MAX_SLOTS) throw new RangeError('The table has more rows than are kept in memory');
    this.#vectors?.add(row.vectors ?? [], row.vectorOffset);
    this.#slots.removeChunk(row.chunkKey);
    const slot = this.#slots.size;
    this.#slots.add(row, this.#addTerms(row.terms, slot));
  }

  /** Adds the postings of a row and returns the number of its terms. Loading spends most of its time here. */
  #addTerms(terms: Uint8Array, slot: number): number {
    const count = this.#numberTerms(terms);
    const numbers = this.#numbers;
    for (let at = 0; at < count; at += 1) this.#postings.add(numbers[at] ?? 0, slot, count);
    return count;
  }

  /** Writes the numbers of the terms to `#numbers` and returns their count. */
  #numberTerms(terms: Uint8Array): number {
    const vocabulary = this.#vocabulary;
    // Each term has at least one byte and, except for the last, a space.
    this.#numbers = grown(this.#numbers, (terms.length >> 1) + 1);
    const numbers = this.#numbers;
    let count = 0;
    let start = 0;
    let hash = EMPTY_HASH;
    for (let at = 0; at <= terms.length; at += 1) {
      const byte = at < terms.length ? (terms[at] ?? SPACE) : SPACE;
      if (byte !== SPACE) {
        hash = addToHash(hash, byte);
        continue;
      }
      if (at > start) numbers[count++] = vocabulary.intern(terms, start, at, hash);
      start = at + 1;
      hash = EMPTY_HASH;
    }
    return count;
  }

  /** Implements `SearchIndex.remove`. */
  remove(documentKey: bigint, belowRevision: number | null): void {
    this.#slots.removeDocument(documentKey, belowRevision);
  }

  removeChunk(chunkKey: bigint): void {
    this.#slots.removeChunk(chunkKey);
  }

  /** Implements `SearchIndex.searchSparse`. */
  searchSparse(terms: readonly QueryTerm[], limit: number, filter?: IndexFilter): IndexHit[] {
    const numbers = this.#spelling.numbersOf(terms);
    if (numbers.length === 0 || this.#slots.size === 0) return [];
    return this.#admitting(filter, (admitted) => searchTerms(this.#postings, this.#slots, numbers, limit, admitted));
  }

  /** Implements `SearchIndex.searchDense`. */
  searchDense(vector: Float32Array, limit: number, filter?: IndexFilter): IndexHit[] {
    const vectors = this.#vectors;
    if (vectors === null) return [];
    return this.#admitting(filter, (admitted, among) => vectors.search(vector, limit, admitted, among));
  }

  /** Frees the memory; no method may be called afterwards. */
  release(): void {
    this.#vectors?.release();
  }

  /** Searches with a mask of the slots that the filter admits, and with their list if the filter is an allow-list. */
  #admitting(
    { includeDocuments, excludeDocuments = [] }: IndexFilter = {},
    search: (admitted: Uint8Array, among?: readonly number[]) => readonly ScoredSlot[],
  ): IndexHit[] {
    const slots = this.#slots;
    if (includeDocuments === undefined && excludeDocuments.length === 0) return this.#hits(search(slots.live));
    const excluded = excludeDocuments.flatMap((key) => slots.ofDocument(key));
    if (includeDocuments === undefined) {
      const admitted = slots.live.slice();
      for (const slot of excluded) admitted[slot] = 0;
      return this.#hits(search(admitted));
    }
    const admitted = new Uint8Array(slots.size);
    const among: number[] = [];
    for (const key of includeDocuments) {
      for (const slot of slots.ofDocument(key)) {
        if (admitted[slot] === 0) among.push(slot);
        admitted[slot] = 1;
      }
    }
    for (const slot of excluded) admitted[slot] = 0;
    return this.#hits(search(admitted, among));
  }

  #hits(scored: readonly ScoredSlot[]): IndexHit[] {
    return scored.map(({ slot, score }) => this.#slots.hit(slot, score));
  }
}
