import { describe, expect, it } from 'vitest';
import { reader } from './doc.ts';
import { docxParts, paragraph } from '../../office/testing/docx-parts.ts';
import { outline, pack, parseBytes } from '../../office/testing/parse-parts.ts';
import { nest, numbers, record } from '../../office/testing/ppt-file.ts';
import { container, plc, word6File, word97File } from '../../office/testing/word-file.ts';
import type { TestParagraph } from '../../office/testing/word-file.ts';

const read = async (bytes: Uint8Array): Promise<string[]> => outline((await parseBytes(reader, bytes, 'doc')).blocks);

const IN_TABLE = Buffer.from([0x16, 0x24, 1]);
const ENDS_ROW = Buffer.from([0x16, 0x24, 1, 0x17, 0x24, 1]);
const cell = (text: string): TestParagraph => ({ text, end: '\u0007', properties: IN_TABLE });

/** Returns the end mark of a row with the edges of its cells in twips. */
function rowEnd(...edges: number[]): TestParagraph {
  const definition = Buffer.alloc(2 + 2 + 1 + edges.length * 2);
  definition.writeUInt16LE(0xd608, 0);
  definition.writeUInt16LE(edges.length * 2 + 2, 2);
  definition.writeUInt8(edges.length - 1, 4);
  edges.forEach((edge, index) => definition.writeInt16LE(edge, 5 + index * 2));
  return { text: '', end: '\u0007', properties: Buffer.concat([ENDS_ROW, definition]) };
}

describe('doc of Word 97', () => {
  it('reads paragraphs in any script, headings by style and by outline level', async () => {
    const outlineLevel = Buffer.from([0x40, 0x26, 1]);
    const file = word97File([
      { text: 'Überschrift', style: 1 },
      { text: 'Second', properties: outlineLevel },
      { text: 'текст 漢字' },
    ]);
    expect(await read(file)).toEqual(['heading 1: Überschrift', 'heading 2: Second', 'paragraph: текст 漢字']);
  });

  it('links the result of hyperlink fields and drops instructions', async () => {
    const field = '\u0013 HYPERLINK "https://example.org/" \u0014here\u0015';
    const { blocks } = await parseBytes(reader, word97File([{ text: `see ${field} now` }]), 'doc');
    expect(blocks).toEqual([
      { type: 'paragraph', text: 'see here now', links: [{ start: 4, end: 8, href: 'https://example.org/' }] },
    ]);
  });

  it('reads tables, with column spans from the edges of cells', async () => {
    const file = word97File([
      { text: 'before' },
      cell('wide'),
      cell('c'),
      rowEnd(0, 2000, 3000),
      cell('1'),
      cell('2'),
      cell('3'),
      rowEnd(0, 1000, 2000, 3000),
      { text: 'after' },
    ]);
    expect(await read(file)).toEqual(['paragraph: before', 'table: wide<1x2> | c / 1 | 2 | 3', 'paragraph: after']);
  });

  it('puts text boxes, also grouped ones, after their anchor paragraph, and those without an anchor last', async () => {
    const anchor = (shape: number): Buffer => Buffer.concat([numbers(shape), Buffer.alloc(22)]);
    const box = (shape: number): Buffer => Buffer.concat([Buffer.alloc(14), numbers(shape), Buffer.alloc(4)]);
    const member = (number: number): Buffer => nest(0xf004, record(0xf00a, numbers(number, 0)));
    const group = nest(0xf003, member(1), nest(0xf003, member(30), nest(0xf003, member(31), member(32)), member(33)));
    const drawings = Buffer.concat([nest(0xf000), Buffer.of(0), nest(0xf002, group)]);
    const texts = ['one\b.', 'two\b.', 'three.', 'first', 'grouped', 'lost', 'mark'];
    const file = word97File(
      texts.map((text) => ({ text })),
      0,
      {
        lengths: { 6: 24 },
        tables: [
          [40, plc([3, 9, 20], anchor(20), anchor(30))],
          [50, drawings],
          [56, plc([0, 6, 14, 19, 24], box(20), box(32), box(77), box(0))],
        ],
      },
    );
    expect(await read(file)).toEqual(
      ['one.', 'first', 'two.', 'grouped', 'three.', 'lost'].map((text) => `paragraph: ${text}`),
    );
  });

  it('names the authors of comments', async () => {
    const reference = (author: number): Buffer => {
      const bytes = Buffer.alloc(30);
      bytes.writeUInt16LE(author, 20);
      return bytes;
    };
    const name = (text: string): Buffer => Buffer.concat([Buffer.of(text.length, 0), Buffer.from(text, 'utf16le')]);
    const file = word97File([{ text: 'body' }, { text: 'why?' }, { text: 'so!' }, { text: '' }], 0, {
      lengths: { 4: 10 },
      tables: [
        [4, plc([1, 2, 5], reference(1), reference(9))],
        [5, plc([0, 5, 9, 10])],
        [36, Buffer.concat([name('Ann'), name('Bo')])],
      ],
    });
    expect(await read(file)).toEqual(['paragraph: body', 'footnote: Comment (Bo): why?', 'footnote: Comment: so!']);
  });

  it('calls protected files encrypted', async () => {
    await expect(read(word97File([{ text: 'x' }], 0x0100))).rejects.toMatchObject({ type: 'encrypted' });
  });

  it('calls truncated files, and files with tables outside of the file, corrupt', async () => {
    const file = word97File([{ text: 'x'.repeat(3000) }]);
    await expect(read(file.subarray(0, 1500))).rejects.toMatchObject({ type: 'corrupt' });
    const empty = Buffer.alloc(4096);
    empty.writeUInt16LE(0xa5ec, 0);
    empty.writeUInt16LE(193, 2);
    empty.writeUInt32LE(0x7fffffff, 0x9a + 33 * 8);
    empty.writeUInt32LE(100, 0x9a + 33 * 8 + 4);
    await expect(read(container({ WordDocument: empty, '0Table': empty }))).rejects.toMatchObject({ type: 'corrupt' });
  });
});

describe('doc of Word 6', () => {
  it("reads 8-bit text in the code page of the document's language, and tables by the old codes", async () => {
    const paragraphs: TestParagraph[] = [
      { text: 'Hello' },
      { text: 'a', end: '\u0007', properties: Buffer.from([24, 1]) },
      { text: 'b', end: '\u0007', properties: Buffer.from([24, 1]) },
      { text: '', end: '\u0007', properties: Buffer.from([24, 1, 25, 1]) },
    ];
    // "Мир" and an exclamation mark in windows-1251, padded to the length of "Hello".
    const bytes = Buffer.concat([
      Buffer.from([0xcc, 0xe8, 0xf0, 0x21, 0x21, 0x0d]),
      Buffer.from('a\u0007b\u0007\u0007', 'latin1'),
    ]);
    expect(await read(word6File(paragraphs, 0x0419, bytes))).toEqual(['paragraph: Мир!!', 'table: a | b']);
  });
});

describe('doc under another format', () => {
  it('reads a docx by this name', async () => {
    expect(await read(pack(docxParts(paragraph('really docx'))))).toEqual(['paragraph: really docx']);
  });
});
