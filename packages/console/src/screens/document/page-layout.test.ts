import { expect, test } from 'vitest';
import { layOutPages, movedOffset, pageIndexAt } from './page-layout.ts';

const pages = [
  { page: 1, width: 600, height: 800 },
  { page: 2, width: 800, height: 600 },
  { page: 3, width: 600, height: 1200 },
];
const narrow = layOutPages(pages, 300);
const wide = layOutPages(pages, 600);

test('pages of different shapes are below each other with gaps', () => {
  expect(narrow).toEqual({ starts: [16, 432, 673], heights: [400, 225, 600], total: 1289 });
  expect(layOutPages([], 300)).toEqual({ starts: [], heights: [], total: 16 });
});

test('an offset belongs to the page there, and a gap to the page above it', () => {
  expect([0, 16, 415, 431, 432, 672, 673, 5000].map((offset) => pageIndexAt(narrow, offset))).toEqual([
    0, 0, 0, 0, 1, 1, 2, 2,
  ]);
});

test('a place stays the same at another width', () => {
  const places = [0, 16, 216, 420, 432, 673, 973];
  expect(places.map((offset) => movedOffset(narrow, wide, offset))).toEqual([0, 16, 416, 820, 832, 1298, 1898]);
});
