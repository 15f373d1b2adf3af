/** Struck, raised and lowered words in every format that has them: the block tree marks them in the same way. */
import { expect, it } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readableTree } from '@quire/blocks/readable-tree';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { plainText } from '@quire/blocks/walk';
import { reader as docx } from './formats/docx/docx.ts';
import { reader as html } from './formats/html/html.ts';
import { reader as markdown } from './formats/markdown/markdown.ts';
import { reader as odf } from './formats/odf/odf.ts';
import { reader as pptx } from './formats/pptx/pptx.ts';
import { reader as xlsx } from './formats/xlsx/xlsx.ts';
import { reader as rtf } from './legacy/rtf/rtf.ts';
import { docxParts } from './office/testing/docx-parts.ts';
import { odfParts } from './office/testing/odf-parts.ts';
import { pack, parseBytes } from './office/testing/parse-parts.ts';
import { pptxParts, shape } from './office/testing/pptx-parts.ts';
import { xlsxParts } from './office/testing/xlsx-parts.ts';

const wordRun = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const slideRun = (text: string, attributes = ''): string => `<a:r><a:rPr ${attributes}/><a:t>${text}</a:t></a:r>`;
const span = (text: string, style: string): string => `<text:span text:style-name="${style}">${text}</text:span>`;
const sheetRun = (text: string, properties = ''): string =>
  `<r><rPr>${properties}</rPr><t xml:space="preserve">${text}</t></r>`;

const odfStyle = (name: string, properties: string): string =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`;
const ODF_STYLES =
  odfStyle('X', 'style:text-line-through-style="solid"') +
  odfStyle('U', 'style:text-position="super 58%"') +
  odfStyle('D', 'style:text-position="-33% 58%"');

const word = (body: string): Promise<BlockDraft[]> =>
  parseBytes(docx, pack(docxParts(`<w:p>${body}</w:p>`)), 'docx').then(({ blocks }) => blocks);
const page = (body: string): Promise<BlockDraft[]> =>
  parseBytes(html, Buffer.from(body), 'html').then(({ blocks }) => blocks);

const SAMPLES: Readonly<Record<string, () => Promise<BlockDraft[]>>> = {
  'docx, single strike': () =>
    word(
      wordRun('Lamp: ') +
        wordRun('90 euros', '<w:strike/>') +
        wordRun(' 75 euros, 10') +
        wordRun('6', '<w:vertAlign w:val="superscript"/>') +
        wordRun(' of H') +
        wordRun('2', '<w:vertAlign w:val="subscript"/>') +
        wordRun('O'),
    ),
  'docx, double strike and position': () =>
    word(
      wordRun('Lamp: ') +
        wordRun('90 euros', '<w:dstrike/>') +
        wordRun(' 75 euros, 10') +
        wordRun('6', '<w:position w:val="8"/>') +
        wordRun(' of H') +
        wordRun('2', '<w:position w:val="-6"/>') +
        wordRun('O'),
    ),
  pptx: async () => {
    const runs =
      slideRun('Lamp: ') +
      slideRun('90 euros', 'strike="dblStrike"') +
      slideRun(' 75 euros, 10') +
      slideRun('6', 'baseline="30000"') +
      slideRun(' of H') +
      slideRun('2', 'baseline="-25000"') +
      slideRun('O', 'strike="noStrike"');
    return (await parseBytes(pptx, pack(pptxParts([shape({ paragraphs: `<a:p>${runs}</a:p>` })])), 'pptx')).blocks;
  },
  odt: async () => {
    const text = `<text:p>Lamp: ${span('90 euros', 'X')} 75 euros, 10${span('6', 'U')} of H${span('2', 'D')}O</text:p>`;
    const parts = odfParts(`<office:text>${text}</office:text>`);
    const content = String(parts['content.xml']).replace(/<office:automatic-styles>/, `$&${ODF_STYLES}`);
    return (await parseBytes(odf, pack({ ...parts, 'content.xml': content }), 'odt')).blocks;
  },
  'xlsx, rich string': async () => {
    const runs =
      sheetRun('Lamp: ') +
      sheetRun('90 euros', '<strike/>') +
      sheetRun(' 75 euros, 10') +
      sheetRun('6', '<vertAlign val="superscript"/>') +
      sheetRun(' of H') +
      sheetRun('2', '<vertAlign val="subscript"/>') +
      sheetRun('O');
    const xml = `<sheetData><row><c r="A1" t="inlineStr"><is>${runs}</is></c></row></sheetData>`;
    const { blocks } = await parseBytes(xlsx, pack(xlsxParts([{ name: 'S', xml }])), 'xlsx');
    return blocks.filter((block) => block.type === 'table');
  },
  rtf: async () => {
    const body = 'Lamp: {\\strike 90 euros} 75 euros, 10{\\super 6} of H\\sub 2\\nosupersub O\\par';
    return (await parseBytes(rtf, Buffer.from(`{\\rtf1\\ansi ${body}}`), 'rtf')).blocks;
  },
  'html, elements': () => page('<p>Lamp: <s>90 euros</s> 75 euros, 10<sup>6</sup> of H<sub>2</sub>O</p>'),
  'html, styles': () =>
    page(
      '<p>Lamp: <span style="text-decoration: line-through red">90 euros</span> 75 euros, ' +
        '10<span style="vertical-align:super">6</span> of H<span style="vertical-align: sub">2</span>O</p>',
    ),
  markdown: async () => {
    const text = 'Lamp: ~~90 euros~~ 75 euros, 10<sup>6</sup> of H<sub>2</sub>O';
    return (await parseBytes(markdown, Buffer.from(text), 'markdown')).blocks;
  },
};

it.each(Object.entries(SAMPLES))(
  '%s: struck words are no words of the text, and raised digits stay raised',
  async (_, read) => {
    const tree = finishTree({ blocks: await read(), pageCount: null, title: null, warnings: [] }, 'en');
    expect(plainText(readableTree(tree).blocks)).toBe('Lamp: 75 euros, 10⁶ of H₂O');
    expect(toMarkdown(tree)).toContain('Lamp: ~~90 euros~~ 75 euros, 10⁶ of H₂O');
  },
);

it('a cell of a sheet is struck by the font of its style', async () => {
  const parts = xlsxParts([
    { name: 'S', xml: '<sheetData><row><c r="A1" t="inlineStr" s="0"><is><t>old</t></is></c></row></sheetData>' },
  ]);
  const styles = String(parts['xl/styles.xml'])
    .replace('<cellXfs><xf numFmtId="0"/>', '<cellXfs><xf numFmtId="0" fontId="1"/>')
    .replace('<cellXfs>', '<fonts><font/><font><strike/></font></fonts><cellXfs>');
  const { blocks } = await parseBytes(xlsx, pack({ ...parts, 'xl/styles.xml': styles }), 'xlsx');
  expect(blocks[1]?.rows?.[0]?.[0]).toMatchObject({ text: 'old', marks: [{ start: 0, end: 3, kind: 'struck' }] });
});

it('a struck part of a page may cover several paragraphs, items and cells', async () => {
  const blocks = await page(
    '<del><p>One</p><ul><li>Two</li></ul></del><table><tr><td><del>Three</del></td><td>Four</td></tr></table>',
  );
  const tree = finishTree({ blocks, pageCount: null, title: null, warnings: [] }, 'en');
  expect(plainText(readableTree(tree).blocks)).toBe('\tFour');
});
