/** The terms of a table, numbered from 0: a hash table over their bytes, in typed arrays. Strings would cost five times as much. */
import { grown } from './growing.ts';

const NONE = 0xffff_ffff;
/** At most this share of the buckets is taken. */
const LOAD = 0.6;

export class Vocabulary {
  #bytes = new Uint8Array(256);
  /** By term: where its bytes begin; one more than there are terms. */
  #starts = new Uint32Array(16);
  #hashes = new Uint32Array(16);
  #buckets = new Uint32Array(32).fill(NONE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get byteLength(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#hashes.byteLength + this.#buckets.byteLength;
  }

  /** Number of the term, which is new when there was none. */
  intern(text: Uint8Array, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const bucket = this.#bucketOf(hash, text, start, end);
    const known = this.#buckets[bucket] ?? NONE;
    return known === NONE ? this.#insert(bucket, hash, text.subarray(start, end)) : known;
  }

  /** Undefined for a term that no row has had. */
  find(term: string): number | undefined {
    const bytes = Buffer.from(term);
    const found = this.#buckets[this.#bucketOf(hashOf(bytes, 0, bytes.length), bytes, 0, bytes.length)] ?? NONE;
    return found === NONE ? undefined : found;
  }

  term(number: number): string {
    return Buffer.from(this.bytesOf(number)).toString();
  }

  bytesOf(number: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** The term's bucket, or the empty one it belongs into. */
  #bucketOf(hash: number, text: Uint8Array, start: number, end: number): number {
    const mask = this.#buckets.length - 1;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const term = this.#buckets[bucket] ?? NONE;
      if (term === NONE || (this.#hashes[term] === hash && this.#equals(term, text, start, end))) return bucket;
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
    this.#hashes = grown(this.#hashes, term + 1);
    this.#hashes[term] = hash;
    this.#buckets[bucket] = term;
    this.#size += 1;
    if (this.#size > this.#buckets.length * LOAD) this.#rehash();
    return term;
  }

  #rehash(): void {
    this.#buckets = new Uint32Array(this.#buckets.length * 2).fill(NONE);
    const mask = this.#buckets.length - 1;
    for (let term = 0; term < this.#size; term += 1) {
      let bucket = (this.#hashes[term] ?? 0) & mask;
      while (this.#buckets[bucket] !== NONE) bucket = (bucket + 1) & mask;
      this.#buckets[bucket] = term;
    }
  }
}

/** FNV-1a, mixed once more for its low bits. */
function hashOf(text: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
