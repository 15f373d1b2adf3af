import { utils, write } from '@e965/xlsx';
import type { BookType, WorkSheet } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { contentWarning } from '@quire/blocks/content-warning';
import { outline, pack, parseBytes } from '../../office/testing/parse-parts.ts';
import { number, xlsxParts } from '../../office/testing/xlsx-parts.ts';
import { reader } from './xls.ts';

function workbook(bookType: BookType, sheets: Record<string, WorkSheet>, hidden: readonly string[] = []): Uint8Array {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  book.Workbook = { Sheets: book.SheetNames.map((name) => ({ name, Hidden: hidden.includes(name) ? 1 : 0 })) };
  return new Uint8Array(write(book, { type: 'array', bookType }));
}

describe('xls', () => {
  it('reads displayed values, merged cells and separate tables', async () => {
    const sheet = utils.aoa_to_sheet([
      ['wide', null],
      [1234.5, true],
    ]);
    sheet['A2'].z = '#,##0.00';
    sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 1 } }];
    utils.sheet_add_aoa(sheet, [['far']], { origin: 'H900' });
    const parsed = await parseBytes(reader, workbook('biff8', { Sums: sheet }), 'xls');
    expect(outline(parsed.blocks)).toEqual(['heading 1: Sums', 'table: *wide<1x2> / 1,234.50 | TRUE', 'table: far']);
  });

  it('leaves out hidden sheets with a warning', async () => {
    const sheet = utils.aoa_to_sheet([['x']]);
    const parsed = await parseBytes(reader, workbook('biff8', { A: sheet, B: sheet }, ['A']), 'xls');
    expect(outline(parsed.blocks)).toEqual(['heading 1: B', 'table: x']);
    expect(parsed.warnings).toEqual([contentWarning('truncated', 'The hidden sheet "A" was left out')]);
  });

  it('reads old versions, and an xlsx under this name', async () => {
    const sheet = utils.aoa_to_sheet([['old', 3]]);
    expect(outline((await parseBytes(reader, workbook('biff5', { S: sheet }), 'xls')).blocks)).toContain(
      'table: old | 3',
    );
    const parts = xlsxParts([{ name: 'S', xml: `<sheetData><row>${number('A1', 5)}</row></sheetData>` }]);
    expect(outline((await parseBytes(reader, pack(parts), 'xls')).blocks)).toEqual(['heading 1: S', 'table: 5']);
  });

  it('calls a truncated file corrupt', async () => {
    const bytes = workbook('biff8', { S: utils.aoa_to_sheet([['x']]) });
    await expect(parseBytes(reader, bytes.subarray(0, 600), 'xls')).rejects.toMatchObject({ type: 'corrupt' });
  });
});
