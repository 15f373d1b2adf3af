import { describe, expect, it } from 'vitest';
import { readDrawings } from './drawings.ts';

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
};
const record = (type: number, ...data: Buffer[]): Buffer => {
  const bytes = Buffer.concat(data);
  return Buffer.concat([words(type, bytes.length), bytes]);
};
const begin = (kind: number, version = 0x0600): Buffer => record(0x0809, words(version, kind));
const end = record(0x000a);

/** Builds a shape over the cell with the given object type. */
const shape = (row: number, column: number, type: number): Buffer =>
  Buffer.concat([
    record(0x00ec, Buffer.from([0, 0, 0x10, 0xf0, 18, 0, 0, 0]), words(0, column, 0, row, 0, 0, 0, 0, 0)),
    record(0x005d, words(0x15, 0x12, type)),
  ]);
const text = (characters: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([record(0x01b6, words(0, 0, 0, 0, 0, characters)), ...parts.map((part) => record(0x003c, part))]);
const narrow = (characters: string): Buffer => Buffer.concat([Buffer.of(0), Buffer.from(characters, 'latin1')]);
const wide = (characters: string): Buffer => Buffer.concat([Buffer.of(1), Buffer.from(characters, 'utf16le')]);

const caption = (name: string): Buffer => record(0x100d, words(0), Buffer.of(name.length), wide(name));
const numberAt = (row: number, column: number, value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value, 0);
  return record(0x0203, words(row, column, 0), bytes);
};
const labelAt = (row: number, column: number, name: string): Buffer =>
  record(0x0204, words(row, column, 0, name.length), narrow(name));
const seriesNamed = (name: string): Buffer =>
  Buffer.concat([record(0x1003), record(0x1033), caption(name), record(0x1034)]);
const title = Buffer.concat([
  record(0x1025),
  record(0x1033),
  caption('Otters'),
  record(0x1027, words(1, 0, 0)),
  record(0x1034),
]);
const values = Buffer.concat([record(0x1065, words(1)), numberAt(0, 0, 1.5), numberAt(1, 0, 2), numberAt(0, 1, 7)]);
const categories = Buffer.concat([record(0x1065, words(2)), labelAt(0, 0, 'north'), labelAt(1, 0, 'south')]);
const chart = Buffer.concat([
  begin(0x0020),
  seriesNamed('Größe'),
  seriesNamed('Second'),
  title,
  values,
  categories,
  end,
]);

function workbook(version: number, ...sheets: Buffer[]): Buffer {
  const bound = sheets.map(() => record(0x0085, Buffer.alloc(8)));
  const globals = Buffer.concat([begin(0x0005, version), ...bound, end]);
  let position = globals.length;
  sheets.forEach((sheet, index) => {
    globals.writeUInt32LE(position, 8 + index * 12 + 4);
    position += sheet.length;
  });
  return Buffer.concat([globals, ...sheets]);
}

const table = (rows: readonly (readonly string[])[]): unknown =>
  rows.map((row, at) => row.map((shown) => ({ text: shown, rowSpan: 1, colSpan: 1, header: at === 0 })));

describe('drawings of Excel binary workbooks', () => {
  it('are text boxes and charts with their anchor cells, without comments', () => {
    const sheet = Buffer.concat([
      begin(0x0010),
      shape(4, 2, 6),
      text(9, narrow('box '), wide('été\rx'), words(0, 0)),
      shape(1, 1, 0x19),
      text(4, narrow('note')),
      shape(9, 3, 5),
      chart,
      end,
    ]);
    expect(readDrawings(workbook(0x0600, sheet))).toEqual([
      {
        isChart: false,
        placed: [
          { row: 4, column: 2, blocks: [{ type: 'paragraph', text: 'box été\nx' }] },
          {
            row: 9,
            column: 3,
            blocks: [
              { type: 'figure', text: 'Otters' },
              {
                type: 'table',
                rows: table([
                  ['', 'Größe', 'Second'],
                  ['north', '1.5', '7'],
                  ['south', '2', ''],
                ]),
              },
            ],
          },
        ],
      },
    ]);
  });

  it('identify a chart sheet, and are empty for other versions and truncated files', () => {
    const [only] = readDrawings(workbook(0x0600, chart));
    expect([only?.isChart, only?.placed.length]).toEqual([true, 1]);
    expect(readDrawings(workbook(0x0500, chart))).toEqual([]);
    expect(readDrawings(workbook(0x0600, chart.subarray(0, 40)))).toEqual([{ isChart: true, placed: [] }]);
    expect(readDrawings(Buffer.alloc(3))).toEqual([]);
  });
});
