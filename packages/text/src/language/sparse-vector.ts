/** The sparse vector of a chunk, as stored and shown: the BM25 weights of its terms without corpus statistics. */
export interface SparseVector {
  /** Unsigned 32-bit hashes of the terms, ascending, without duplicates. */
  indices: number[];
  /** Saturated term frequencies, in the order of `indices`; a query's score is their sum weighted by idf. */
  values: number[];
  /** Terms of the indices, in the same order; if two terms share a hash, the first. */
  terms: string[];
}

/** The constants of the search index, so that the shown values are those it ranks by. */
const K1 = 1.2;
const B = 0.75;
/** Number of terms of an average chunk. Fixed, as a vector must not change with other documents. */
const REFERENCE_LENGTH = 150;

/**
 * `values` are `tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / reference))` (Robertson and Zaragoza, The
 * Probabilistic Relevance Framework, 2009) with k1 = 1.2, b = 0.75, reference = 150 terms. `indices` are MurmurHash3
 * (x86, 32 bit, seed 0) of the term in UTF-8.
 */
export function sparseVector(terms: readonly string[]): SparseVector {
  const entries = new Map<number, { term: string; frequency: number }>();
  const hashes = new Map<string, number>();
  for (const term of terms) {
    const index = hashes.get(term) ?? termHash(term);
    hashes.set(term, index);
    const entry = entries.get(index);
    if (entry === undefined) entries.set(index, { term, frequency: 1 });
    else entry.frequency += 1;
  }
  const sorted = [...entries].toSorted(([a], [b]) => a - b);
  const norm = K1 * (1 - B + (B * terms.length) / REFERENCE_LENGTH);
  return {
    indices: sorted.map(([index]) => index),
    values: sorted.map(([, { frequency }]) => Math.fround((frequency * (K1 + 1)) / (frequency + norm))),
    terms: sorted.map(([, { term }]) => term),
  };
}

const encoder = new TextEncoder();

/** Returns MurmurHash3 x86_32 with seed 0 (Austin Appleby, public domain), as an unsigned number. */
export function termHash(term: string): number {
  const bytes = encoder.encode(term);
  const view = new DataView(bytes.buffer);
  const tail = bytes.length & ~3;
  let hash = 0;
  for (let at = 0; at < tail; at += 4) {
    hash ^= scramble(view.getUint32(at, true));
    hash = Math.imul(rotate(hash, 13), 5) + 0xe6546b64;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= tail; at -= 1) rest = (rest << 8) | view.getUint8(at);
  hash ^= scramble(rest) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(word: number): number {
  return Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
