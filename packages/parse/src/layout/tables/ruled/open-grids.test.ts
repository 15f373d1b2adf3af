/** Tables whose rules leave a side open, or separate only some of the rows. */
import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

it('includes a last row without a rule below it, beside the rule between two columns', async () => {
  const rows = [
    ['ls', 'Lists the files of a directory.'],
    ['cd', 'Changes the directory.'],
    ['cp', 'Copies files to a place.'],
    ['mv', 'Renames files or moves them.'],
  ] as const;
  const page = new TestPage();
  rows.forEach(([name, meaning], index) => {
    const y = 120 + 20 * index;
    page.text(60, y, name).text(130, y, meaning);
    page.rule(50, y - 14, 400, y - 14).rule(120, y - 14, 120, y + 6);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual(rows);
  expect(blocks[0]?.rows?.[0]?.map(({ header }) => header)).toEqual([false, false]);
});

it('keeps rows of numbers apart between the rules of the heading and of the total', async () => {
  const rows = [
    ['', 'Number', 'Percent', 'Loss'],
    ['kept the assets', '344', '75.2', '12196'],
    ['sold some of them', '53', '11.6', '23518'],
    ['sold all of them', '61', '13.2', '9187'],
    ['Total', '458', '100.0', '13153'],
  ] as const;
  const page = new TestPage();
  rows.forEach((cells, index) => {
    const y = 120 + 12 * index + (index === 4 ? 3 : 0);
    cells.forEach((text, column) => (text === '' ? page : page.text([60, 230, 300, 370][column]!, y, text)));
  });
  for (const y of [108, 123, 161, 175]) page.rule(55, y, 430, y);
  page.rule(220, 108, 220, 175);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual(rows);
});

it('makes no table of the text between two rules around a paragraph', async () => {
  const page = new TestPage().rule(60, 100, 500, 100).rule(60, 260, 500, 260);
  ['One', 'Two', 'Three', 'Four'].forEach((name, index) =>
    page.text(60, 120 + 13 * index, `Make${name}(size)`).text(455, 120 + 13 * index, 'function'),
  );
  page.lines(60, 190, [
    'The effect of each of these functions is the same as that of the first one, but for the number of its',
    'arguments, which is not examined here; the calling program has to see that it is right in all cases.',
  ]);
  ['One', 'Two', 'Three'].forEach((name, index) =>
    page.text(60, 220 + 13 * index, `Is${name}(object)`).text(455, 220 + 13 * index, 'property'),
  );
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ type }) => type)).toEqual(['table', 'paragraph', 'table']);
});
