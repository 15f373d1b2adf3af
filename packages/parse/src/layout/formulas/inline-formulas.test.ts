import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

/** Draws one line of words: `x` italic, `_i` lowered, `^2` raised, everything else as running text. */
function line(page: TestPage, y: number, parts: readonly string[]): TestPage {
  let x = 60;
  for (const part of parts) {
    const script = /^[_^]/.test(part);
    const text = script ? part.slice(1) : part;
    const size = script ? 7 : 10;
    const shift = part.startsWith('_') ? 2 : part.startsWith('^') ? -4 : 0;
    if (!script && !/^[.,)]/.test(text)) x += 4;
    page.text(x, y + shift, text, { size, font: /^[a-z]$/.test(text) ? 'italic' : 'regular' });
    x += widthOf(text) * size;
  }
  return page;
}

/** Approximate advance widths of Helvetica. */
const WIDTHS: Readonly<Record<string, number>> = { i: 0.22, l: 0.22, t: 0.28, f: 0.28, r: 0.33, m: 0.83, w: 0.72 };
const widthOf = (text: string): number =>
  Array.from(text, (character) => WIDTHS[character] ?? (/[A-Z=+]/.test(character) ? 0.6 : 0.52)).reduce(
    (sum, width) => sum + width,
    0,
  );

const read = async (parts: readonly string[]): Promise<string | undefined> => {
  const { blocks } = await parsePdf(makePdf([line(new TestPage(), 100, parts)]));
  return blocks[0]?.text;
};

it('converts a variable with an index to a formula and keeps the surrounding text', async () => {
  expect(await read(['where', 'the', 'value', 'x', '_i', 'is', 'known', 'to', 'all'])).toBe(
    'where the value $x_{i}$ is known to all',
  );
});

it('includes adjacent symbols and numbers, but not the end of the sentence', async () => {
  expect(await read(['so', 'that', 'a', '^2', '+', 'b', '^2', '=', 'c', '^2', '.'])).toBe(
    'so that $a^{2} + b^{2} = c^{2}$.',
  );
});

it.each([
  [['after', 'the', 'war', '^2', 'there', 'was', 'peace'], 'after the war2 there was peace'],
  [['glass', 'of', 'H', '_2', 'O', 'a', 'day', 'for', 'all'], 'glass of H2 O a day for all'],
  [['costs', 'of', '12', '^3', 'in', 'the', 'last', 'year'], 'costs of 123 in the last year'],
])('does not convert notes and chemical formulas: %j', async (parts, text) => {
  expect((await read(parts))?.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});
