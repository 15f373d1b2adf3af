import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = [
  'The harbour master keeps a book in which every ship is written',
  'down with the day of its arrival and with the port it came from,',
  'with the number of its masts and with the name of its captain.',
  'He signs each page with his name when the lamp is lit at night.',
];
const TEXT = new TestPage().text(60, 80, 'Quays', { font: 'bold', size: 14 }).lines(60, 110, PROSE);

async function headings(first: TestPage): Promise<string[]> {
  const { blocks } = await parsePdf(makePdf([first, TEXT]));
  return blocks.filter(({ type }) => type === 'heading').map(({ text }) => text ?? '');
}

it('takes authors and versions of a cover as text', async () => {
  const cover = new TestPage()
    .text(60, 120, 'Harbours of the North', { font: 'bold', size: 24 })
    .text(60, 170, 'Release 4.2', { size: 14 })
    .text(60, 400, 'Ada Moor, Carl Falk', { font: 'bold', size: 13 })
    .text(60, 420, 'University of the Sea', { font: 'bold', size: 13 });
  expect(await headings(cover)).toEqual(['Harbours of the North', 'Quays']);
});

it('keeps headings with text of their own on a first page', async () => {
  const page = new TestPage()
    .text(60, 80, 'Harbours of the North', { font: 'bold', size: 24 })
    .text(60, 130, 'Summary', { font: 'bold', size: 14 })
    .lines(60, 150, PROSE)
    .text(60, 230, 'Plan', { font: 'bold', size: 14 })
    .text(60, 260, 'First year', { font: 'bold', size: 12 })
    .lines(60, 280, PROSE);
  expect(await headings(page)).toEqual(['Harbours of the North', 'Summary', 'Plan', 'First year', 'Quays']);
});

it.each(['29 September 2006', '8. Oktober 2022', 'February 21, 2023', '4 de fevereiro de 2023', '2024-05-31'])(
  'takes the date %s as text',
  async (date) => {
    const page = new TestPage()
      .text(200, 80, 'Harbours of the North', { font: 'bold', size: 24 })
      .text(240, 120, date, { size: 13 })
      .lines(60, 180, PROSE);
    expect(await headings(page)).toEqual(['Harbours of the North', 'Quays']);
  },
);

it('takes the release on the title page of a further volume as text', async () => {
  const volume = new TestPage()
    .text(200, 200, 'Lamps', { font: 'bold', size: 24 })
    .text(200, 240, 'Release 4.2', { font: 'bold', size: 12 })
    .text(200, 270, 'Part of the harbour', { font: 'bold', size: 14 });
  const { blocks } = await parsePdf(makePdf([TEXT, volume, TEXT]));
  expect(blocks.filter(({ type, page }) => type === 'heading' && page === 2).map(({ text }) => text)).toEqual([
    'Lamps',
    'Part of the harbour',
  ]);
});

it('takes the dated version below the title as text, above an author of several lines', async () => {
  const page = new TestPage()
    .text(200, 120, 'Harbours of the North', { font: 'bold', size: 24 })
    .text(220, 150, 'Version 2.70 August 25, 2013', { font: 'bold', size: 13 })
    .lines(240, 180, ['Ada Moor', 'School of the Sea', 'Harbour University']);
  expect(await headings(page)).toEqual(['Harbours of the North', 'Quays']);
});
