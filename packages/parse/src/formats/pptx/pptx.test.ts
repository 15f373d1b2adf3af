import { describe, expect, it } from 'vitest';
import { walkBlocks } from '@quire/blocks/walk';
import { contentWarning } from '@quire/blocks/content-warning';
import { inReadingOrder } from '../../office/build/reading-order.ts';
import { reader } from './pptx.ts';
import { outline, pack, parseBytes } from '../../office/testing/parse-parts.ts';
import type { Parts } from '../../office/testing/parse-parts.ts';
import { line, pptxParts, shape, slide } from '../../office/testing/pptx-parts.ts';

const read = async (shapes: string, extra: Parts = {}): Promise<string[]> =>
  outline((await parseBytes(reader, pack(pptxParts([shapes], extra)), 'pptx')).blocks);

const TITLE = '<p:ph type="title"/>';
const BODY = '<p:ph idx="1"/>';

describe('pptx', () => {
  it('reads the title first and bullets by level, inherited from layout and master', async () => {
    const body = line('one') + line('plain', '<a:pPr lvl="1"/>') + line('none', '<a:pPr><a:buNone/></a:pPr>');
    const shapes =
      shape({ placeholder: BODY, paragraphs: body }) + shape({ placeholder: TITLE, paragraphs: line('Title') });
    expect(await read(shapes)).toEqual([
      'heading 1: Title',
      'list: ',
      '  listItem 1: one',
      'paragraph: plain',
      'paragraph: none',
    ]);
  });

  it('reads a long text in a subtitle placeholder as body text', async () => {
    const plain = '<a:pPr><a:buNone/></a:pPr>';
    const subtitle = (text: string): string =>
      shape({ placeholder: '<p:ph type="subTitle"/>', paragraphs: line(text, plain) + line('more', plain) });
    expect(await read(subtitle('Short'))).toEqual(['heading 2: Short more']);
    const long = 'A sentence of the text. '.repeat(7).trim();
    expect(await read(subtitle(long))).toEqual([`paragraph: ${long}`, 'paragraph: more']);
  });

  it('numbers automatic lists by their scheme', async () => {
    const item = (text: string, scheme: string): string =>
      line(text, `<a:pPr><a:buAutoNum type="${scheme}" startAt="3"/></a:pPr>`);
    expect(await read(shape({ paragraphs: item('a', 'arabicPeriod') + item('b', 'arabicPeriod') }))).toEqual([
      'list 3.: ',
      '  listItem 1: a',
      '  listItem 1: b',
    ]);
    expect(await read(shape({ paragraphs: item('a', 'alphaLcParenBoth') }))).toEqual(['list: ', '  listItem 1: (c) a']);
  });

  it('resolves positions through groups and gives each block its page and bounding box', async () => {
    const inner = shape({ at: [10, 10, 20, 20], paragraphs: line('in group') });
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="500" y="400"/><a:ext cx="200" cy="200"/><a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/></a:xfrm></p:grpSpPr>${inner}</p:grpSp>`;
    const parsed = await parseBytes(reader, pack(pptxParts(['', group])), 'pptx');
    expect(parsed).toMatchObject({ pageCount: 2, warnings: [] });
    expect(parsed.blocks).toEqual([{ type: 'paragraph', text: 'in group', page: 2, bbox: [0.52, 0.525, 0.56, 0.575] }]);
  });

  it('gives each bullet of a list the place of its shape, also on deeper levels', async () => {
    const bullet = (text: string, level: number): string =>
      line(text, `<a:pPr lvl="${level}"><a:buChar char="-"/></a:pPr>`);
    const body = shape({ at: [100, 100, 500, 400], paragraphs: bullet('one', 0) + bullet('below', 1) });
    const { blocks } = await parseBytes(reader, pack(pptxParts([body])), 'pptx');
    const place = { page: 1, bbox: blocks[0]?.bbox };
    expect(place.bbox).toHaveLength(4);
    expect(Array.from(walkBlocks(blocks), ({ type, text, page, bbox }) => ({ type, text, page, bbox }))).toEqual([
      { type: 'list', text: undefined, ...place },
      { type: 'listItem', text: 'one', ...place },
      { type: 'list', text: undefined, ...place },
      { type: 'listItem', text: 'below', ...place },
    ]);
  });

  it('reads tables with spans, links, and notes at the end', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const table =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>' +
      `<a:tr>${cell('wide', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr>` +
      `<a:tr>${cell('tall', 'rowSpan="2"')}${cell('1')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('2')}</a:tr>` +
      '</a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const linked = '<a:p><a:r><a:rPr><a:hlinkClick r:id="r3"/></a:rPr><a:t>there</a:t></a:r></a:p>';
    const notes = slide(shape({ placeholder: '<p:ph type="body"/>', paragraphs: line('Say hello') }));
    const parts = pptxParts([table + shape({ paragraphs: linked })], { 'ppt/notes.xml': notes });
    const { blocks } = await parseBytes(reader, pack(parts), 'pptx');
    expect(outline(blocks)).toEqual([
      'table: *wide<1x2> / tall<2x1> | 1 / 2',
      'paragraph: there',
      'footnote: Notes: Say hello',
    ]);
    expect(blocks[1]?.links).toEqual([{ start: 0, end: 5, href: 'https://example.org/' }]);
  });

  it('warns of a slide that is missing and reads the others', async () => {
    const parts = pptxParts([shape({ paragraphs: line('here') }), '']);
    delete parts['ppt/slides/s1.xml'];
    expect(await parseBytes(reader, pack(parts), 'pptx')).toMatchObject({
      blocks: [{ text: 'here' }],
      pageCount: 2,
      warnings: [contentWarning('truncated', 'Slides are missing from the file', [2])],
    });
  });
});

describe('inReadingOrder', () => {
  const box = (name: string, left: number, top: number, width: number, height: number) => ({
    name,
    frame: { left, top, right: left + width, bottom: top + height },
  });
  const order = (boxes: ReturnType<typeof box>[]): string =>
    inReadingOrder(boxes, 100)
      .map((each) => each.name)
      .join('');

  it('keeps columns of touching boxes together and reads rows of separate ones', () => {
    expect(
      order([box('b', 0, 21, 40, 60), box('d', 60, 21, 40, 60), box('a', 0, 0, 40, 20), box('c', 60, 0, 40, 20)]),
    ).toBe('abcd');
    expect(
      order([box('d', 55, 60, 40, 30), box('b', 55, 10, 40, 30), box('c', 5, 60, 40, 30), box('a', 5, 10, 40, 30)]),
    ).toBe('abcd');
  });

  it('orders overlapping boxes by their top', () => {
    expect(order([box('b', 0, 10, 90, 80), box('a', 5, 5, 90, 80)])).toBe('ab');
  });
});
