import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextUnits } from './text-units.ts';

/** Returns the units as text, to compare long ones quickly. */
function read(source: TextUnits, text: string): string {
  const units = source.read(text).subarray(0, text.length);
  return Array.from(units, (unit) => String.fromCharCode(unit)).join('');
}

test('returns the units of any text, including lone surrogates', () => {
  const source = new TextUnits();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(read(source, text)).toBe(text);
    }),
  );
  expect(read(source, 'a\ud800')).toBe('a\ud800');
});

test('reads a text that is longer than all before', () => {
  const source = new TextUnits();
  for (const length of [10, 5_000, 150_000, 3]) {
    const text = 'ä1'.repeat(length);
    expect(read(source, text) === text).toBe(true);
  }
});
