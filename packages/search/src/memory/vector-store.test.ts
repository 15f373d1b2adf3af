import { expect, test } from 'vitest';
import { WasmPages } from './wasm-pages.ts';
import { VectorStore } from './vector-store.ts';

/** More rows than are searched without sketches, and not a whole number of pages for any row length. */
const ROWS = 9001;

/** Pseudo-random numbers in -1..1 (xorshift32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

test.each([64, 100, 384])(
  'of many rows with %i numbers those next to the query are found by sketches',
  (dimensions) => {
    const next = numbers(dimensions);
    const rows = Array.from({ length: ROWS }, () => Float32Array.from({ length: dimensions }, next));
    const memory = new WasmPages();
    // The contents of another table's released pages must not show.
    const pages = Array.from({ length: 4 }, () => memory.allocate());
    for (const address of pages) memory.uint8.fill(255, address, address + 65_536);
    memory.release(pages);
    const vectors = new VectorStore(memory, dimensions);
    for (const row of rows) vectors.add(row);
    const admitted = new Uint8Array(ROWS + 100).fill(1);
    for (const slot of [0, 17, 4096, 8191, 8192, ROWS - 1]) {
      const query = (rows[slot] ?? new Float32Array()).map((value) => value + next() / 4);
      const found = vectors.search(query, 10, admitted);
      expect(found[0]?.slot).toBe(slot);
      expect(found.length).toBe(10);
      expect(
        vectors.search(
          query,
          10,
          admitted.map((_, each) => (each === slot ? 0 : 1)),
        ),
      ).not.toContainEqual(found[0]);
      expect(
        vectors.search(
          query,
          1,
          admitted.map((_, each) => (each === slot ? 1 : 0)),
        ),
      ).toEqual([found[0]]);
    }
  },
);
