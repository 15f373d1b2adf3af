import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { approximateTokenCounter } from './approximate-token-counter.ts';
import { chunkTree } from './chunk-tree.ts';

const chunksOf = (blocks: BlockDraft[], maxTokens = 60) =>
  chunkTree(
    finishTree({ blocks, pageCount: null, title: null, warnings: [] }, null),
    { maxTokens, overlapTokens: 0 },
    approximateTokenCounter,
  ).map(({ headings, text }) => ({ headings, text }));
const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text });
const table = (rowCount: number): BlockDraft => ({
  type: 'table',
  rows: Array.from({ length: rowCount + 1 }, (_, row) =>
    ['Item', '2019'].map((name, column) => ({
      text: row === 0 ? name : column === 0 ? `Item number ${row}` : `${row}00`,
      rowSpan: 1,
      colSpan: 1,
      header: row === 0,
    })),
  ),
});

test('every part of a table names the title above it', () => {
  const chunks = chunksOf([
    paragraph('The company sells paper.'),
    paragraph('CONSOLIDATED BALANCE SHEETS'),
    { type: 'pageBreak' },
    paragraph('(in millions)'),
    table(12),
    paragraph('The notes are part of these statements.'),
  ]);
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.map(({ headings }) => headings)).toEqual([
    [],
    ...chunks.slice(1, -1).map(() => ['CONSOLIDATED BALANCE SHEETS']),
    [],
  ]);
  expect(chunks[1]?.text).toMatch(/^CONSOLIDATED BALANCE SHEETS\n\n\(in millions\)\n\nItem \| 2019\nItem number 1/u);
  expect(chunks.at(-1)?.text).toBe('The notes are part of these statements.');
});

test.each([
  ['a name and a statement', ['Acme Corp', 'Statements of income'], 'Acme Corp, Statements of income'],
  ['a label with a colon', ['Fees for members:'], 'Fees for members'],
])('%s above a table are its title', (_, lines, title) => {
  expect(chunksOf([...lines.map(paragraph), table(1)])).toEqual([
    { headings: [title], text: `${lines.join('\n\n')}\n\nItem | 2019\nItem number 1 | 100` },
  ]);
});

test('of more than three lines only the nearest is the title', () => {
  const lines = ['Acme Ltd', '12 Main Street', 'Bristol', 'Items delivered'];
  expect(chunksOf([...lines.map(paragraph), table(1)])).toEqual([
    { headings: [], text: 'Acme Ltd\n\n12 Main Street\n\nBristol' },
    { headings: ['Items delivered'], text: 'Items delivered\n\nItem | 2019\nItem number 1 | 100' },
  ]);
});

test.each([
  ['a sentence', ['A late book costs ten cents a day.']],
  ['a title with a sentence below it', ['Fees', 'A late book costs ten cents a day.']],
  ['a note in brackets', ['(in millions)']],
])('%s above a table is no title', (_, lines) => {
  expect(chunksOf([...lines.map(paragraph), table(1)]).map(({ headings }) => headings)).toEqual([[]]);
});
