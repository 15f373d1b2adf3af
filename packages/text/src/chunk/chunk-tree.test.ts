import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockDraft, DocumentTree } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { ownText, walkBlocks } from '@quire/blocks/walk';
import { approximateTokenCounter } from './approximate-token-counter.ts';
import { chunkTree } from './chunk-tree.ts';

const treeOf = (blocks: BlockDraft[]): DocumentTree =>
  finishTree({ blocks, pageCount: null, title: null, warnings: [] }, null);
const chunksOf = (blocks: BlockDraft[], maxTokens = 320, overlapTokens = 0) =>
  chunkTree(treeOf(blocks), { maxTokens, overlapTokens }, approximateTokenCounter);
const heading = (level: number, text: string): BlockDraft => ({ type: 'heading', level, text });
const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text });
const row = (...texts: string[]) => cells(texts);
const cells = (texts: readonly string[]) => texts.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: false }));
const header = (...texts: string[]) => row(...texts).map((cell) => ({ ...cell, header: true }));
const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');

const text = fc
  .array(
    fc.constantFrom(
      'word',
      'Longerword',
      '.',
      '. ',
      ' ',
      '\n',
      '漢',
      '字。',
      'ไทยภาษา',
      '한국',
      '😀',
      'e\u0301',
      '12345',
      'x'.repeat(70),
      ',',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const leaf: fc.Arbitrary<BlockDraft> = fc.oneof(
  fc.record({
    type: fc.constantFrom('paragraph', 'code', 'quote', 'figure', 'caption', 'formula', 'footnote', 'formField'),
    text,
  }),
  fc.record({ type: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 4 }), text }),
  fc
    .array(
      fc.array(
        fc.record({
          text,
          rowSpan: fc.integer({ min: 1, max: 3 }),
          colSpan: fc.integer({ min: 1, max: 3 }),
          header: fc.boolean(),
        }),
        { maxLength: 4 },
      ),
      { maxLength: 6 },
    )
    .map((rows): BlockDraft => ({ type: 'table', rows })),
);
const { block } = fc.letrec<{ block: BlockDraft }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({
      type: fc.constant('list' as const),
      ordered: fc.boolean(),
      children: fc.array(
        fc.record({ type: fc.constant('listItem' as const), text, children: fc.array(tie('block'), { maxLength: 2 }) }),
        { maxLength: 3 },
      ),
    }),
  ),
}));
const lettersOf = (value: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const letter of value.replace(/\s/g, '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
};

describe('chunkTree', () => {
  it('keeps every character, exceeds no limit and numbers the chunks, for any tree', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 8 }),
        fc.integer({ min: 8, max: 60 }),
        fc.integer({ min: 0, max: 20 }),
        (drafts, maxTokens, overlapTokens) => {
          const tree = treeOf(drafts);
          const chunks = chunkTree(tree, { maxTokens, overlapTokens }, approximateTokenCounter);
          const said = lettersOf(chunks.map((chunk) => chunk.text + chunk.headings.join('')).join(''));
          const written = lettersOf([...walkBlocks(tree.blocks)].map(ownText).join(''));
          for (const [letter, count] of written) expect(said.get(letter) ?? 0, letter).toBeGreaterThanOrEqual(count);
          const ids = new Set([...walkBlocks(tree.blocks)].map((it) => it.id));
          chunks.forEach((chunk, index) => {
            expect(chunk.ordinal).toBe(index);
            expect(chunk.tokenCount).toBe(approximateTokenCounter.count(chunk.text));
            expect(chunk.tokenCount).toBeLessThanOrEqual(maxTokens);
            expect(chunk.text.trim()).toBe(chunk.text);
            expect(chunk.text).not.toBe('');
            expect(/\p{Surrogate}/u.test(chunk.text)).toBe(false);
            expect(chunk.blockIds.length).toBeGreaterThan(0);
            expect(chunk.blockIds.every((id) => ids.has(id))).toBe(true);
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('includes a header whose column is empty in all rows, when rows are divided by cells', () => {
    const cell = (text: string, header: boolean) => ({ text, rowSpan: 1, colSpan: 1, header });
    const rows = [[cell('', false), cell('word', true)], [cell('x'.repeat(80), false)]];
    const chunks = chunkTree(
      treeOf([{ type: 'table', rows }]),
      { maxTokens: 8, overlapTokens: 0 },
      approximateTokenCounter,
    );
    expect(chunks.some((chunk) => chunk.text.includes('word'))).toBe(true);
  });

  it('joins consecutive blocks of a section and names the headings above', () => {
    const chunks = chunksOf([
      heading(1, 'Guide'),
      paragraph(`Intro ${words(80)}`),
      heading(2, 'Setup'),
      paragraph(`One ${words(90)}.`),
      paragraph('Two.'),
    ]);
    expect(chunks.map((chunk) => [chunk.headings, chunk.text.slice(0, 5), chunk.blockIds])).toEqual([
      [['Guide'], 'Intro', ['b3']],
      [['Guide', 'Setup'], 'One w', ['b6', 'b7']],
    ]);
    expect(chunks[1]?.text.endsWith('.\n\nTwo.')).toBe(true);
  });

  it('makes chunks of a document that has only headings', () => {
    expect(
      chunksOf([heading(1, 'A'), heading(2, 'B'), heading(2, 'C'), heading(1, 'D')]).map((it) => [
        it.headings,
        it.text,
      ]),
    ).toEqual([
      [['A'], 'B\nC'],
      [[], 'D'],
    ]);
  });

  it('joins very small sections of one parent, but never top-level ones', () => {
    const chunks = chunksOf([
      heading(1, 'FAQ'),
      heading(2, 'Who?'),
      paragraph('Us.'),
      heading(2, 'When?'),
      paragraph('Now.'),
      heading(1, 'End'),
      paragraph('Bye.'),
    ]);
    expect(chunks.map((it) => [it.headings, it.text, it.blockIds])).toEqual([
      [['FAQ'], 'Who?\nUs.\n\nWhen?\nNow.', ['b4', 'b5', 'b7', 'b8']],
      [['End'], 'Bye.', ['b11']],
    ]);
  });

  it('repeats the header in each part of a table and keeps rows whole', () => {
    const rows = Array.from({ length: 40 }, (_, n) => row(`name ${n}`, `value ${n}`));
    const chunks = chunksOf([{ type: 'table', rows: [header('Name', 'Value'), ...rows] }], 60);
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) {
      const [first, ...lines] = chunk.text.split('\n');
      expect(first).toBe('Name | Value');
      expect(lines.every((line) => /^name (\d+) \| value \1$/.test(line))).toBe(true);
    }
    expect(chunks.flatMap((it) => it.text.split('\n').slice(1))).toHaveLength(40);
  });

  it('names the columns in every part of a row that is too long for a chunk', () => {
    const chunks = chunksOf([{ type: 'table', rows: [header('Id', 'Story'), row('7', words(100))] }], 40);
    expect(chunks[0]?.text).toBe('Id: 7');
    expect(chunks).toHaveLength(4);
    expect(chunks.slice(1).every((it) => it.text.startsWith('Story: word'))).toBe(true);
  });

  it('divides a row of hundreds of thousands of cells', () => {
    const chunks = chunksOf([{ type: 'table', rows: [cells(Array.from({ length: 300_000 }, () => 'a'))] }]);
    expect(chunks.map((it) => it.text.split('\n').length).reduce((sum, count) => sum + count, 0)).toBe(300_000);
  });

  it('repeats row-spanning cells so that each row is complete', () => {
    const span = { text: 'Q1', rowSpan: 2, colSpan: 1, header: false };
    expect(chunksOf([{ type: 'table', rows: [[span, ...row('Jan')], row('Feb')] }])[0]?.text).toBe(
      'Q1 | Jan\nQ1 | Feb',
    );
  });

  it('cuts long paragraphs between sentences and starts the next chunk with the last sentence', () => {
    const sentence = (n: number): string => `Sentence ${n} ${words(8)}.`;
    const chunks = chunksOf([paragraph(Array.from({ length: 9 }, (_, n) => sentence(n)).join(' '))], 45, 15);
    expect(chunks[0]?.text).toBe(`${sentence(0)} ${sentence(1)} ${sentence(2)}`);
    expect(chunks[1]?.text.startsWith(`${sentence(2)} ${sentence(3)}`)).toBe(true);
  });

  it('cuts Chinese after its own full stops and Thai between words', () => {
    expect(chunksOf([paragraph('今天天气很好。我们去公园散步。晚上回家吃饭。')], 8).map((it) => it.text)).toEqual([
      '今天天气很好。',
      '我们去公园散步。',
      '晚上回家吃饭。',
    ]);
    const thai = 'สวัสดีชาวโลกภาษาไทย'.repeat(10);
    const starts = new Set([...new Intl.Segmenter('th', { granularity: 'word' }).segment(thai)].map((it) => it.index));
    let offset = 0;
    for (const chunk of chunksOf([paragraph(thai)], 30)) {
      expect(starts.has(offset)).toBe(true);
      offset += chunk.text.length;
    }
  });

  it('cuts code between lines and lists between items', () => {
    const lines = Array.from({ length: 12 }, (_, n) => `  call${n}(a, b);`);
    const code = chunksOf([{ type: 'code', text: lines.join('\n') }], 30);
    expect(code.flatMap((it) => it.text.split('\n').map((line) => line.trim()))).toEqual(
      lines.map((line) => line.trim()),
    );
    const item = (text: string): BlockDraft => ({ type: 'listItem', text });
    const list: BlockDraft = {
      type: 'list',
      ordered: true,
      children: [item('one two'), { ...item('three'), children: [{ type: 'list', children: [item('deep')] }] }],
    };
    expect(chunksOf([list])[0]?.text).toBe('1. one two\n2. three\n  - deep');
  });

  it('marks the place of a chunk with a box per column, and a whole page for pages without boxes', () => {
    const at = (page: number, bbox?: [number, number, number, number]): BlockDraft => ({
      type: 'paragraph',
      text: 'x',
      page,
      ...(bbox ? { bbox } : {}),
    });
    expect(
      chunksOf([at(1, [0.1, 0.1, 0.4, 0.2]), at(1, [0.1, 0.21, 0.4, 0.3]), at(1, [0.6, 0.1, 0.9, 0.2]), at(2)])[0]
        ?.boxes,
    ).toEqual([
      { page: 1, bbox: [0.1, 0.1, 0.4, 0.3] },
      { page: 1, bbox: [0.6, 0.1, 0.9, 0.2] },
      { page: 2, bbox: [0, 0, 1, 1] },
    ]);
  });

  it('keeps an over-long heading whole in the chunk', () => {
    const long = words(120, 'title');
    const [chunk] = chunksOf([heading(1, long), paragraph('Text.')], 400);
    expect(chunk?.text).toBe(`${long}\n\nText.`);
    expect(chunk?.headings[0]).toHaveLength(201);
  });
});
