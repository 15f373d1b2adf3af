import { expect, it } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { docxParts } from '@quire/parse/office/testing/docx-parts';
import { pack } from '@quire/parse/office/testing/parse-parts';
import { text as textCell, xlsxParts } from '@quire/parse/office/testing/xlsx-parts';
import type { Format } from '@quire/parse/formats';
import { outputLimit } from './replace/output-budget.ts';
import { editBytes } from './testing/edit-bytes.ts';

/** An edit may write 1 MB, as with this maximum size of a file. */
const MAX_BYTES = 1_000_000;
const tooLarge = (bytes: number) => ({
  type: 'too_large',
  message: `The edit would write more than the limit of ${bytes} bytes`,
});

const edit = (bytes: Uint8Array | string, format: Format, ...operations: object[]) =>
  editBytes(bytes, format, operations, undefined, undefined, MAX_BYTES);

const long = 'b'.repeat(20_000);
const many = 'a'.repeat(20_000);
const run = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

it('refuses 20,000 replacements by 20,000 characters before it builds the text', async () => {
  const replaceText = [{ type: 'replaceText', find: 'a', replace: long }];
  await expect(editBytes(many, 'txt', replaceText)).rejects.toMatchObject(tooLarge(32 * 1024 ** 2));
});

it('writes as much as the limit allows', async () => {
  const { files } = await edit('a'.repeat(49), 'txt', { type: 'replaceText', find: 'a', replace: long });
  expect(files[0]?.length).toBe(980_000);
});

it('counts the texts of all operations of an edit together', async () => {
  const grow = { type: 'replaceText', find: 'a', replace: `a${long.slice(1)}` };
  const shrink = { type: 'replaceText', find: 'b', replace: '' };
  await edit('a'.repeat(20), 'txt', grow, shrink, grow);
  await expect(edit('a'.repeat(20), 'txt', grow, shrink, grow, shrink, grow)).rejects.toMatchObject(
    tooLarge(MAX_BYTES),
  );
});

it.each<[Format, string | Uint8Array]>([
  ['txt', many],
  ['markdown', many],
  ['html', `<p>${many}</p>`],
  ['csv', `${many},x\n`],
  ['json', JSON.stringify([many])],
  ['svg', `<svg xmlns="http://www.w3.org/2000/svg"><text>${many}</text></svg>`],
  ['docx', pack(docxParts(run(many)))],
  ['xlsx', pack(xlsxParts([{ name: 'One', xml: `<sheetData><row r="1">${textCell('A1', many)}</row></sheetData>` }]))],
])('bounds replacements by text, by pattern and by placeholder in %s', async (format, bytes) => {
  const operations = [
    { type: 'replaceText', find: 'A', replace: long, ignoreCase: true },
    { type: 'replacePattern', pattern: 'a+', replace: '$0'.repeat(2_000) },
  ];
  for (const operation of operations)
    await expect(edit(bytes, format, operation)).rejects.toMatchObject(tooLarge(MAX_BYTES));
});

it('bounds the values of placeholders', async () => {
  const fill = { type: 'fillPlaceholders', values: { x: long } };
  await expect(edit('{{x}}'.repeat(100), 'txt', fill)).rejects.toMatchObject(tooLarge(MAX_BYTES));
  await expect(edit(pack(docxParts(run('{{x}}'.repeat(100)))), 'docx', fill)).rejects.toMatchObject(
    tooLarge(MAX_BYTES),
  );
});

it('bounds the rows that a list repeats', async () => {
  const fill = { type: 'fillPlaceholders', values: { list: Array.from({ length: 1_000 }, (_, n) => ({ n })) } };
  const row = `<w:tbl><w:tr><w:tc>${run(`{{list.n}} ${'x'.repeat(2_000)}`)}</w:tc></w:tr></w:tbl>`;
  await expect(edit(pack(docxParts(row)), 'docx', fill)).rejects.toMatchObject(tooLarge(MAX_BYTES));
});

it('bounds the files of a split and the texts of stamps', async () => {
  const pdf = makePdf([new TestPage().text(60, 100, 'page')]);
  const small = (operation: object) => editBytes(pdf, 'pdf', [operation], undefined, undefined, pdf.length);
  const failure = tooLarge(2 * pdf.length);
  const ranges = Array.from({ length: 200 }, () => '1');
  await expect(small({ type: 'splitPages', ranges })).rejects.toMatchObject(failure);
  await expect(small({ type: 'stampText', text: 'x'.repeat(20_000) })).rejects.toMatchObject(failure);
});

it('allows 20 times the size of the files, 32 MB at least, within the maximum size of a file', () => {
  const megabytes = [1, 5, 50, 150].map((size) => outputLimit(size * 1024 ** 2, 200 * 1024 ** 2) / 1024 ** 2);
  expect(megabytes).toEqual([32, 100, 200, 300]);
});
