import { expect, test } from 'vitest';
import { bm25 } from './bm25.ts';

test('texts are ranked by rare words, also in scripts without spaces', () => {
  const rank = bm25(['the red house', 'the blue house by the sea', '東京は首都です', 'the the the']);
  expect(rank('the blue sea', 2)).toEqual([1, 3]);
  expect(rank('首都', 5)).toEqual([2]);
  expect(rank('nothing', 5)).toEqual([]);
});
