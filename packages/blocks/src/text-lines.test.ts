import { describe, expect, it } from 'vitest';
import type { BlockDraft, TextLine } from './block.ts';
import { finishTree } from './finish-tree.ts';
import { boxesOfRange, shiftLines, sliceLines } from './text-lines.ts';

const line = (start: number, end: number, page: number, top: number): TextLine => ({
  start,
  end,
  page,
  box: [0.1, top, 0.9, top + 0.01],
});
const text = 'The first line ends here and the next page goes on.';
const lines = [line(0, 14, 1, 0.8), line(15, 24, 1, 0.9), line(25, 51, 2, 0.1)];

describe('boxesOfRange', () => {
  it('returns the box of the single line that contains the range', () => {
    expect(boxesOfRange({ lines }, 4, 9)).toEqual([{ page: 1, box: [0.1, 0.8, 0.9, 0.81] }]);
  });

  it('returns the boxes of all lines of a range, on each page', () => {
    expect(boxesOfRange({ lines }, 20, 30)).toEqual([
      { page: 1, box: [0.1, 0.9, 0.9, 0.91] },
      { page: 2, box: [0.1, 0.1, 0.9, 0.11] },
    ]);
  });

  it('excludes lines that only touch the range', () => {
    expect(boxesOfRange({ lines }, 14, 15)).toEqual([]);
    expect(boxesOfRange({ lines }, 15, 24)).toEqual([{ page: 1, box: [0.1, 0.9, 0.9, 0.91] }]);
  });

  it('returns nothing for an empty range', () => {
    expect(boxesOfRange({ lines }, 4, 4)).toEqual([]);
  });

  it('returns the box of a block without a line map, and nothing for a block without a position', () => {
    expect(boxesOfRange({ page: 3, bbox: [0, 0, 1, 0.5] }, 0, 4)).toEqual([{ page: 3, box: [0, 0, 1, 0.5] }]);
    expect(boxesOfRange({ page: 3 }, 0, 4)).toEqual([]);
  });

  it('returns the box of a table cell once for a range over two of its entries', () => {
    const cell = line(0, 5, 1, 0.2);
    expect(boxesOfRange({ lines: [cell, { ...cell, start: 5, end: 9 }] }, 2, 7)).toHaveLength(1);
  });
});

it('slices and shifts a line map like its text', () => {
  expect(sliceLines(lines, 10, 20)).toEqual([line(0, 4, 1, 0.8), line(5, 10, 1, 0.9)]);
  expect(shiftLines(sliceLines(lines, 15, 51), 15)).toEqual(lines.slice(1));
});

it('keeps each line on its words when the tree normalises the text', () => {
  const words = ['  The  first', 'line\u0000 ends', 'here. '];
  const parts = words.map((part, index) => ({ part, start: words.slice(0, index).join('\n').length }));
  const block: BlockDraft = {
    type: 'paragraph',
    text: words.join('\n'),
    lines: parts.map(({ part, start }, index) =>
      line(start + (index > 0 ? 1 : 0), start + (index > 0 ? 1 : 0) + part.length, 1, index / 10),
    ),
  };
  const [finished] = finishTree({ blocks: [block], pageCount: 1, title: null, warnings: [] }, null).blocks;
  expect(finished?.text).toBe('The first\nline ends\nhere.');
  expect(finished?.lines?.map(({ start, end }) => finished.text?.slice(start, end))).toEqual([
    'The first',
    'line ends',
    'here.',
  ]);
});

it('keeps the text whole for lines of a block that needs no normalisation', () => {
  const block: BlockDraft = { type: 'paragraph', text, lines };
  const [finished] = finishTree({ blocks: [block], pageCount: 2, title: null, warnings: [] }, null).blocks;
  expect(finished?.lines).toEqual(lines);
});
