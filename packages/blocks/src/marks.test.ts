import { expect, it } from 'vitest';
import type { BlockDraft, DocumentTree } from './block.ts';
import { finishTree } from './finish-tree.ts';
import { readableTree } from './readable-tree.ts';
import { toHtml } from './to-html.ts';
import { toMarkdown } from './to-markdown.ts';
import { plainText } from './walk.ts';

const treeOf = (...blocks: BlockDraft[]): DocumentTree =>
  finishTree({ blocks, pageCount: null, title: null, warnings: [] }, 'en');

const price: BlockDraft = {
  type: 'paragraph',
  text: 'It costs 90 euros 75 euros, see page 3',
  marks: [{ start: 9, end: 17, kind: 'struck' }],
  links: [{ start: 32, end: 38, href: 'https://example.com/' }],
};

it('renders struck words with tildes and in a del element, and leaves them out of the readable tree', () => {
  const tree = treeOf(price);
  expect(toMarkdown(tree)).toBe('It costs ~~90 euros~~ 75 euros, see [page 3](https://example.com/)\n');
  expect(toHtml(tree)).toContain('It costs <del>90 euros</del> 75 euros, see <a href="https://example.com/"');
  const [block] = readableTree(tree).blocks;
  expect(block).toMatchObject({ id: 'b1', text: 'It costs 75 euros, see page 3', marks: [] });
  expect(block?.links).toEqual([{ start: 23, end: 29, href: 'https://example.com/' }]);
});

it('moves line maps with the words that are kept, and drops lines that are struck as a whole', () => {
  const box = [0, 0, 1, 0.1] as const;
  const lines = [
    { start: 0, end: 4, page: 1, box },
    { start: 5, end: 8, page: 1, box },
    { start: 9, end: 12, page: 2, box },
  ];
  const tree = treeOf({
    type: 'paragraph',
    text: 'keep\nold\nnew',
    lines,
    marks: [{ start: 5, end: 8, kind: 'struck' }],
  });
  expect(readableTree(tree).blocks[0]).toMatchObject({
    text: 'keep\nnew',
    lines: [
      { start: 0, end: 4, page: 1 },
      { start: 5, end: 8, page: 2 },
    ],
  });
});

it('writes raised and lowered digits as characters of their own, and letters with a tag', () => {
  const tree = treeOf(
    { type: 'paragraph', text: '106 cells', marks: [{ start: 2, end: 3, kind: 'raised' }] },
    { type: 'paragraph', text: 'H2O', marks: [{ start: 1, end: 2, kind: 'lowered' }] },
    { type: 'paragraph', text: 'The 1st day', marks: [{ start: 5, end: 7, kind: 'raised' }] },
  );
  expect(plainText(tree.blocks)).toBe('10⁶ cells\nH₂O\nThe 1st day');
  expect(toMarkdown(tree)).toBe('10⁶ cells\n\nH₂O\n\nThe 1<sup>st</sup> day\n');
  expect(toHtml(tree)).toContain('10<sup>6</sup> cells');
  expect(readableTree(tree)).toBe(tree);
});

it('drops blocks and empties cells that are struck as a whole', () => {
  const cell = { rowSpan: 1, colSpan: 1, header: false };
  const rows = [
    [
      { ...cell, text: 'old', marks: [{ start: 0, end: 3, kind: 'struck' as const }] },
      { ...cell, text: 'new' },
    ],
  ];
  const tree = treeOf(
    { type: 'paragraph', text: 'gone', marks: [{ start: 0, end: 4, kind: 'struck' }] },
    { type: 'table', rows },
  );
  expect(toMarkdown(tree)).toBe('~~gone~~\n\n| ~~old~~ | new |\n| --- | --- |\n');
  expect(plainText(readableTree(tree).blocks)).toBe('\tnew');
});

it('joins marks that touch, and keeps overlapping marks of different kinds', () => {
  const [block] = treeOf({
    type: 'paragraph',
    text: 'abc def',
    marks: [
      { start: 3, end: 7, kind: 'struck' },
      { start: 0, end: 3, kind: 'struck' },
      { start: 2, end: 5, kind: 'inserted' },
    ],
  }).blocks;
  expect(block?.marks).toEqual([
    { start: 0, end: 7, kind: 'struck' },
    { start: 2, end: 5, kind: 'inserted' },
  ]);
});

it('uses an element where tildes would not open or close between a word and punctuation', () => {
  const tree = treeOf({ type: 'paragraph', text: 'fee(old)new', marks: [{ start: 3, end: 8, kind: 'struck' }] });
  expect(toMarkdown(tree)).toBe('fee<del>(old)</del>new\n');
});
