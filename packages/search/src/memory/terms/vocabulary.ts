/**
 * The terms of a table, numbered from 0: a hash table over their bytes in typed arrays, which take a fifth of the
 * memory of strings.
 */
import { grown } from '../grown-array.ts';
import type { SnapshotWriter } from '../snapshot-file.ts';
import type { SnapshotReader } from '../snapshot-reader.ts';

const NONE = -1;
/** Maximum share of used buckets. */
const LOAD = 0.6;

export class Vocabulary {
  #bytes = new Uint8Array(256);
  /** Start of each term's bytes, with one entry more than there are terms. */
  #starts = new Uint32Array(16);
  /** Two words per bucket: a term number or `NONE`, and its hash. */
  #buckets = new Int32Array(64).fill(NONE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get byteLength(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#buckets.byteLength;
  }

  save(to: SnapshotWriter): void {
    to.number(this.#size);
    to.numbers(this.#bytes, this.#starts[this.#size]);
    to.numbers(this.#starts, this.#size + 1);
    to.numbers(this.#buckets);
  }

  /** Replaces all terms. */
  async restore(from: SnapshotReader): Promise<void> {
    this.#size = await from.number();
    this.#bytes = await from.numbers(Uint8Array);
    this.#starts = await from.numbers(Uint32Array);
    this.#buckets = await from.numbers(Int32Array);
  }

  /** Returns the number of the term and adds it if it is new. `hash` is the result of `hashOf`. */
  intern(text: Uint8Array, start: number, end: number, hash: number): number {
    const bucket = this.#bucketOf(hash, text, start, end);
    const known = this.#buckets[bucket] ?? NONE;
    return known === NONE ? this.#insert(bucket, hash, text.subarray(start, end)) : known;
  }

  /** Returns undefined for a term that was never added. */
  find(term: string): number | undefined {
    const bytes = Buffer.from(term);
    const found = this.#buckets[this.#bucketOf(hashOf(bytes), bytes, 0, bytes.length)] ?? NONE;
    return found === NONE ? undefined : found;
  }

  term(number: number): string {
    return Buffer.from(this.bytesOf(number)).toString();
  }

  bytesOf(number: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** Returns the index of the term's bucket, or of the empty bucket for it. */
  #bucketOf(hash: number, text: Uint8Array, start: number, end: number): number {
    const buckets = this.#buckets;
    const mask = buckets.length / 2 - 1;
    for (let bucket = bucketAt(hash, mask); ; bucket = (bucket + 1) & mask) {
      const term = buckets[bucket * 2] ?? NONE;
      if (term === NONE) return bucket * 2;
      if (buckets[bucket * 2 + 1] === hash && this.#equals(term, text, start, end)) return bucket * 2;
    }
  }

  #equals(term: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[term] ?? 0;
    if ((this.#starts[term + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.#bytes[from + at - start] !== text[at]) return false;
    return true;
  }

  #insert(bucket: number, hash: number, bytes: Uint8Array): number {
    const term = this.#size;
    const from = this.#starts[term] ?? 0;
    this.#bytes = grown(this.#bytes, from + bytes.length);
    this.#bytes.set(bytes, from);
    this.#starts = grown(this.#starts, term + 2);
    this.#starts[term + 1] = from + bytes.length;
    this.#buckets[bucket] = term;
    this.#buckets[bucket + 1] = hash;
    this.#size += 1;
    if (this.#size > (this.#buckets.length / 2) * LOAD) this.#rehash();
    return term;
  }

  #rehash(): void {
    const old = this.#buckets;
    const buckets = new Int32Array(old.length * 2).fill(NONE);
    const mask = buckets.length / 2 - 1;
    for (let from = 0; from < old.length; from += 2) {
      const term = old[from] ?? NONE;
      if (term === NONE) continue;
      const hash = old[from + 1] ?? 0;
      let bucket = bucketAt(hash, mask);
      while (buckets[bucket * 2] !== NONE) bucket = (bucket + 1) & mask;
      buckets[bucket * 2] = term;
      buckets[bucket * 2 + 1] = hash;
    }
    this.#buckets = buckets;
  }
}

/** Mixes the hash, since its low bits alone are unevenly distributed. */
function bucketAt(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}

/** FNV-1a: the initial value and the step for one byte. Signed, so that V8 keeps it as a small integer. */
export const EMPTY_HASH = 0x811c9dc5 | 0;

export function addToHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** Returns the hash of a term. */
export function hashOf(text: Uint8Array): number {
  let hash = EMPTY_HASH;
  for (const byte of text) hash = addToHash(hash, byte);
  return hash;
}
