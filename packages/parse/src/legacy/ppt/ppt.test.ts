import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reader } from './ppt.ts';
import { outline, parseBytes } from '../../office/testing/parse-parts.ts';
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
} from '../../office/testing/ppt-file.ts';
import { container } from '../../office/testing/word-file.ts';

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
  it('reads the data of Microsoft Graph charts at the position of the chart', async () => {
    const biff = (type: number, ...bytes: number[]): Buffer => {
      const header = Buffer.alloc(4);
      header.writeUInt16LE(type, 0);
      header.writeUInt16LE(bytes.length, 2);
      return Buffer.concat([header, Buffer.from(bytes)]);
    };
    const label = (row: number, column: number, name: string): Buffer =>
      biff(4, row, 0, column, 0, 0, 0, 0, name.length, 0, ...Buffer.from(name));
    const value = (row: number, column: number, number: number): Buffer => {
      const double = Buffer.alloc(8);
      double.writeDoubleLE(number);
      return biff(3, row, 0, column, 0, 0, 0, 0, ...double);
    };
    const workbook = Buffer.concat([
      biff(0x0809, 0x80, 6, 0, 0x80),
      value(0, 1, 2002),
      label(1, 0, 'Boats'),
      value(1, 1, 12.5),
      Buffer.alloc(4096),
    ]);
    const object = Buffer.from(container({ Workbook: workbook }));
    const storage = record(4113, Buffer.concat([numbers(object.length), deflateSync(object)]), 1 << 4);
    const embedded = nest(4044, record(4035, numbers(1, 0, 7, 4, 3, 0)));
    const shown = (id: number, ...anchor: number[]): Buffer =>
      nest(0xf004, record(0xf010, numbers(...anchor)), nest(0xf011, record(3009, numbers(id))));
    const graphed = slide(
      0,
      shown(7, 300, 100, 900, 400),
      shown(8, 0, 0, 9, 9),
      shape(text(4, 'above'), 0, 100, 900, 200),
    );
    const whole = nest(1000, record(1001, numbers(1000, 800)), nest(1033, embedded), list(0, persist(2, 256)));
    const { blocks } = await parseBytes(reader, presentation([whole, graphed, storage]), 'ppt');
    expect(outline(blocks)).toEqual(['paragraph: above', 'table: * | *2002 / Boats | 12.5']);
    const damaged = record(4113, Buffer.from('0000000099', 'hex'), 1 << 4);
    const without = await parseBytes(reader, presentation([whole, graphed, damaged]), 'ppt');
    expect(outline(without.blocks)).toEqual(['paragraph: above']);
  });

  it('reads slides in order with titles, bullets from the outline, positions and notes', async () => {
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
    const { page, bbox } = parsed.blocks[1] ?? {};
    expect(parsed.blocks[1]?.children).toMatchObject([
      { text: 'one', page, bbox },
      { text: 'two', page, bbox },
    ]);
  });

  it('reads tables with spans and blank cells, in reading order with the texts around them', async () => {
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

  it('reads hyperlinks over words, and leaves out placeholders of numbers and dates', async () => {
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

  it('reads the slides in stream order if the directory is missing', async () => {
    const stream = Buffer.concat([secondSlide, slide(0, shape(text(4, 'text'), 0, 0, 9, 9)), Buffer.alloc(4096)]);
    const parsed = await parseBytes(reader, container({ 'PowerPoint Document': stream }), 'ppt');
    expect(outline(parsed.blocks)).toEqual(['heading 1: Second title', 'paragraph: text']);
    expect(parsed.warnings).toEqual([
      {
        type: 'simplified',
        message: 'The order of the slides is damaged; they are in the order in which they were saved',
        pages: [],
      },
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
