import { describe, expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const PROSE = [
  'The harbour master keeps a book of every ship that enters',
  'the port, and each entry names the vessel.',
];

/** Draws a page in one size and weight, on which only tags identify headings. */
function page(...headings: readonly string[]): TestPage {
  const drawn = new TestPage().tagged('Artifact', (page) => page.text(60, 30, 'Printed on 4 May'));
  headings.forEach((type, index) => {
    const y = 100 + index * 60;
    drawn.tagged(type, (page) => page.text(60, y, `Chapter of ships ${index + 1}`));
    drawn.tagged('P', (page) => page.lines(60, y + 14, PROSE));
  });
  return drawn;
}

const read = async (...pages: readonly TestPage[]): Promise<string[]> =>
  outlineOf((await parsePdf(makePdf(pages))).blocks);
const paragraph = `paragraph: ${PROSE.join(' ')}`;

describe('tagged files', () => {
  it('take headings and levels from tags, without artifacts', async () => {
    expect(await read(page('H1', 'H2', 'H3'))).toEqual([
      'heading1: Chapter of ships 1',
      paragraph,
      'heading2: Chapter of ships 2',
      paragraph,
      'heading3: Chapter of ships 3',
      paragraph,
    ]);
  });

  it('have no untagged headings if headings are tagged', async () => {
    const bold = page('H1', 'H2').tagged('P', (drawn) => drawn.text(60, 240, 'Mind the step', { font: 'bold' }));
    bold.tagged('P', (drawn) => drawn.lines(60, 254, PROSE));
    expect((await read(bold)).filter((line) => line.startsWith('heading'))).toHaveLength(2);
    const untagged = new TestPage().text(60, 240, 'Mind the step', { font: 'bold' }).lines(60, 254, PROSE);
    expect(await read(untagged)).toEqual(['heading1: Mind the step', paragraph]);
  });

  it('ignore tags if nearly all text is tagged as a heading', async () => {
    const wild = new TestPage();
    [100, 160, 220].forEach((y) => wild.tagged('H1', (drawn) => drawn.lines(60, y, PROSE)));
    expect((await read(wild)).filter((line) => line.startsWith('heading'))).toEqual([]);
  });

  it('ignore tags if half of the text is untagged', async () => {
    const half = page('H1', 'H2').lines(60, 300, [...PROSE, ...PROSE, ...PROSE, ...PROSE]);
    expect((await read(half)).filter((line) => line.startsWith('heading'))).toEqual([]);
  });
});
