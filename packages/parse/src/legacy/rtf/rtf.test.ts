import { describe, expect, it } from 'vitest';
import { reader } from './rtf.ts';
import { outline, parseBytes } from '../../office/testing/parse-parts.ts';

const parse = (body: string, head = '') =>
  parseBytes(reader, Buffer.from(`{\\rtf1\\ansi\\ansicpg1252${head} ${body}}`, 'latin1'), 'rtf');
const read = async (body: string, head = ''): Promise<string[]> => outline((await parse(body, head)).blocks);

describe('rtf', () => {
  it('reads characters by code page, font, Unicode with fallback, and name', async () => {
    const fonts =
      '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 Gothic;}{\\f3\\fcharset2 Symbol;}}';
    expect(await read("\\f0 caf\\'e9 {\\f1 \\'cc\\'e8\\'f0} {\\f2 \\'93\\'fa\\'96\\'7b} {\\f3 a}\\par", fonts)).toEqual(
      ['paragraph: café Мир 日本 α'],
    );
    expect(await read("\\f0 \\'93don\\'92t\\'94 \\'97 \\'80\\par", fonts)).toEqual(['paragraph: “don’t” — €']);
    expect(await read('\\uc1\\u8364?5 \\uc2\\u-10179??\\u-8704??\\emdash\\~x\\par')).toEqual([
      'paragraph: €5 😀—\u00a0x',
    ]);
  });

  it('makes headings of styles and outline levels, and reads the title', async () => {
    const styles =
      '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\*\\cs10 Default;}}{\\info{\\title A report}}';
    const parsed = await parse('\\pard\\s1 One\\par\\pard\\outlinelevel1 Two\\par\\pard text\\par', styles);
    expect(outline(parsed.blocks)).toEqual(['heading 1: One', 'heading 2: Two', 'paragraph: text']);
    expect(parsed.title).toBe('A report');
  });

  it('reads lists by the labels in the file', async () => {
    const body =
      "{\\listtext\\'b7\\tab}\\ls1 dot\\par{\\listtext\\'b7\\tab}\\ls1\\ilvl1 inner\\par\\pard between\\par" +
      '{\\listtext 3.\\tab}\\ls2 three\\par{\\listtext (a)\\tab}\\ls2\\ilvl1 letter\\par';
    expect(await read(body)).toEqual([
      'list: ',
      '  listItem 1: dot',
      '    list: ',
      '      listItem 2: inner',
      'paragraph: between',
      'list 3.: ',
      '  listItem 1: three',
      '    list: ',
      '      listItem 2: (a) letter',
    ]);
  });

  it('reads tables with spans, and tables in cells', async () => {
    const body =
      '\\trowd\\cellx2000\\cellx3000\\pard\\intbl wide\\cell c\\cell\\row' +
      '\\trowd\\clvmgf\\cellx1000\\cellx2000\\cellx3000\\pard\\intbl tall\\cell 1\\cell 2\\cell\\row' +
      '\\trowd\\clvmrg\\cellx1000\\cellx2000\\cellx3000\\pard\\intbl\\cell 3\\cell 4\\cell\\row\\pard after\\par';
    expect(await read(body)).toEqual(['table: wide<1x2> | c / tall<2x1> | 1 | 2 / 3 | 4', 'paragraph: after']);
    const nested =
      '\\pard\\intbl\\itap2 a\\nestcell b\\nestcell{\\*\\nesttableprops\\trowd\\cellx500\\cellx900\\nestrow}' +
      '\\pard\\intbl\\itap1 end\\cell x\\cell\\trowd\\cellx1000\\cellx2000\\row\\pard\\par';
    expect(await read(nested)).toEqual(['table: a b\nend | x']);
  });

  it('links fields, and leaves pictures, headers, hidden and unknown text out', async () => {
    const body =
      '{\\header top}{\\*\\unknown x}{\\pict 0a0b}{\\v secret}{\\deleted gone}see ' +
      '{\\field{\\*\\fldinst HYPERLINK "https://example.org/"}{\\fldrslt here}} now\\par';
    expect((await parse(body)).blocks).toEqual([
      { type: 'paragraph', text: 'see here now', links: [{ start: 4, end: 8, href: 'https://example.org/' }] },
    ]);
  });

  it('reads text boxes of both notations once, and the displayed content of objects', async () => {
    const old = '{\\*\\do\\dobxpage{\\dptxbx{\\dptxbxtext old\\par}}\\dpx1}';
    expect(await read(`${old} by\\par`)).toEqual(['paragraph: old', 'paragraph: by']);
    const both = `{\\shp{\\*\\shpinst{\\shptxt boxed\\par}}{\\shprslt${old}}}`;
    expect(await read(`${both} by\\par`)).toEqual(['paragraph: boxed', 'paragraph: by']);
    expect(await read('{\\object{\\*\\objdata 0105}{\\result shown}} by\\par')).toEqual(['paragraph: shown by']);
  });

  it('puts footnotes after the body and text boxes before their paragraph', async () => {
    const box = '{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt boxed\\par}}}';
    expect(await read(`Claim{\\footnote Source\\par} here${box}\\par`)).toEqual([
      'paragraph: boxed',
      'paragraph: Claim[1] here',
      'footnote: [1] Source',
    ]);
  });

  it('restores the paragraph settings after a group, and accepts the star only at its start', async () => {
    const list = '\\pard\\ls1\\ilvl1{\\listtext\\pard -}one\\par';
    expect(await read(`\\pard\\ls1{\\listtext -}zero\\par${list}{\\b\\*\\cs7 two}\\par`)).toEqual([
      'list: ',
      '  listItem 1: zero',
      '    list: ',
      '      listItem 2: one',
      '      listItem 2: two',
    ]);
  });

  it('reads headers if there is no other text', async () => {
    expect(await read('{\\header letterhead\\par}\\pard\\par')).toEqual(['paragraph: letterhead']);
  });

  it('accepts broken groups and skips binary data', async () => {
    expect(await read(`}}{\\bin4 {{{{a${'{'.repeat(5000)}b\\'zz\\`)).toEqual(['paragraph: ab}']);
  });

  it('calls other content corrupt', async () => {
    await expect(parseBytes(reader, Buffer.from('hello'), 'rtf')).rejects.toMatchObject({ type: 'corrupt' });
  });
});
