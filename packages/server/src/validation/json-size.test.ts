import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { exceedsBytes } from './json-size.ts';

test('the measure is the length of the shortest JSON in bytes', () => {
  assert(
    property(jsonValue(), (any) => {
      const value: unknown = JSON.parse(JSON.stringify(any));
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect([exceedsBytes(value, bytes), exceedsBytes(value, bytes - 1)]).toEqual([false, true]);
    }),
  );
});

test('a value nested a million levels deep is measured', () => {
  let value: unknown = 1;
  for (let level = 0; level < 1_000_000; level += 1) value = [value];
  expect([exceedsBytes(value, 2_000_001), exceedsBytes(value, 2_000_000)]).toEqual([false, true]);
});
