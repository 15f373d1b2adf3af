import { describe, expect, it } from 'vitest';
import type { BlockDraft, TableCell } from './block.ts';
import { finishTree } from './finish-tree.ts';
import { repeatedTexts, tableGrid } from './table-grid.ts';
import { boundSpans, maxGridPositions } from './table-spans.ts';
import { toHtml } from './to-html.ts';
import { toMarkdown } from './to-markdown.ts';

const cell = (text: string, colSpan = 1, rowSpan = 1): TableCell => ({ text, colSpan, rowSpan, header: false });
const rowsOf = (count: number, row: (at: number) => TableCell[]): TableCell[][] =>
  Array.from({ length: count }, (_, at) => row(at));
const treeOf = (...blocks: BlockDraft[]) => finishTree({ blocks, pageCount: null, title: null, warnings: [] }, 'en');
const tableTree = (rows: TableCell[][]) => treeOf({ type: 'table', rows });

/** A row of 1,000 cells that span all later rows, and 5,000 rows of one cell. */
const tall = [rowsOf(1000, (at) => [cell(`${at}`, 1, 65_534)]).flat(), ...rowsOf(5000, (at) => [cell(`row ${at}`)])];
/** 5,000 rows of one cell over 1,000 columns, and a row of 1,000 cells. */
const crossed = [...rowsOf(5000, (at) => [cell(`row ${at}`, 1000)]), rowsOf(1000, (at) => [cell(`${at}`)]).flat()];

describe('spans of tables', () => {
  it('stay as they are in a table of the usual size', () => {
    const rows = [[cell('a', 50, 2), cell('b')], [cell('c')], [cell('d', 51)]];
    expect(boundSpans(rows)).toBe(rows);
    expect(tableTree(rows).warnings).toEqual([]);
  });

  it('shrink to the columns in which a cell begins', () => {
    const rows = rowsOf(23_000, (at) => [cell(`${at}`, 500), cell('b', 500)]);
    expect(maxGridPositions(rows)).toBe(10_000 + 32 * 46_000);
    const bounded = boundSpans(rows);
    expect(bounded.slice(0, 2)).toEqual([
      [cell('0'), cell('b')],
      [cell('1'), cell('b')],
    ]);
    expect(tableGrid(rows).reduce((sum, line) => sum + line.length, 0)).toBe(46_000);
  });

  it.each([
    ['rows', tall],
    ['columns', crossed],
  ])('are left out where cells span far more %s than there are cells', (_, rows) => {
    expect(boundSpans(rows).flat()).toEqual(rows.flat().map(({ text }) => cell(text)));
    expect(tableGrid(rows).reduce((sum, line) => sum + line.length, 0)).toBe(6000);
  });

  it('are left out where laying out alone would take too long', () => {
    const rows = rowsOf(3000, () => rowsOf(3, () => [cell('x', 1000, 3)]).flat());
    expect(boundSpans(rows).flat()).toEqual(rows.flat().map(() => cell('x')));
  });

  it('are stored bounded, with a warning', () => {
    const tree = tableTree(crossed);
    expect(tree.blocks[0]?.rows?.[0]).toEqual([cell('row 0')]);
    expect(tree.warnings).toEqual([
      {
        type: 'simplified',
        message: 'Cells of a table span far more rows or columns than it has: their spans were reduced',
        pages: [],
      },
    ]);
  });
});

describe('renderings of tables', () => {
  it('write each cell of spans without measure once, also from a tree that was stored before', () => {
    for (const rows of [tall, crossed]) {
      const tree = { ...treeOf(), blocks: [{ id: 'b1', type: 'table' as const, rows }] };
      const text = rows.flat().reduce((sum, each) => sum + each.text.length, 0);
      const markdown = toMarkdown(tree);
      expect(markdown.match(/row 4999/g)).toHaveLength(1);
      expect(markdown.length).toBeLessThan(text + 6000 * 3 + 6000 * 2 + 1000 * 10);
      const html = toHtml(tree);
      expect(html.match(/row 4999/g)).toHaveLength(1);
      expect(html).not.toContain('span=');
    }
  });

  it('end the rows of a ragged table with their last cell once filling would multiply it', () => {
    const wide = [rowsOf(3000, (at) => [cell(`${at % 10}`)]).flat(), ...rowsOf(3000, () => [cell('a')])];
    const lines = toMarkdown(tableTree(wide)).split('\n');
    expect(lines[0]?.split(' | ')).toHaveLength(3000);
    expect(lines[2]).toBe('| a |');
    const narrow = [[cell('1'), cell('2'), cell('3')], [cell('a')]];
    expect(toMarkdown(tableTree(narrow))).toBe('| 1 | 2 | 3 |\n| --- | --- | --- |\n| a |  |  |\n');
  });

  it('repeat short texts of spanning cells up to the length of the table and 10,000 characters', () => {
    const label = 'l'.repeat(100);
    const rows = [[cell(label, 1, 1000), cell('0')], ...rowsOf(999, () => [cell('0')])];
    const own = 100 + 1000;
    expect(toMarkdown(tableTree(rows)).match(/l{100}/g)).toHaveLength(1 + Math.floor((10_000 + own) / 100));
    const may = repeatedTexts([[cell('ab')]], 2);
    expect([may({ cell: cell('ab'), origin: false }), may({ cell: cell('abc'), origin: false })]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a bounded rendering', () => {
  const nested = (depth: number): BlockDraft =>
    depth === 0
      ? { type: 'paragraph', text: 'a\n'.repeat(1000) }
      : { type: 'list', children: [{ type: 'listItem', children: [nested(depth - 1)] }] };
  const trees = {
    paragraphs: treeOf(...Array.from({ length: 300 }, () => ({ type: 'paragraph' as const, text: 'abcd' }))),
    quotes: treeOf({ type: 'quote', text: 'a\n'.repeat(500) }),
    lists: treeOf(nested(15)),
    tables: tableTree(rowsOf(100, () => [cell('abcd'), cell('efgh')])),
    code: treeOf({ type: 'code', text: 'abcd\n'.repeat(200) }),
  };

  it.each(Object.entries(trees))('ends where it is longer than its limit: %s', (_, tree) => {
    for (const render of [toMarkdown, toHtml]) {
      const whole = render(tree);
      expect(render(tree, whole.length)).toBe(whole);
      const limit = Math.floor(whole.length * 0.5);
      const error = { type: 'too_large', message: `The rendering is longer than ${limit} characters` };
      expect(() => render(tree, limit)).toThrow(expect.objectContaining(error));
    }
  });
});
