import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const outline = async (page: TestPage): Promise<string[]> => outlineOf((await parsePdf(makePdf([page]))).blocks);

it.each([
  [8, 'labels first'],
  [10, 'row by row'],
  [12, 'labels first'],
])('keeps each label with its value in %i points, drawn %s', async (size, order) => {
  const rows = [
    ['Master of the ship:', 'Ada Berg'],
    ['Home port:', 'Bergen'],
  ] as const;
  const page = new TestPage();
  const label = (index: number): TestPage => page.text(60, 100 + index * 1.4 * size, rows[index]?.[0] ?? '', { size });
  const value = (index: number): TestPage =>
    page.text(60 + 12 * size, 100 + index * 1.4 * size, rows[index]?.[1] ?? '', { size });
  if (order === 'labels first') {
    label(0);
    label(1);
    value(0);
    value(1);
  } else
    for (const index of [0, 1]) {
      label(index);
      value(index);
    }
  expect(await outline(page)).toEqual(['paragraph: Master of the ship: Ada Berg', 'paragraph: Home port: Bergen']);
});

it('leaves a label whose text begins on the next line', async () => {
  const page = new TestPage().text(60, 100, 'The keeper writes:').text(60, 112, 'the harbour is closed until noon.');
  expect(await outline(page)).toEqual(['paragraph: The keeper writes: the harbour is closed until noon.']);
});
