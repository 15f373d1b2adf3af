import { describe, expect, it } from 'vitest';
import { contentWarning } from '@quire/blocks/content-warning';
import { reader } from './xlsx.ts';
import { outline, pack, parseBytes, testContext } from '../../office/testing/parse-parts.ts';
import { number, text, xlsxParts } from '../../office/testing/xlsx-parts.ts';

const read = async (xml: string, properties = ''): Promise<string[]> =>
  outline((await parseBytes(reader, pack(xlsxParts([{ name: 'S', xml }], { properties })), 'xlsx')).blocks);

const sheetData = (...rows: string[]): string =>
  `<sheetData>${rows.map((row) => `<row>${row}</row>`).join('')}</sheetData>`;

describe('xlsx', () => {
  it('turns each sheet into a section and page, without hidden and blank sheets', async () => {
    const parts = xlsxParts([
      { name: 'Prices', xml: sheetData(text('A1', 'x')) },
      { name: 'Blank', xml: '<sheetData/>' },
      { name: 'Lists', xml: sheetData(text('A1', 'hidden')), state: 'hidden' },
      { name: 'Costs', xml: sheetData(text('B7', 'y')) },
    ]);
    expect(await parseBytes(reader, pack(parts), 'xlsx')).toEqual({
      blocks: [
        { type: 'heading', level: 1, text: 'Prices', page: 1 },
        { type: 'table', page: 1, rows: [[{ text: 'x', rowSpan: 1, colSpan: 1, header: false }]] },
        { type: 'heading', level: 1, text: 'Costs', page: 3 },
        { type: 'table', page: 3, rows: [[{ text: 'y', rowSpan: 1, colSpan: 1, header: false }]] },
      ],
      pageCount: 3,
      title: null,
      warnings: [contentWarning('truncated', 'The hidden sheet "Lists" was left out')],
    });
  });

  it('displays values by their formats: dates, percentages, thousands, fractions, currencies', async () => {
    const cells = [
      number('A1', '0.30000000000000004'),
      number('B1', 45000, 1),
      number('C1', 0.256, 2),
      number('D1', 1234.5, 3),
      number('E1', 2.5, 4),
      number('F1', 1234, 5),
      number('G1', 45000.5, 6),
    ];
    expect(await read(sheetData(cells.join('')))).toEqual([
      'heading 1: S',
      'table: 0.3 | 2023-03-15 | 25.60% | 1,234.50 | 2 1/2 | € 1,234.00 | 15 March 2023 12:00',
    ]);
  });

  it('counts days from 1904 if the workbook is set so', async () => {
    expect(await read(sheetData(number('A1', 0, 1)), '<workbookPr date1904="1"/>')).toContain('table: 1904-01-01');
  });

  it('reads shared, rich, inline, boolean, error and formula cells', async () => {
    const cells =
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#N/A</v></c>' +
      '<c r="E1"><f>SUM(A1:A9)</f><v>6</v></c><c r="F1" t="str"><f>A1</f><v>a_x000A_b</v></c>';
    expect(await read(sheetData(cells))).toContain('table: plain | rich text | TRUE | #N/A | 6 | a\nb');
  });

  it('reads a cell at the far corner without filling the sheet between', async () => {
    const xml = `<sheetData><row r="1">${text('A1', 'near')}</row><row r="1048576">${text('XFD1048576', 'far')}</row></sheetData>`;
    expect(await read(xml)).toEqual(['heading 1: S', 'table: near', 'table: far']);
  });

  it('reads an L-shaped sheet without its blank area', async () => {
    const column = Array.from({ length: 2000 }, (_, index) => text(`A${index + 2}`, 'r'));
    const row = Array.from({ length: 16_384 }, () => '<c t="s"><v>0</v></c>').join('');
    const parsed = await parseBytes(reader, pack(xlsxParts([{ name: 'S', xml: sheetData(row, ...column) }])), 'xlsx');
    const rows = parsed.blocks[1]?.rows ?? [];
    expect([rows.length, rows[0]?.length, rows[1]?.length]).toEqual([2001, 16_384, 1]);
  });

  it('merges cells, and joins only adjacent tables', async () => {
    const xml =
      sheetData(
        text('A1', 'head') + text('D1', 'other'),
        text('A2', 'a') + text('B2', 'b') + text('D2', 'c'),
        '',
        text('A4', 'below'),
      ) + '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>';
    expect(await read(xml)).toEqual(['heading 1: S', 'table: *head<1x2> / a | b', 'table: *other / c', 'table: below']);
  });

  it('ignores spacer columns and rows, and keeps a single cell in its table', async () => {
    const xml =
      '<cols><col min="2" max="2" width="1.5"/></cols><sheetData>' +
      `<row r="1">${text('A1', 'k')}${text('C1', 'v')}${text('D1', 'w')}${text('E1', 'x')}</row><row r="2" ht="4"/>` +
      `<row r="3">${text('A3', 'i')}</row><row r="4">${text('A4', 'j')}${text('D4', '9')}</row></sheetData>`;
    expect(await read(xml)).toEqual(['heading 1: S', 'table: *k | *v | *w | *x / i |  |  |  / j |  | 9 | ']);
  });

  it('keeps the first half million cells and warns', async () => {
    const row = Array.from({ length: 1000 }, () => '<c><v>1</v></c>').join('');
    const xml = sheetData(...Array.from({ length: 501 }, () => row));
    const limits = { maxInflatedBytes: 1e9, maxArchiveEntries: 100, maxArchiveRatio: 10_000, maxArchiveDepth: 1 };
    const parsed = await parseBytes(reader, pack(xlsxParts([{ name: 'Big', xml }])), 'xlsx', {
      ...testContext,
      limits,
    });
    expect(parsed.warnings).toEqual([
      contentWarning(
        'truncated',
        'The workbook holds more than can be read; sheet "Big" is cut off after 500000 cells',
        [1],
      ),
    ]);
    expect(parsed.blocks[1]?.rows?.length).toBe(500);
  });

  it('stops at a long shared string that fills many cells', async () => {
    const row = Array.from({ length: 1000 }, () => '<c t="s"><v>0</v></c>').join('');
    const parts = xlsxParts([{ name: 'Bomb', xml: sheetData(...Array.from({ length: 20 }, () => row)) }]);
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const strings = `<sst ${main}><si><t>${'long '.repeat(10_000)}</t></si></sst>`;
    const bytes = pack({ ...parts, 'xl/sharedStrings.xml': strings });
    const limits = { ...testContext.limits, maxArchiveRatio: 10_000 };
    const parsed = await parseBytes(reader, bytes, 'xlsx', { ...testContext, limits });
    expect(parsed.warnings).toEqual([
      contentWarning(
        'truncated',
        'The workbook holds more than can be read; sheet "Bomb" is cut off after 1526 cells',
        [1],
      ),
    ]);
    expect(parsed.blocks[1]?.rows?.[0]?.[0]?.text.length).toBe(32_767);
  });
});
