import { expect, it } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { segmentBoxes, segmentDocument } from './segments.ts';

function boxesOf(block: BlockDraft, quote: string) {
  const tree = finishTree({ blocks: [block], pageCount: 2, title: null, warnings: [] }, null);
  const segment = segmentDocument(tree).segments.find(({ text }) => text.includes(quote));
  if (segment === undefined) throw new Error('the quote is in no segment');
  const start = segment.text.indexOf(quote);
  return segmentBoxes(segment, start, start + quote.length);
}

const place: Pick<BlockDraft, 'page' | 'bbox'> = { page: 1, bbox: [0, 0, 1, 1] };

it('returns the boxes of the lines that hold a quote, on both pages', () => {
  const text = 'The total of the invoice is 1,140.00 EUR, due on 14 March.';
  const block: BlockDraft = {
    type: 'paragraph',
    ...place,
    text,
    lines: [
      { start: 0, end: 27, page: 1, box: [0.1, 0.9, 0.9, 0.92] },
      { start: 28, end: text.length, page: 2, box: [0.1, 0.1, 0.9, 0.12] },
    ],
  };
  expect(boxesOf(block, '14 March')).toEqual([{ page: 2, bbox: [0.1, 0.1, 0.9, 0.12] }]);
  expect(boxesOf(block, 'is 1,140.00')).toEqual([
    { page: 1, bbox: [0.1, 0.9, 0.9, 0.92] },
    { page: 2, bbox: [0.1, 0.1, 0.9, 0.12] },
  ]);
});

it('returns the box of the column of a code line', () => {
  const block: BlockDraft = {
    type: 'code',
    ...place,
    text: 'Item      Price\nTable     450.00',
    lines: [
      { start: 0, end: 15, page: 1, box: [0.1, 0.1, 0.9, 0.12] },
      { start: 16, end: 32, page: 1, box: [0.1, 0.13, 0.9, 0.15] },
    ],
  };
  expect(boxesOf(block, '450.00')).toEqual([{ page: 1, bbox: [0.1, 0.13, 0.9, 0.15] }]);
});

it('returns the box of a table cell', () => {
  const cell = { rowSpan: 1, colSpan: 1, header: false };
  const block: BlockDraft = {
    type: 'table',
    ...place,
    rows: [
      [
        { ...cell, text: 'Total' },
        { ...cell, text: '1,140.00', page: 2, box: [0.5, 0.1, 0.6, 0.12] },
      ],
    ],
  };
  expect(boxesOf(block, '1,140.00')).toEqual([{ page: 2, bbox: [0.5, 0.1, 0.6, 0.12] }]);
  expect(boxesOf(block, 'Total')).toEqual([{ page: 1, bbox: [0, 0, 1, 1] }]);
});
