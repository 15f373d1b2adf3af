import { expect, it } from 'vitest';
import type { TextLine } from '@quire/blocks/block';
import { decodeLineMap, encodeLineMap } from './line-map.ts';

const lines: TextLine[] = [
  { start: 0, end: 14, page: 1, box: [0.1234, 0.5, 0.91235, 0.51] },
  { start: 15, end: 40, page: 2, box: [0, 0, 1, 1] },
];

it('restores an encoded line map', () => {
  expect(decodeLineMap(encodeLineMap(lines))).toEqual(lines);
});

it('stores seven integers per line', () => {
  expect(encodeLineMap(lines.slice(0, 1))).toEqual([0, 14, 1, 12_340, 50_000, 91_235, 51_000]);
});

it('stores no line map as null, and reads null as no lines', () => {
  expect([encodeLineMap(undefined), encodeLineMap([]), decodeLineMap(null)]).toEqual([null, null, []]);
});
