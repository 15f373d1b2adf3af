import { expect, it } from 'vitest';
import type { TextLine } from '@quire/blocks/block';
import { decodeLineMap, encodeLineMap } from './line-map.ts';

const lines: TextLine[] = [
  { start: 0, end: 14, page: 1, box: [0.1234, 0.5, 0.91235, 0.51] },
  { start: 15, end: 40, page: 2, box: [0, 0, 1, 1] },
];
const parts = [
  { start: 42, end: 60, blockId: 'b7', offset: 12 },
  { start: 62, end: 80, blockId: 'b9', offset: null },
];
const blockIds = ['b3', 'b7', 'b9'];

it('restores an encoded line map, also the parts of blocks without a position', () => {
  expect(decodeLineMap(encodeLineMap({ lines, parts, blockIds }), blockIds)).toEqual({ lines, parts });
});

it('stores seven integers per line and per part', () => {
  expect(encodeLineMap({ lines: lines.slice(0, 1), blockIds })).toEqual([0, 14, 1, 12_340, 50_000, 91_235, 51_000]);
  expect(encodeLineMap({ parts, blockIds })).toEqual([42, 60, 0, 1, 12, 0, 0, 62, 80, 0, 2, -1, 0, 0]);
});

it('stores an unknown origin as null, and reads null as no places', () => {
  expect([encodeLineMap({ blockIds }), decodeLineMap(null, blockIds)]).toEqual([null, { lines: [], parts: [] }]);
});
