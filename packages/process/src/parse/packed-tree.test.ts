import { expect, test } from 'vitest';
import type { Block, DocumentTree, TableCell } from '@quire/blocks/block';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { packTree, unpackTree, unpackWholeTree } from './packed-tree.ts';

const cell = (text: string): TableCell => ({ text, rowSpan: 1, colSpan: 1, header: false });
const table = (rows: number, columns: number): TableCell[][] =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => cell(`${row} ${column}`)));
const treeOf = (...blocks: Block[]): DocumentTree => ({
  version: 1,
  title: 'Two\nlines',
  language: 'en',
  pageCount: null,
  warnings: [],
  blocks,
});

const nested = treeOf(
  {
    id: 'b1',
    type: 'section',
    children: [
      { id: 'b2', type: 'heading', level: 1, text: 'A\nÜ' },
      { id: 'b3', type: 'section', children: [{ id: 'b4', type: 'paragraph', text: '1' }] },
      { id: 'b5', type: 'table', rows: table(1003, 3), children: [{ id: 'b6', type: 'caption', text: '2' }] },
    ],
  },
  { id: 'b7', type: 'table', rows: [] },
  { id: 'b8', type: 'paragraph', text: '3' },
);

test.each([
  ['nothing', treeOf()],
  ['sections and tables', nested],
])('a tree of %s is the same after packing', async (_, tree) => {
  const packed = packTree(tree);
  expect(unpackWholeTree(packed)).toEqual(tree);
  expect(await unpackTree(packed, new EventLoopTurns(new AbortController().signal))).toEqual(tree);
});

test('no line holds more than 500 cells of a table', () => {
  const lines = packTree(nested).toString().split('\n');
  expect(lines.map((line) => line.split('"rowSpan"').length - 1).filter((cells) => cells > 0)).toEqual([
    501, 501, 501, 501, 501, 501, 3,
  ]);
});

test('an abort ends the reading', async () => {
  const controller = new AbortController();
  controller.abort(new Error('stopped'));
  const turns = new EventLoopTurns(controller.signal);
  const large = packTree(treeOf({ id: 'b1', type: 'table', rows: table(100_000, 3) }));
  await expect(unpackTree(large, turns)).rejects.toThrow('stopped');
});
