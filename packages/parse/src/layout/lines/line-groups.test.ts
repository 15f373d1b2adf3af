import { expect, it } from 'vitest';
import { isHeading } from '../headings/headings.ts';
import type { Word } from '../page/page-content.ts';
import { lineOf, type Line } from './line.ts';
import { groupLines } from './line-groups.ts';
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

it('continues a sentence whose line begins with the number of a period', async () => {
  const first = 'Either party may terminate this agreement by a letter upon thirty';
  const page = new TestPage().lines(60, 100, [first, '(30) days prior written notice to the other']);
  expect(await outline(page)).toEqual([`paragraph: ${first} (30) days prior written notice to the other`]);
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

/** Returns a line of one word in a font whose lines are `size` points high. */
function lineAt(y: number, text: string, size: number, em?: number): Line {
  const style = { name: 'Test', bold: false, italic: false, monospace: false };
  const word: Word = { text, x0: 60, x1: 400, y0: y - size, y1: y, baseline: y, size, style, glued: false, angle: 0 };
  return lineOf([em === undefined ? word : { ...word, em }], 0);
}

it('keeps lines of one nominal size in a paragraph, regardless of the heights of their fonts', () => {
  const mixed = [
    lineAt(100, '维护者可以使用', 10, 10),
    lineAt(114, 'dpkg-source', 12, 10),
    lineAt(128, '命令', 10, 10),
  ];
  expect(groupLines(mixed)).toHaveLength(1);
  const resized = [lineAt(100, '维护者可以使用', 10, 10), lineAt(114, 'dpkg-source', 12, 12)];
  expect(groupLines(resized)).toHaveLength(2);
  const unknown = [lineAt(100, '维护者可以使用', 10), lineAt(114, 'dpkg-source', 12)];
  expect(groupLines(unknown)).toHaveLength(2);
});

it('compares the nominal size of a line with that of the running text to find headings', () => {
  const body = { size: 10, em: 10, boldShare: 0, italicShare: 0, monospaceShare: 0, family: '' };
  const context = { columnWidth: () => 400, next: undefined };
  const isHeadingOf = (size: number, em: number): boolean =>
    groupLines([lineAt(100, 'Sources of the package', size, em)]).every((group) => isHeading(group, body, context));
  expect(isHeadingOf(12.5, 10)).toBe(false);
  expect(isHeadingOf(10.5, 12.5)).toBe(true);
});

it.each([8, 10, 13])('begins a paragraph at each bold term in %i points', async (size) => {
  const page = new TestPage();
  const terms = ['anchor', 'bobbin', 'cannon'];
  terms.forEach((term, index) => {
    const y = 100 + index * 1.25 * size;
    page.text(60, y, term, { font: 'bold', size }).text(60 + 3.9 * size, y, 'is on a boat', { size });
  });
  page.lines(60, 300, ['The harbour master keeps a book of every ship that comes to the port', 'and leaves.'], {
    size,
  });
  expect((await outline(page)).slice(0, 3)).toEqual(terms.map((term) => `paragraph: ${term} is on a boat`));
});

it.each([8, 10, 13])('begins a paragraph where a hanging indent ends in %i points', async (size) => {
  const entries = [
    ['Anchor: holds a ship where it is, in the mud or', 'in the sand of the ground below', 'the harbour'],
    ['Bollard: a post on the quay to which the lines', 'of a ship are tied', 'at night'],
    ['Cleat: the same on a ship'],
  ];
  const page = new TestPage();
  let y = 100;
  for (const [first = '', ...later] of entries) {
    page.text(60, y, first, { size });
    for (const line of later) page.text(80, (y += 1.2 * size), line, { size });
    y += 1.2 * size;
  }
  expect(await outline(page)).toEqual(entries.map((lines) => `paragraph: ${lines.join(' ')}`));
});

it.each([
  ['This agreement on the mooring of boats ends, without a notice, after one', '(1) year from the day of its'],
  ['3. This agreement on the mooring of boats ends, without notice, after one', '(1) year from the day of its'],
  ['(4) The harbour master answers each letter that he receives within thirty', '(30) days, and each call at'],
  ['Ships pay in this harbour for (a) the place at the quay, at each night, and', '(b) the water, which is on'],
])('keeps a number in parentheses in its sentence: %s', async (first, second) => {
  const page = new TestPage().text(60, 100, first).text(60, 112, second).text(60, 124, 'its own side.');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ text }) => text)).toEqual([`${first} ${second} its own side.`]);
});

it.each([
  ['(1) Ships that stay for a night in this harbour pay their dues at noon, and', '(2) boats pay when they leave.'],
  ['Ships that stay for a night in this harbour must, before they leave again,', '(a) pay their dues at noon,'],
  ['Ships that stay for a night in this harbour', '(1) pay their dues at noon,'],
])('begins an item with a marker in parentheses: %s', async (first, second) => {
  const page = new TestPage().text(60, 100, first).text(60, 112, second).text(60, 124, '(3) and go.');
  page.text(60, 160, 'The harbour master keeps a book in which each ship is written down with its day.');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.at(1)?.type).toBe('listItem');
});

it('begins a paragraph at the number of a clause, below an item of the clause before', async () => {
  const page = new TestPage().lines(60, 100, [
    '(a) the other party, its officers, directors and agents who act for it, and all its',
    'goods and services.',
    '11.3 Each party warrants that it is no part of a public body, and that no one who',
    'works for it is paid by one.',
  ]);
  expect(await outline(page)).toEqual([
    'listItem: (a) the other party, its officers, directors and agents who act for it, and all its goods and services.',
    'paragraph: 11.3 Each party warrants that it is no part of a public body, and that no one who works for it is paid by one.',
  ]);
});
