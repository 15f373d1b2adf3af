import { describe, expect, it } from 'vitest';
import type { BlockDraft } from './block.ts';
import { finishTree } from './finish-tree.ts';
import { plainText, walkBlocks } from './walk.ts';

const finish = (blocks: BlockDraft[]) =>
  finishTree({ blocks, pageCount: null, title: null, warnings: [] }, 'en').blocks;
const heading = (level: number, text: string): BlockDraft => ({ type: 'heading', level, text });
const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text });

describe('finishTree', () => {
  it('nests headings into sections, tolerates skipped levels and numbers blocks in reading order', () => {
    const blocks = finish([
      paragraph('0'),
      heading(1, 'A'),
      paragraph('a'),
      heading(4, 'B'),
      heading(2, 'C'),
      heading(1, 'D'),
    ]);
    expect(blocks).toEqual([
      { id: 'b1', type: 'paragraph', text: '0' },
      {
        id: 'b2',
        type: 'section',
        children: [
          { id: 'b3', type: 'heading', level: 1, text: 'A' },
          { id: 'b4', type: 'paragraph', text: 'a' },
          { id: 'b5', type: 'section', children: [{ id: 'b6', type: 'heading', level: 4, text: 'B' }] },
          { id: 'b7', type: 'section', children: [{ id: 'b8', type: 'heading', level: 2, text: 'C' }] },
        ],
      },
      { id: 'b9', type: 'section', children: [{ id: 'b10', type: 'heading', level: 1, text: 'D' }] },
    ]);
  });

  it('collapses white space, keeps line breaks and moves links with their words', () => {
    const text = ' \u0000see  the\r\n\r\n page \u00a0 now ';
    const start = text.indexOf('page');
    const [block] = finish([{ type: 'paragraph', text, links: [{ start: start - 1, end: start + 4, href: '/p' }] }]);
    expect(block).toEqual({
      id: 'b1',
      type: 'paragraph',
      text: 'see the\npage now',
      links: [{ start: 8, end: 12, href: '/p' }],
    });
  });

  it('joins adjacent links to the same address', () => {
    const part = (start: number, end: number, href: string) => ({ start, end, href });
    const links = [part(0, 2, '/a'), part(2, 4, '/a'), part(4, 6, '/b'), part(7, 9, '/b')];
    const [block] = finish([{ type: 'paragraph', text: 'abcdef gh', links }]);
    expect(block?.links).toEqual([part(0, 4, '/a'), part(4, 6, '/b'), part(7, 9, '/b')]);
  });

  it('keeps the layout of code and drops empty blocks', () => {
    const blocks = finish([
      { type: 'code', text: '\n\n  a\n    b\n\n' },
      paragraph(' \n\t'),
      { type: 'list', children: [{ type: 'listItem', text: ' ' }] },
      { type: 'table', rows: [[{ text: ' ', rowSpan: 1, colSpan: 1, header: false }]] },
      heading(1, ''),
    ]);
    expect(blocks).toEqual([{ id: 'b1', type: 'code', text: '  a\n    b' }]);
  });

  it('gathers loose list items into nested lists', () => {
    const item = (level: number, text: string, ordered = false): BlockDraft => ({
      type: 'listItem',
      level,
      text,
      ordered,
    });
    const [list] = finish([item(1, 'a'), item(2, 'a1', true), item(2, 'a2', true), item(1, 'b')]);
    expect(list?.children?.map((child) => child.text)).toEqual(['a', 'b']);
    const inner = list?.children?.[0]?.children?.[0];
    expect([inner?.type, inner?.ordered, inner?.children?.map((child) => child.text)]).toEqual([
      'list',
      true,
      ['a1', 'a2'],
    ]);
  });

  it('clamps spans to the table and to the limit of browsers', () => {
    const [table] = finish([{ type: 'table', rows: [[{ text: 'x', rowSpan: 1e9, colSpan: 1e9, header: false }]] }]);
    expect(table?.rows).toEqual([[{ text: 'x', rowSpan: 1, colSpan: 1000, header: false }]]);
  });

  it('moves the lines of a cell with its normalised text', () => {
    const box = [0.1, 0.1, 0.5, 0.2] as const;
    const cell = { rowSpan: 1, colSpan: 1, header: false, page: 1, box };
    const lines = [
      { start: 1, end: 5, page: 1, box },
      { start: 7, end: 17, page: 1, box },
    ];
    const [table] = finish([{ type: 'table', rows: [[{ ...cell, text: ' Holm  Feldweg  8 ', lines }]] }]);
    expect(table?.rows?.[0]?.[0]).toEqual({
      ...cell,
      text: 'Holm Feldweg 8',
      lines: [
        { start: 0, end: 4, page: 1, box },
        { start: 5, end: 14, page: 1, box },
      ],
    });
  });

  it('flattens nesting that is deeper than 40 levels without losing text', () => {
    let draft = paragraph('core');
    for (let depth = 0; depth < 3000; depth += 1) draft = { type: 'quote', text: `q${depth}`, children: [draft] };
    const blocks = finish([draft]);
    expect(plainText(blocks).split('\n')).toHaveLength(3001);
    const depthOf = (children: readonly { children?: unknown }[], depth = 0): number =>
      children.reduce((most, child) => Math.max(most, depthOf((child.children ?? []) as [], depth + 1)), depth);
    expect(depthOf(blocks)).toBe(40);
    expect([...walkBlocks(blocks)].map((block) => block.id)).toEqual(
      Array.from({ length: 3001 }, (_, n) => `b${n + 1}`),
    );
  });
});
