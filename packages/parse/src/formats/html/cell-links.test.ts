import { expect, it } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { toHtml } from '@quire/blocks/to-html';
import { toMarkdown } from '@quire/blocks/to-markdown';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { parseHtml } from './html.ts';
import { parseMarkdown } from '../markdown/markdown.ts';
import { reader as docx } from '../docx/docx.ts';
import { reader as odf } from '../odf/odf.ts';
import { reader as pptx } from '../pptx/pptx.ts';
import { reader as rtf } from '../../legacy/rtf/rtf.ts';
import { docxParts, paragraph, relationships } from '../../office/testing/docx-parts.ts';
import { odfParts } from '../../office/testing/odf-parts.ts';
import { pack, parseBytes } from '../../office/testing/parse-parts.ts';
import { pptxParts } from '../../office/testing/pptx-parts.ts';
import { text, xlsxParts } from '../../office/testing/xlsx-parts.ts';
import { reader as xlsx } from '../xlsx/xlsx.ts';
import { makePdf, TestPage } from '../pdf/testing/make-pdf.ts';
import { parsePdf } from '../pdf/testing/parse-pdf.ts';

const HREF = 'https://example.org/';

/** Returns `cell text → linked words → address` for each link in a cell. */
function cellLinks(blocks: readonly BlockDraft[]): string[] {
  const { blocks: finished } = finishTree({ blocks: [...blocks], pageCount: null, title: null, warnings: [] }, null);
  const cells = finished
    .flatMap((block) => [block, ...(block.children ?? [])])
    .flatMap((block) => (block.rows ?? []).flat());
  return cells.flatMap((cell) =>
    (cell.links ?? []).map(({ start, end, href }) => `${cell.text} → ${cell.text.slice(start, end)} → ${href}`),
  );
}

async function office(
  reader: typeof docx,
  parts: Parameters<typeof pack>[0],
  format: 'docx' | 'pptx' | 'xlsx' | 'odt' | 'ods',
): Promise<string[]> {
  const parsed: ParsedContent = await parseBytes(reader, pack(parts), format);
  return cellLinks(parsed.blocks);
}

it('keeps the links in cells of web pages and Markdown, after list markers and in nested tables', () => {
  const html =
    `<table><tr><th>a</th><th>b</th></tr><tr><td>see <a href="${HREF}">the  site</a></td>` +
    `<td><ul><li>x</li><li><a href="${HREF}2">two</a></li></ul><table><tr><th>i</th><td><a href="/3">j</a></td></tr></table></td></tr></table>`;
  expect(cellLinks(parseHtml(html).blocks)).toEqual([
    `see the site → the site → ${HREF}`,
    `- x\n- two\ni j → two → ${HREF}2`,
    '- x\n- two\ni j → j → /3',
  ]);
  expect(cellLinks(parseMarkdown(`| a | b |\n| - | - |\n| [x \\| y](${HREF}) | c |`).blocks)).toEqual([
    `x | y → x | y → ${HREF}`,
  ]);
});

it('keeps the links in cells of Word files', async () => {
  const linked = '<w:p><w:hyperlink r:id="r3"><w:r><w:t>the site</w:t></w:r></w:hyperlink></w:p>';
  const cell = (...content: string[]): string => `<w:tc>${content.join('')}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell(paragraph('before'), linked)}${cell(paragraph('b'))}</w:tr></w:tbl>`;
  expect(await office(docx, docxParts(table), 'docx')).toEqual([`before\nthe site → the site → ${HREF}`]);
  const row = `\\trowd\\cellx1000\\cellx2000\\pard\\intbl go {\\field{\\*\\fldinst HYPERLINK "${HREF}"}{\\fldrslt there}}\\cell b\\cell\\row`;
  const { blocks } = await parseBytes(rtf, Buffer.from(`{\\rtf1\\ansi ${row}\\pard end\\par}`), 'rtf');
  expect(cellLinks(blocks)).toEqual([`go there → there → ${HREF}`]);
});

