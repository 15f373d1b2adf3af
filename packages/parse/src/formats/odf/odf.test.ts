import { describe, expect, it } from 'vitest';
import { contentWarning } from '@quire/blocks/content-warning';
import { reader } from './odf.ts';
import { outline, pack, parseBytes } from '../../office/testing/parse-parts.ts';
import { odfParts, NAMESPACES } from '../../office/testing/odf-parts.ts';
import type { Parts } from '../../office/testing/parse-parts.ts';

const text = async (body: string, extra: Parts = {}): Promise<string[]> =>
  outline((await parseBytes(reader, pack(odfParts(`<office:text>${body}</office:text>`, extra)), 'odt')).blocks);

const p = (content: string, style = ''): string => `<text:p text:style-name="${style}">${content}</text:p>`;
const list = (items: string, attributes = 'text:style-name="L1"'): string =>
  `<text:list ${attributes}>${items}</text:list>`;
const listItem = (content: string): string => `<text:list-item>${content}</text:list-item>`;

describe('odt', () => {
  it('reads headings, white space elements, code lines, and leaves deletions out', async () => {
    const body =
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>' +
      p('Report', 'Title') +
      '<text:h text:outline-level="2">Two</text:h>' +
      p('a<text:s text:c="2"/>b<text:tab/>c<text:line-break/>d') +
      p('if x:', 'P1') +
      p('<text:s text:c="2"/>y()', 'P1');
    expect(await text(body)).toEqual([
      'heading 1: Report',
      'heading 3: Two',
      'paragraph: a  b\tc\nd',
      'code: if x:\n  y()',
    ]);
  });

  it('nests and numbers lists, joins paragraphs of one item, and continues numbering', async () => {
    const body =
      list(listItem(p('one') + p('more') + list(listItem(p('inner')), '')) + listItem(p('two'))) +
      p('between') +
      list(listItem(p('three')), 'text:style-name="L1" text:continue-numbering="true"');
    expect(await text(body)).toEqual([
      'list 1.: ',
      '  listItem 1: one\nmore',
      '    list: ',
      '      listItem 2: (a) inner',
      '  listItem 1: two',
      'paragraph: between',
      'list 3.: ',
      '  listItem 1: three',
    ]);
  });

  it('numbers headings inside a list, as converters of Word files write them', async () => {
    const heading = (content: string): string => `<text:h text:outline-level="2">${content}</text:h>`;
    const body =
      list(listItem(heading('Scope') + list(listItem(p('inner')), ''))) +
      list(listItem(heading('Terms')), 'text:style-name="L1" text:continue-numbering="true"');
    expect(await text(body)).toEqual([
      'heading 2: 1. Scope',
      'list: ',
      '  listItem 1: (a) inner',
      'heading 2: 2. Terms',
    ]);
  });

  it('leaves out text with a hidden style', async () => {
    const span = (style: string): string => `<text:span text:style-name="${style}">words</text:span>`;
    expect(await text(p(`a ${span('T1')} b ${span('T2')}`))).toEqual(['paragraph: a  b words']);
  });

  it('reads tables with spans and header rows', async () => {
    const cell = (content: string, attributes = ''): string =>
      `<table:table-cell ${attributes}>${p(content)}</table:table-cell>`;
    const body =
      `<table:table><table:table-header-rows><table:table-row>${cell('wide', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows>` +
      `<table:table-row>${cell('tall', 'table:number-rows-spanned="2"')}${cell('1')}</table:table-row>` +
      `<table:table-row><table:covered-table-cell/>${cell('2')}</table:table-row></table:table>`;
    expect(await text(body)).toEqual(['table: *wide<1x2> / tall<2x1> | 1 / 2']);
  });

  it('reads notes and comments after the body, text boxes, pictures and formulas in their place', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Source</text:p></text:note-body></text:note>';
    const comment = '<office:annotation><dc:creator>Ada</dc:creator><text:p>Really?</text:p></office:annotation>';
    const picture =
      '<draw:frame><draw:image/><svg:desc>A red fox\nAI-generated content may be incorrect.</svg:desc></draw:frame>';
    const box = `<draw:frame><draw:text-box>${p('boxed')}</draw:text-box></draw:frame>`;
    const formula = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const math =
      '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD" "math.dtd"><math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:semantics>' +
      '<math:mfrac><math:mi>α</math:mi><math:msup><math:mi>x</math:mi><math:mn>2</math:mn></math:msup></math:mfrac></math:semantics></math:math>';
    const body = p(`Claim${note}${comment}`) + p(picture) + p(box) + p(formula);
    expect(await text(body, { 'Object 1/content.xml': math })).toEqual([
      'paragraph: Claim[1]',
      'figure: A red fox',
      'paragraph: boxed',
      String.raw`formula: \frac{\alpha}{x^{2}}`,
      'footnote: [1] Source',
      'footnote: Comment (Ada): Really?',
    ]);
  });
});

