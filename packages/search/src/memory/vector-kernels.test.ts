import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCRATCH } from './scratch.ts';
import { WasmPages, PAGE_BYTES } from './wasm-pages.ts';
import { BLOCK_ROWS, blockBytes, MAX_TABLE_VALUE } from './sketch-layout.ts';

const memory = new WasmPages();
const page = memory.allocate();
const dimensions = fc.constantFrom(64, 128, 384, 4096);
/** Pseudo-random bytes of a seed (xorshift32). */
const bytesOf = (seed: number, count: number, below: number): Uint8Array => {
  let state = seed | 1;
  return Uint8Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  });
};

/** Sums the table entries of each four bits of a row. */
function expectedScore(sketches: Uint8Array, tables: Uint8Array, block: number, row: number, width: number): number {
  let score = 0;
  for (let byte = 0; byte < width / 8; byte += 1) {
    const bits = sketches[block * blockBytes(width) + byte * BLOCK_ROWS + row] ?? 0;
    score += (tables[byte * 32 + (bits & 15)] ?? 0) + (tables[byte * 32 + 16 + (bits >> 4)] ?? 0);
  }
  return score;
}

test('scores are sums of table entries, and rows that reach a score are found', () => {
  fc.assert(
    fc.property(dimensions, fc.integer(), fc.integer({ min: 1, max: 8 }), (width, seed, blocks) => {
      const sketches = bytesOf(seed, blocks * blockBytes(width), 256);
      const tables = bytesOf(seed + 1, width * 4, MAX_TABLE_VALUE + 1);
      memory.uint8.set(sketches, page);
      memory.uint8.set(tables, SCRATCH.tables);
      const kernels = memory.kernels(width);
      const scores = Array.from({ length: blocks }, (_, block) =>
        Array.from({ length: BLOCK_ROWS }, (_, row) => expectedScore(sketches, tables, block, row, width)),
      );
      kernels.sketches(page, blocks, blockBytes(width));
      const found = memory.uint16.slice(SCRATCH.rows / 2, SCRATCH.rows / 2 + blocks * BLOCK_ROWS);
      const [even, odd] = [0, 1].map((parity) => scores.map((block) => block.filter((_, row) => row % 2 === parity)));
      expect([...found]).toEqual(scores.flatMap((_, block) => [...(even?.[block] ?? []), ...(odd?.[block] ?? [])]));
      const least = scores[0]?.[5] ?? 0;
      kernels.nearby(page, blocks, least);
      const end = (SCRATCH.rows + (memory.int32[SCRATCH.count / 4] ?? 0)) / 2;
      const places = memory.uint16.slice(SCRATCH.rows / 2, end);
      const reaching = scores.flatMap((block, index) =>
        block.flatMap((score, row) => (score >= least ? [row * blocks + index] : [])),
      );
      expect([...places]).toEqual(reaching);
    }),
  );
});

test('products are those of the query with the rows at the given addresses', () => {
  const values = fc.array(fc.integer({ min: -2000, max: 2000 }), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(dimensions, values, fc.integer(), fc.integer({ min: 1, max: 40 }), (width, pattern, seed, count) => {
      const rows = Math.floor(PAGE_BYTES / (width * 2));
      const query = Array.from({ length: width }, (_, index) => pattern[(index * 7) % 64] ?? 0);
      const stored = Array.from({ length: rows * width }, (_, index) => pattern[(index * 31 + seed) & 63] ?? 0);
      memory.int16.set(query, SCRATCH.query / 2);
      memory.int16.set(stored, page / 2);
      const chosen = Array.from({ length: count }, (_, index) => (index * 13) % rows);
      memory.int32.set(
        chosen.map((row) => page + row * width * 2),
        SCRATCH.addresses / 4,
      );
      memory.kernels(width).dots(count);
      const expected = chosen.map((row) =>
        query.reduce((sum, value, index) => sum + value * (stored[row * width + index] ?? 0), 0),
      );
      expect(Array.from(memory.int32.subarray(SCRATCH.dots / 4, SCRATCH.dots / 4 + count))).toEqual(
        expected.map((sum) => sum | 0),
      );
    }),
  );
});

test('tables of maximum entries do not overflow', () => {
  const width = PAGE_BYTES / BLOCK_ROWS;
  memory.uint8.fill(MAX_TABLE_VALUE, SCRATCH.tables, SCRATCH.tables + width * 4);
  memory.kernels(width).sketches(page, 1, blockBytes(width));
  const scores = memory.uint16.slice(SCRATCH.rows / 2, SCRATCH.rows / 2 + BLOCK_ROWS);
  expect([...scores]).toEqual(Array.from({ length: BLOCK_ROWS }, () => (width / 4) * MAX_TABLE_VALUE));
});
