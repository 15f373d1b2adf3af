import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

const LEFT = ['anchors, 12', 'beacons, 3, 41', 'boats, 7–9', 'buoys, 14', 'captains, 2, 30', 'cargo, 11', 'dues, 21'];
const RIGHT = ['lamps, 5', 'masts, 16', 'moorings, 8, 17', 'nets, 33', 'oars, 6', 'pilots, 1, 22', 'quays, 18–20'];

it.each([9, 10, 12])('reads an index in two columns of %i points column by column', async (size) => {
  const page = new TestPage().text(60, 60, 'Index', { font: 'bold', size: 18 });
  LEFT.forEach((left, index) => {
    const y = 100 + index * 1.2 * size;
    page.text(60, y, left, { size }).text(200, y, RIGHT[index] ?? '', { size });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ type }) => type)).not.toContain('table');
  const text = blocks.map((block) => block.text).join(' ');
  expect(text.indexOf('boats')).toBeLessThan(text.indexOf('buoys'));
});

it('keeps a table of names with numbers in one of its columns', async () => {
  const page = new TestPage();
  LEFT.forEach((left, index) => page.text(60, 100 + index * 12, left).text(200, 100 + index * 12, String(index * 31)));
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ type }) => type)).toContain('table');
});
