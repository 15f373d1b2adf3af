import { describe, expect, it } from 'vitest';
import { reader } from './ppt.ts';
import { outline, parseBytes } from './testing/parse-parts.ts';
import {
  cell,
  list,
  nest,
  numbers,
  persist,
  presentation,
  record,
  shape,
  slide,
  table,
  text,
} from './testing/ppt-file.ts';
import { container } from './testing/word-file.ts';

const document = nest(
  1000,
  record(1001, numbers(1000, 800)),
  list(0, persist(2, 256), text(0, 'First title'), text(1, 'one\rtwo'), persist(3, 257)),
  list(2, persist(4, 900)),
);
const firstSlide = slide(
  900,
  shape(text(4, 'below'), 500, 100, 900, 700),
  shape(record(3998, numbers(1)), 200, 100, 900, 400),
  shape(record(3998, numbers(0)), 0, 100, 900, 100),
);
const secondSlide = slide(0, shape(text(6, 'Second\rtitle'), 0, 0, 900, 100));
const notes = nest(
  1008,
  nest(1036, nest(0xf002, nest(0xf003, nest(0xf004), shape(text(2, 'Say hello'), 0, 0, 10, 10)))),
);

describe('ppt', () => {
  it('reads slides in order with titles, bullets from the outline, places and notes', async () => {
    const parsed = await parseBytes(reader, presentation([document, firstSlide, secondSlide, notes]), 'ppt');
    expect(outline(parsed.blocks)).toEqual([
      'heading 1: First title',
      'list: ',
      '  listItem 1: one',
      '  listItem 1: two',
      'paragraph: below',
      'footnote: Notes: Say hello',
      'heading 1: Second title',
    ]);
    expect(parsed.pageCount).toBe(2);
    expect(parsed.blocks[2]).toMatchObject({ page: 1, bbox: [0.1, 0.625, 0.9, 0.875] });
    expect(parsed.blocks[4]).toMatchObject({ page: 2 });
  });

  it('reads tables with their spans and blank places, in reading order with the texts around them', async () => {
    const cells = [
      cell('Wide', 100, 200, 500, 300),
      cell('Third', 500, 200, 700, 300),
      cell('Tall', 100, 300, 300, 500),
      cell('b1\rmore', 300, 300, 500, 400),
      cell('', 500, 300, 700, 400),
      cell('b2', 300, 400, 500, 500),
    ];
    const shown = slide(
      0,
      shape(text(4, 'below'), 600, 100, 900, 700),
      table(cells, [200, 100, 700, 500]),
      shape(text(4, 'above'), 0, 100, 900, 100),
    );
    const parsed = await parseBytes(
      reader,
      presentation([nest(1000, record(1001, numbers(1000, 800)), list(0, persist(2, 256))), shown]),
      'ppt',
    );
    expect(outline(parsed.blocks)).toEqual([
      'paragraph: above',
      'table: Wide<1x2> | Third / Tall<2x1> | b1\nmore |  / b2 | ',
      'paragraph: below',
    ]);
  });

  it('reads hyperlinks over words, and leaves out marks for numbers and dates', async () => {
    const target = (instance: number): Buffer =>
      record(4026, Buffer.from('https://example.org/', 'utf16le'), instance << 4);
    const objects = nest(1033, nest(4055, record(4051, numbers(7)), target(0), target(1)));
    const linked = Buffer.concat([
      text(4, 'first\rsee the page now'),
      nest(4082, record(4083, numbers(0, 7, 0, 0))),
      record(4063, numbers(10, 18)),
    ]);
    const number = Buffer.concat([text(4, '*'), record(4056, numbers(0))]);
    const shown = slide(0, shape(linked, 0, 0, 9, 9), shape(number, 20, 0, 9, 29));
    const parsed = await parseBytes(
      reader,
      presentation([nest(1000, objects, list(0, persist(2, 256))), shown]),
      'ppt',
    );
    expect(parsed.blocks.map(({ text: shownText, links }) => [shownText, links])).toEqual([
      ['first', undefined],
      ['see the page now', [{ start: 4, end: 12, href: 'https://example.org/' }]],
    ]);
  });

  it('reads the slides as they lie when the directory is lost', async () => {
    const stream = Buffer.concat([secondSlide, slide(0, shape(text(4, 'text'), 0, 0, 9, 9)), Buffer.alloc(4096)]);
    const parsed = await parseBytes(reader, container({ 'PowerPoint Document': stream }), 'ppt');
    expect(outline(parsed.blocks)).toEqual(['heading 1: Second title', 'paragraph: text']);
    expect(parsed.warnings).toEqual([
      'The order of the slides is damaged; they are in the order in which they were saved',
    ]);
  });

  it('calls a protected presentation encrypted, one of PowerPoint 95 unsupported, and others corrupt', async () => {
    await expect(parseBytes(reader, presentation([document], 0xf3d1c4df), 'ppt')).rejects.toMatchObject({
      type: 'encrypted',
    });
    await expect(parseBytes(reader, container({ PP40: Buffer.alloc(4096) }), 'ppt')).rejects.toMatchObject({
      type: 'unsupported',
    });
    await expect(parseBytes(reader, container({ Other: Buffer.alloc(4096) }), 'ppt')).rejects.toMatchObject({
      type: 'corrupt',
    });
    await expect(parseBytes(reader, new Uint8Array(3), 'ppt')).rejects.toMatchObject({ type: 'corrupt' });
  });
});
