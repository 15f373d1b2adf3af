import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromFloat16, toFloat16 } from './float16.ts';

test('values of a normalised vector are restored within a relative error of 2^-11', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1 }), (values) => {
      const vector = Float32Array.from(values);
      const back = fromFloat16(toFloat16(vector));
      vector.forEach((value, index) => {
        expect(Math.abs((back[index] ?? NaN) - value)).toBeLessThanOrEqual(
          Math.max(Math.abs(value) * 2 ** -11, 2 ** -25),
        );
      });
    }),
  );
});

test('known bit patterns are converted exactly', () => {
  expect(toFloat16(Float32Array.from([1, -2, 0.5, 0, 65504])).toString('hex')).toBe('003c00c000380000ff7b');
  expect([...fromFloat16(Buffer.from('003c00c00038ff7b', 'hex'))]).toEqual([1, -2, 0.5, 65504]);
});