it('keeps the links in cells of slides', async () => {
  const cell = (content: string): string => `<a:tc><a:txBody><a:p>${content}</a:p></a:txBody></a:tc>`;
  const linked = '<a:r><a:rPr><a:hlinkClick r:id="r3"/></a:rPr><a:t>there</a:t></a:r>';
  const table =
    '<p:graphicFrame><a:graphic><a:graphicData><a:tbl>' +
    `<a:tr>${cell(`<a:r><a:t>go </a:t></a:r>${linked}`)}${cell('<a:r><a:t>b</a:t></a:r>')}</a:tr>` +
    '</a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
  expect(await office(pptx, pptxParts([table]), 'pptx')).toEqual([`go there → there → ${HREF}`]);
});

it('keeps the links in cells of OpenDocument texts and sheets', async () => {
  const cell = `<table:table-cell><text:p>go <text:a xlink:href="${HREF}">there</text:a></text:p></table:table-cell>`;
  const table = `<table:table table:name="S"><table:table-row>${cell}<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>`;
  const expected = [`go there → there → ${HREF}`];
  expect(await office(odf, odfParts(`<office:text>${table}</office:text>`), 'odt')).toEqual(expected);
  expect(await office(odf, odfParts(`<office:spreadsheet>${table}</office:spreadsheet>`), 'ods')).toEqual(expected);
});

it('keeps the links of cells of workbooks, also of HYPERLINK formulas, but no links within the workbook', async () => {
  const formula = (reference: string, address: string): string =>
    `<c r="${reference}" t="str"><f>HYPERLINK("${address}","shown")</f><v>shown</v></c>`;
  const xml =
    `<sheetData><row r="1">${text('A1', 'site')}${text('B1', 'jump')}</row>` +
    `<row r="2">${formula('A2', `${HREF}2`)}${formula('B2', '#S!A1')}</row></sheetData>` +
    '<hyperlinks><hyperlink ref="A1" r:id="h1"/><hyperlink ref="B1" location="S!A2"/></hyperlinks>';
  const parts = xlsxParts([{ name: 'S', xml }], {
    extra: { 'xl/worksheets/_rels/sheet0.xml.rels': relationships(['h1', 'hyperlink', HREF, true]) },
  });
  expect(await office(xlsx, parts, 'xlsx')).toEqual([`site → site → ${HREF}`, `shown → shown → ${HREF}2`]);
});

it('keeps the links over cells of tables in PDFs', async () => {
  const page = new TestPage()
    .grid([60, 280, 500], [100, 120, 140])
    .text(66, 114, 'Harbour')
    .text(286, 114, 'Site')
    .text(66, 134, 'Bergen')
    .text(286, 134, 'bergen.example')
    .link(280, 122, 400, 138, HREF);
  const { blocks } = await parsePdf(makePdf([page]));
  expect(cellLinks(blocks)).toEqual([`bergen.example → bergen.example → ${HREF}`]);
});

it('writes the links of cells to Markdown and HTML and reads them back', () => {
  const cell = { text: 'see a|b', rowSpan: 1, colSpan: 1, header: false, links: [{ start: 4, end: 7, href: HREF }] };
  const plain = { text: 'c', rowSpan: 1, colSpan: 1, header: false };
  const tree = finishTree(
    { blocks: [{ type: 'table', rows: [[cell, plain]] }], pageCount: null, title: null, warnings: [] },
    null,
  );
  expect(toMarkdown(tree)).toBe(`| see [a\\|b](${HREF}) | c |\n| --- | --- |\n`);
  expect(toHtml(tree)).toContain(`<td>see <a href="${HREF}" rel="noopener noreferrer nofollow">a|b</a></td>`);
  const expected = [`see a|b → a|b → ${HREF}`];
  expect(cellLinks(parseMarkdown(toMarkdown(tree)).blocks)).toEqual(expected);
  expect(cellLinks(parseHtml(toHtml(tree)).blocks)).toEqual(expected);
});
