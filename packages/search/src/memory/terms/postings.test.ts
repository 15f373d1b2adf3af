import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Postings } from './postings.ts';

test('returns the added postings over any number of blocks and pages', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 400 })), { maxLength: 400 }),
      fc.integer({ min: 1, max: 2000 }),
      (rows, step) => {
        const postings = new Postings();
        const expected = new Map<number, [number, number][]>();
        for (const [row, [term, count]] of rows.entries()) {
          for (let time = 0; time < count; time += 1) postings.add(term, row * step, 400);
          expected.set(term, [...(expected.get(term) ?? []), [row * step, Math.min(count, 255)]]);
        }
        for (let term = 0; term <= 21; term += 1) {
          expect(read(postings, term)).toEqual(expected.get(term) ?? []);
          expect(postings.rowsWith(term)).toBe(expected.get(term)?.length ?? 0);
          const frequency = Math.max(0, ...(expected.get(term) ?? []).map(([, count]) => count));
          expect(postings.bounds(term).frequency).toBe(frequency);
          expect(postings.bounds(term).density).toBeCloseTo(frequency / 400, 6);
        }
      },
    ),
  );
});

test('finds every term of many', () => {
  const postings = new Postings();
  for (let round = 0; round < 3; round += 1) for (let term = 0; term < 3000; term += 1) postings.add(term, round, 3000);
  for (let term = 0; term < 3000; term += 1) {
    expect(read(postings, term)).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
  }
});

test('keeps long lists of many terms apart', () => {
  const postings = new Postings();
  for (let slot = 0; slot < 20_000; slot += 1)
    for (const term of [0, 1 + (slot % 7), 50 + slot]) postings.add(term, slot, 3);
  expect(read(postings, 0)).toHaveLength(20_000);
  expect(read(postings, 3)).toEqual(Array.from({ length: 2857 }, (_, at) => [at * 7 + 2, 1]));
  expect(read(postings, 5000)).toEqual([[4950, 1]]);
  expect(postings.byteLength).toBeGreaterThan(20_000 * 3 * 4);
});

function read(postings: Postings, term: number): [number, number][] {
  const found: [number, number][] = [];
  postings.forEachBlock(term, (words, from, to) => {
    for (const word of words.subarray(from, to)) found.push([word >>> 8, word & 255]);
  });
  return found;
}
