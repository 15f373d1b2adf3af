import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

/** Width of a letter of Courier of 10 points. */
const LETTER = 6;

/** Draws words of Courier with a gap of 4 points between them, and a rule in each gap at the given height. */
function drawn(words: readonly string[], ruleY: number | undefined, y = 100): TestPage {
  const page = new TestPage();
  let x = 60;
  for (const [index, word] of words.entries()) {
    page.text(x, y, word, { font: 'mono' });
    x += word.length * LETTER + 4;
    if (ruleY !== undefined && index < words.length - 1) page.rule(x - 3.6, ruleY, x - 0.4, ruleY);
  }
  return page.text(60, y + 40, 'A paragraph of running text follows the names.');
}

const firstLine = async (page: TestPage): Promise<string | undefined> =>
  outlineOf((await parsePdf(makePdf([page]))).blocks)[0]?.replace(/^\w+: /, '');

it('reads a rule between two words on the baseline as an underscore', async () => {
  expect(await firstLine(drawn(['val', 'in', 'range'], 100.5))).toBe('val_in_range');
});

it.each([
  ['above the baseline', 95],
  ['far below the baseline', 107],
])('does not read a rule %s as an underscore', async (_, y) => {
  expect(await firstLine(drawn(['val', 'range'], y))).toBe('val range');
});
