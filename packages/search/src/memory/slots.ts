/** The keys of a table's rows, by slot. A slot is a row's number in order of arrival and is never reused. */
import type { IndexHit } from '../search-index.ts';
import { grown } from './grown-array.ts';
import type { SnapshotWriter } from './snapshot-file.ts';
import type { SnapshotReader } from './snapshot-reader.ts';

const NONE = -1;
/** Estimated size of an entry of the two maps. */
const ENTRY_BYTES = 40;
/** Number of slots restored before other requests run, which takes a few ms. */
const SLOTS_PER_SLICE = 10_000;

export interface SlotKeys {
  chunkKey: bigint;
  documentKey: bigint;
  revision: number;
}

export class Slots {
  #chunkKeys = new BigInt64Array(16);
  #documentKeys = new BigInt64Array(16);
  #revisions = new Int32Array(16);
  /** Number of terms of the row, repetitions included. */
  #lengths = new Uint32Array(16);
  #live = new Uint8Array(16);
  /** Another slot of the same document, or `NONE`. */
  #siblings = new Int32Array(16);
  readonly #byChunk = new Map<bigint, number>();
  readonly #byDocument = new Map<bigint, number>();
  #size = 0;
  #removed = 0;
  #totalLength = 0;

  get size(): number {
    return this.#size;
  }

  get removed(): number {
    return this.#removed;
  }

  /** 1 for slots that are searched, 0 for removed ones; may be longer than the number of slots. */
  get live(): Uint8Array {
    return this.#live;
  }

  get lengths(): Uint32Array {
    return this.#lengths;
  }

  /** Mean number of terms per row, removed rows included. */
  get meanLength(): number {
    return this.#size === 0 ? 0 : this.#totalLength / this.#size;
  }

  get byteLength(): number {
    const arrays = [this.#chunkKeys, this.#documentKeys, this.#revisions, this.#lengths, this.#live, this.#siblings];
    const maps = (this.#byChunk.size + this.#byDocument.size) * ENTRY_BYTES;
    return arrays.reduce((sum, array) => sum + array.byteLength, maps);
  }

  save(to: SnapshotWriter): void {
    const size = this.#size;
    to.number(this.#removed);
    to.number(this.#totalLength);
    to.numbers(this.#chunkKeys, size);
    to.numbers(this.#documentKeys, size);
    to.numbers(this.#revisions, size);
    to.numbers(this.#lengths, size);
    to.numbers(this.#live, size);
    to.numbers(this.#siblings, size);
  }

  /** Fills empty slots. */
  async restore(from: SnapshotReader): Promise<void> {
    this.#removed = await from.number();
    this.#totalLength = await from.number();
    this.#chunkKeys = await from.numbers(BigInt64Array);
    this.#documentKeys = await from.numbers(BigInt64Array);
    this.#revisions = await from.numbers(Int32Array);
    this.#lengths = await from.numbers(Uint32Array);
    this.#live = await from.numbers(Uint8Array);
    this.#siblings = await from.numbers(Int32Array);
    this.#size = this.#chunkKeys.length;
    for (let slot = 0; slot < this.#size; slot += 1) {
      if (this.#live[slot] === 1) this.#byChunk.set(this.#chunkKeys[slot] ?? 0n, slot);
      this.#byDocument.set(this.#documentKeys[slot] ?? 0n, slot);
      if (slot % SLOTS_PER_SLICE === SLOTS_PER_SLICE - 1) await from.pause();
    }
  }

  has(chunkKey: bigint): boolean {
    return this.#byChunk.has(chunkKey);
  }

  /** Adds a row and returns its slot. */
  add({ chunkKey, documentKey, revision }: SlotKeys, length: number): number {
    const slot = this.#size;
    this.#makeRoom(slot + 1);
    this.#chunkKeys[slot] = chunkKey;
    this.#documentKeys[slot] = documentKey;
    this.#revisions[slot] = revision;
    this.#lengths[slot] = length;
    this.#live[slot] = 1;
    this.#siblings[slot] = this.#byDocument.get(documentKey) ?? NONE;
    this.#byDocument.set(documentKey, slot);
    this.#byChunk.set(chunkKey, slot);
    this.#totalLength += length;
    this.#size += 1;
    return slot;
  }

  removeChunk(chunkKey: bigint): void {
    const slot = this.#byChunk.get(chunkKey);
    if (slot !== undefined) this.#remove(slot);
  }

  /** Removes the document's rows whose revision is below the given one, or all when it is null. */
  removeDocument(documentKey: bigint, belowRevision: number | null): void {
    for (const slot of this.ofDocument(documentKey)) {
      if (belowRevision === null || (this.#revisions[slot] ?? 0) < belowRevision) this.#remove(slot);
    }
  }

  /** Returns the live slots of a document. */
  ofDocument(documentKey: bigint): number[] {
    const slots: number[] = [];
    let slot = this.#byDocument.get(documentKey) ?? NONE;
    for (; slot !== NONE; slot = this.#siblings[slot] ?? NONE) if (this.#live[slot] === 1) slots.push(slot);
    return slots;
  }

  hit(slot: number, score: number): IndexHit {
    return {
      chunkKey: this.#chunkKeys[slot] ?? 0n,
      documentKey: this.#documentKeys[slot] ?? 0n,
      revision: this.#revisions[slot] ?? 0,
      score,
    };
  }

  #remove(slot: number): void {
    if (this.#live[slot] !== 1) return;
    this.#live[slot] = 0;
    this.#removed += 1;
    const chunkKey = this.#chunkKeys[slot] ?? 0n;
    if (this.#byChunk.get(chunkKey) === slot) this.#byChunk.delete(chunkKey);
  }

  #makeRoom(size: number): void {
    this.#chunkKeys = grown(this.#chunkKeys, size);
    this.#documentKeys = grown(this.#documentKeys, size);
    this.#revisions = grown(this.#revisions, size);
    this.#lengths = grown(this.#lengths, size);
    this.#live = grown(this.#live, size);
    this.#siblings = grown(this.#siblings, size);
  }
}
