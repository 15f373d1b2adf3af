import { expect, test } from 'vitest';
import { contentWarning, mergeWarnings } from './content-warning.ts';

test('warnings with the same type and message become one with the pages of all, in order', () => {
  const merged = mergeWarnings([
    contentWarning('pages_without_text', 'No text was read', [3]),
    contentWarning('truncated', 'The rest was left out'),
    contentWarning('pages_without_text', 'No text was read', [1, 3]),
    contentWarning('low_confidence', 'No text was read', [2]),
  ]);
  expect(merged).toEqual([
    { type: 'pages_without_text', message: 'No text was read', pages: [1, 3] },
    { type: 'truncated', message: 'The rest was left out', pages: [] },
    { type: 'low_confidence', message: 'No text was read', pages: [2] },
  ]);
});

test('at most 30 warnings are kept', () => {
  const many = Array.from({ length: 40 }, (_, index) => contentWarning('truncated', `Sheet ${index} was left out`));
  expect(mergeWarnings(many)).toEqual(many.slice(0, 30));
});
