import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenSums } from './token-sums.ts';

const ROWS = 7;

test('sums rows of any dimensions times their scales, including repeated rows', () => {
  const model = fc.integer({ min: 1, max: 150 }).chain((dimensions) =>
    fc.record({
      dimensions: fc.constant(dimensions),
      matrix: fc.int8Array({ minLength: ROWS * dimensions, maxLength: ROWS * dimensions }),
      scales: fc.float32Array({ minLength: ROWS, maxLength: ROWS, min: 0.0009765625, max: 1, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(model, fc.array(fc.nat(ROWS - 1), { maxLength: 20 }), ({ matrix, scales, dimensions }, rows) => {
      const sum = new TokenSums({ matrix, scales, dimensions }).sumOf(Int32Array.from(rows));
      const expected = Array.from({ length: dimensions }, (_, at) =>
        rows.reduce((total, row) => total + matrix[row * dimensions + at]! * scales[row]!, 0),
      );
      expect(sum.length).toBe(dimensions);
      for (const [at, value] of expected.entries()) expect(sum[at]).toBeCloseTo(value, 2);
    }),
    { numRuns: 50 },
  );
});

test('a sum is not changed by the next one', () => {
  const sums = new TokenSums({ matrix: Int8Array.of(1, 2, 3, 4), scales: Float32Array.of(1, 0.5), dimensions: 2 });
  const first = sums.sumOf(Int32Array.of(0, 1));
  expect(sums.sumOf(Int32Array.of())).toEqual(Float32Array.of(0, 0));
  expect(sums.sumOf(Int32Array.of(1))).toEqual(Float32Array.of(1.5, 2));
  expect(first).toEqual(Float32Array.of(2.5, 4));
});
