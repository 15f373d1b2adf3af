import { expect, test } from 'vitest';
import { kindOf } from './document-words.ts';

test('a content type has a short name that fits into the column of formats', () => {
  const ods = 'application/vnd.oasis.opendocument';
  expect(
    [`${ods}.text`, `${ods}.spreadsheet`, 'image/x-icon', 'image/svg+xml', 'application/epub+zip'].map(kindOf),
  ).toEqual(['ODF text', 'Spreadsheet', 'ICO picture', 'SVG picture', 'EPUB']);
});