describe('ods', () => {
  it('treats narrow columns and low rows as spacing inside a table', async () => {
    const cell = (content: string): string => `<table:table-cell>${p(content)}</table:table-cell>`;
    const row = (style: string, content: string): string =>
      `<table:table-row table:style-name="${style}">${content}</table:table-row>`;
    const body =
      '<office:spreadsheet><table:table table:name="One"><table:table-column/><table:table-column table:style-name="narrow"/><table:table-column/>' +
      row('', `${cell('a')}<table:table-cell/>${cell('b')}`) +
      row('low', '<table:table-cell/>') +
      row('', `${cell('c')}<table:table-cell/>${cell('d')}`) +
      '</table:table></office:spreadsheet>';
    const parsed = await parseBytes(reader, pack(odfParts(body)), 'ods');
    expect(outline(parsed.blocks)).toEqual(['heading 1: One', 'table: *a | *b / c | d']);
  });

  it('reads displayed texts, repeats, spans and far cells, without hidden sheets', async () => {
    const cell = (content: string, attributes = ''): string =>
      `<table:table-cell ${attributes}>${p(content)}</table:table-cell>`;
    const body =
      '<office:spreadsheet><table:table table:name="One">' +
      `<table:table-row>${cell('1,234.50 €')}${cell('twice', 'table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>` +
      `<table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>` +
      `<table:table-row>${cell('wide', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell('end')}</table:table-row></table:table>` +
      `<table:table table:name="Two" table:style-name="hidden"><table:table-row>${cell('x')}</table:table-row></table:table></office:spreadsheet>`;
    const parsed = await parseBytes(reader, pack(odfParts(body)), 'ods');
    expect(outline(parsed.blocks)).toEqual([
      'heading 1: One',
      'table: 1,234.50 € | twice | twice',
      'table: wide<1x2> | end',
    ]);
    expect(parsed).toMatchObject({
      pageCount: 1,
      warnings: [contentWarning('truncated', 'The hidden sheet "Two" was left out')],
    });
  });
});

describe('odp', () => {
  it('reads slides in reading order with their boxes and notes', async () => {
    const frame = (content: string, at: string, attributes = ''): string =>
      `<draw:frame ${at} svg:width="5cm" svg:height="2cm" ${attributes}><draw:text-box>${content}</draw:text-box></draw:frame>`;
    const body =
      '<office:presentation><draw:page>' +
      frame(p('below'), 'svg:x="5cm" svg:y="10cm"') +
      frame(p('Title'), 'svg:x="0cm" svg:y="15cm"', 'presentation:class="title"') +
      frame(list(listItem(p('point')), ''), 'svg:x="5cm" svg:y="5cm"', 'presentation:class="outline"') +
      `<presentation:notes>${frame(p('Say hello'), 'svg:x="0cm" svg:y="0cm"', 'presentation:class="notes"')}</presentation:notes>` +
      '</draw:page></office:presentation>';
    const styles = `<office:document-styles ${NAMESPACES}><style:page-layout style:name="PM1"><style:page-layout-properties fo:page-width="20cm" fo:page-height="20cm"/></style:page-layout><style:master-page style:page-layout-name="PM1"/></office:document-styles>`;
    const parsed = await parseBytes(reader, pack(odfParts(body, { 'styles.xml': styles })), 'odp');
    expect(outline(parsed.blocks)).toEqual([
      'heading 1: Title',
      'list: ',
      '  listItem 1: point',
      'paragraph: below',
      'footnote: Notes: Say hello',
    ]);
    expect(parsed.blocks[2]).toMatchObject({ page: 1, bbox: [0.25, 0.5, 0.5, 0.6] });
    expect(parsed.blocks[1]?.children).toMatchObject([{ text: 'point', page: 1, bbox: [0.25, 0.25, 0.5, 0.35] }]);
  });
});

describe('odf', () => {
  it('calls an encrypted file encrypted and a document type corrupt', async () => {
    const manifest = `<manifest:manifest ${NAMESPACES}><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
    const parts = odfParts('<office:text/>', { 'META-INF/manifest.xml': manifest });
    await expect(parseBytes(reader, pack(parts), 'odt')).rejects.toMatchObject({ type: 'encrypted' });
    const content = '<!DOCTYPE x [<!ENTITY a "b">]><x/>';
    await expect(parseBytes(reader, pack({ 'content.xml': content }), 'odt')).rejects.toMatchObject({
      type: 'corrupt',
    });
  });
});
