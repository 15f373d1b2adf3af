import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const outline = async (page: TestPage): Promise<string[]> => outlineOf((await parsePdf(makePdf([page]))).blocks);

it('continues a sentence whose line begins with an abbreviation that looks like a list letter', async () => {
  const lines = [
    'In vielen Orten, die am Wasser liegen, gibt es einen Hafen, so wie',
    'z. B. in Husum und in Wismar, und auch',
  ];
  const page = new TestPage().lines(60, 100, [...lines, 'a. a. O., wo es kleine Boote gibt.']);
  expect(await outline(page)).toEqual([`paragraph: ${lines.join(' ')} a. a. O., wo es kleine Boote gibt.`]);
});

it.each([
  ['En el puerto viejo de la ciudad se puede dormir en el barco propio,', 'o bien en la casa del guardia.'],
  ['The old harbour of the town has a bell for days of fog, and a clock', '- which nobody can hear at sea - on its'],
  [
    'Die Boote, die im Hafen liegen, zahlen ihre Gebühren am Tage, so will',
    '§ 12 der Ordnung des Hafens, die noch gilt.',
  ],
])('continues a full line that ends within its sentence: %s', async (first, second) => {
  const page = new TestPage().text(72, 100, first).text(60, 112, second).text(60, 124, 'same wall.');
  expect(await outline(page)).toEqual([`paragraph: ${first} ${second} same wall.`]);
});

it('begins a paragraph at text left of a list item', async () => {
  const page = new TestPage()
    .text(75, 100, '-')
    .text(85, 100, 'Ships that stay for a night pay their dues at noon.')
    .text(60, 112, 'Other ships pay when they leave, and nobody asks them before.');
  expect(await outline(page)).toEqual([
    'listItem: Ships that stay for a night pay their dues at noon.',
    'paragraph: Other ships pay when they leave, and nobody asks them before.',
  ]);
});

it('keeps a line that consists mostly of bold terms in its sentence', async () => {
  const page = new TestPage()
    .text(60, 100, 'The dues of every boat that lies in this harbour for a night are told by the')
    .text(60, 112, 'Order of the Council of the Harbour and of the Town', { font: 'bold' })
    .text(318, 112, 'since May.');
  expect(await outline(page)).toEqual([
    'paragraph: The dues of every boat that lies in this harbour for a night are told by the ' +
      'Order of the Council of the Harbour and of the Town since May.',
  ]);
});
