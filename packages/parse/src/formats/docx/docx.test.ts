import { describe, expect, it } from 'vitest';
import { reader } from './docx.ts';
import { docxParts, numbered, paragraph, styled, WORD_NAMESPACES } from '../../office/testing/docx-parts.ts';
import { outline, pack, parseBytes } from '../../office/testing/parse-parts.ts';
import type { Parts } from '../../office/testing/parse-parts.ts';

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;

const table = (...rows: string[]): string => `<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`;

const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

const points = (...values: string[]): string =>
  values.map((v, i) => `<c:pt idx="${i}"><c:v>${v}</c:v></c:pt>`).join('');

async function read(body: string, extra: Parts = {}): Promise<string[]> {
  const parsed = await parseBytes(reader, pack(docxParts(body, extra)), 'docx');
  return outline(parsed.blocks);
}

describe('docx paragraphs', () => {
  it('turns outline levels, also inherited ones, into headings one level below a title', async () => {
    expect(await read(styled('H1', 'One') + styled('Mine', 'Two') + paragraph('Body'))).toEqual([
      'heading 1: One',
      'heading 1: Two',
      'paragraph: Body',
    ]);
    expect(await read(styled('Ttl', 'Report') + styled('H1', 'One'))).toEqual(['heading 1: Report', 'heading 2: One']);
  });

  it('nests lists, keeps numbers, and leaves labels that are not plain numbers in the text', async () => {
    const body = [
      numbered(1, 0, 'dot'),
      numbered(1, 1, 'ring'),
      paragraph('between'),
      numbered(2, 0, 'first'),
      numbered(2, 1, 'letter'),
      numbered(2, 2, 'deep'),
      numbered(2, 0, 'second'),
      paragraph('again'),
      numbered(2, 0, 'third'),
      paragraph('new'),
      numbered(3, 0, 'seventh'),
    ];
    expect(await read(body.join(''))).toEqual([
      'list: ',
      '  listItem 1: dot',
      '    list: ',
      '      listItem 2: ring',
      'paragraph: between',
      'list 1.: ',
      '  listItem 1: first',
      '    list: ',
      '      listItem 2: (a) letter',
      '        list: ',
      '          listItem 3: 1.1 deep',
      '  listItem 1: second',
      'paragraph: again',
      'list 3.: ',
      '  listItem 1: third',
      'paragraph: new',
      'list 7.: ',
      '  listItem 1: seventh',
    ]);
  });

  it('joins code lines with their indentation and recognises monospaced code without a style', async () => {
    const mono = '<w:p><w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>x = f(1);</w:t></w:r></w:p>';
    const memo = '<w:p><w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>A typed memo.</w:t></w:r></w:p>';
    expect(
      await read(styled('Src', 'if a:') + styled('Src', '  b()') + memo + mono + styled('Cap', 'Table 1')),
    ).toEqual(['code: if a:\n  b()', 'paragraph: A typed memo.', 'code: x = f(1);', 'caption: Table 1']);
  });

  it('reads tracked changes as accepted, also a deleted end of paragraph', async () => {
    const body =
      '<w:p><w:r><w:t xml:space="preserve">keep </w:t></w:r><w:del><w:r><w:delText>old</w:delText></w:r></w:del>' +
      '<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:p>' +
      paragraph('one ', '<w:rPr><w:del/></w:rPr>') +
      paragraph('two');
    expect(await read(body)).toEqual(['paragraph: keep new', 'paragraph: one two']);
  });

  it('leaves hidden text and field instructions out and links hyperlinks of both kinds', async () => {
    const body =
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t xml:space="preserve">see </w:t></w:r>' +
      '<w:hyperlink r:id="r3"><w:r><w:t>here</w:t></w:r></w:hyperlink><w:r><w:t xml:space="preserve"> or </w:t></w:r>' +
      `${mark('begin')}<w:r><w:instrText>HYPERLINK "https://example.net/"</w:instrText></w:r>${mark('separate')}` +
      `<w:r><w:t>there</w:t></w:r>${mark('end')}</w:p>`;
    const parsed = await parseBytes(reader, pack(docxParts(body)), 'docx');
    expect(parsed.blocks).toEqual([
      {
        type: 'paragraph',
        text: 'see here or there',
        links: [
          { start: 4, end: 8, href: 'https://example.org/' },
          { start: 12, end: 17, href: 'https://example.net/' },
        ],
      },
    ]);
  });

  it('reads any prefix for the same namespace', async () => {
    const strict = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
    const document = `<x:document xmlns:x="${strict}"><x:body><x:p><x:pPr><x:outlineLvl x:val="1"/></x:pPr><x:r><x:t>Hi</x:t></x:r></x:p></x:body></x:document>`;
    expect(await read('', { 'word/document.xml': document })).toEqual(['heading 2: Hi']);
  });
});

describe('docx tables', () => {
  it('reads spans in both directions, header rows, and drops deleted rows', async () => {
    const body = table(
      `<w:trPr><w:tblHeader/></w:trPr>${cell('A')}${cell('BC', '<w:gridSpan w:val="2"/>')}`,
      cell('tall', '<w:vMerge w:val="restart"/>') + cell('1') + cell('2'),
      `<w:trPr><w:del/></w:trPr>${cell('x')}${cell('x')}${cell('x')}`,
      cell('', '<w:vMerge/>') + cell('3') + cell('4'),
    );
    expect(await read(body)).toEqual(['table: *A | *BC<1x2> / tall<2x1> | 1 | 2 / 3 | 4']);
  });

  it('unwraps a table of one cell and flattens a table inside a cell', async () => {
    expect(await read(table(`<w:tc>${styled('H1', 'Boxed')}${paragraph('text')}</w:tc>`))).toEqual([
      'heading 1: Boxed',
      'paragraph: text',
    ]);
    const inner = table(cell('a') + cell('b'));
    expect(await read(table(`<w:tc>${paragraph('outer')}${inner}${paragraph('')}</w:tc>${cell('c')}`))).toEqual([
      'table: outer\na b | c',
    ]);
  });
});

describe('docx attachments', () => {
  it('reads a text box once, after its paragraph, and pictures with their description', async () => {
    const box = `<w:txbxContent>${paragraph('in the box')}</w:txbxContent>`;
    const body =
      '<w:p><w:r><w:t>anchor</w:t></w:r><w:r><mc:AlternateContent>' +
      `<mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice>` +
      `<mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="A red fox"/><pic:pic/></wp:inline></w:drawing></w:r></w:p>';
    expect(await read(body)).toEqual(['paragraph: anchor', 'paragraph: in the box', 'figure: A red fox']);
  });

  it('makes standalone formulas blocks and keeps others inline', async () => {
    const fraction = `<m:f><m:num>${run('1')}</m:num><m:den>${run('α')}</m:den></m:f>`;
    const body =
      `<w:p><m:oMathPara><m:oMath>${fraction}</m:oMath></m:oMathPara></w:p>` +
      `<w:p><w:r><w:t xml:space="preserve">with </w:t></w:r><m:oMath><m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath></w:p>`;
    expect(await read(body)).toEqual([String.raw`formula: \frac{1}{\alpha}`, 'paragraph: with $x^{2}$']);
  });

  it('puts footnotes and comments after the body, with the mark at the reference', async () => {
    const body =
      '<w:p><w:r><w:t>Claim</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>';
    const footnotes = `<w:footnotes ${WORD_NAMESPACES}><w:footnote w:id="0" w:type="separator"/><w:footnote w:id="2">${paragraph('Source')}</w:footnote></w:footnotes>`;
    const comments = `<w:comments ${WORD_NAMESPACES}><w:comment w:id="0" w:author="Ada">${paragraph('Really?')}</w:comment></w:comments>`;
    expect(await read(body, { 'word/footnotes.xml': footnotes, 'word/comments.xml': comments })).toEqual([
      'paragraph: Claim[1]',
      'footnote: [1] Source',
      'footnote: Comment (Ada): Really?',
    ]);
  });

  it('indents the styles for deeper lists and starts a new list where the numbers restart', async () => {
    const style = (id: string, name: string, numId: number): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr><w:numPr><w:numId w:val="${numId}"/></w:numPr></w:pPr></w:style>`;
    const styles = `<w:styles ${WORD_NAMESPACES}>${style('LB', 'List Bullet', 1)}${style('LB2', 'List Bullet 2', 1)}</w:styles>`;
    const body =
      styled('LB', 'one') +
      styled('LB2', 'inner') +
      styled('LB', 'two') +
      paragraph('between') +
      numbered(2, 0, 'first') +
      numbered(3, 0, 'seventh') +
      numbered(3, 0, 'eighth');
    expect(await read(body, { 'word/styles.xml': styles })).toEqual([
      'list: ',
      '  listItem 1: one',
      '    list: ',
      '      listItem 2: inner',
      '  listItem 1: two',
      'paragraph: between',
      'list 1.: ',
      '  listItem 1: first',
      'list 7.: ',
      '  listItem 1: seventh',
      '  listItem 1: eighth',
    ]);
  });

  it('formats the numbers of a chart like its cells', async () => {
    const cache = (code: string, ...values: number[]): string =>
      `<c:numRef><c:numCache><c:formatCode>${code}</c:formatCode>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef>`;
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:lineChart><c:ser>' +
      `<c:cat>${cache('yyyy-mm', 45_000, 45_031)}</c:cat><c:val>${cache('0%', 0.25, 0.5)}</c:val>` +
      '</c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>';
    const body =
      '<w:p><w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="r6"/></w:drawing></w:r></w:p>';
    expect(await read(body, { 'word/charts/chart1.xml': chart })).toEqual([
      'figure: ',
      'table: * | * / 2023-03 | 25% / 2023-04 | 50%',
    ]);
  });

  it('reads a chart as its title and a table of its cached numbers', async () => {
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart>' +
      '<c:title><a:t>Ducks</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>Wild</c:v></c:tx>' +
      `<c:cat><c:strCache>${points('2019', '2020')}</c:strCache></c:cat><c:val><c:numCache>${points('3', '0.30000000000000004')}</c:numCache></c:val>` +
      '</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const body =
      '<w:p><w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="r6"/></w:drawing></w:r></w:p>';
    expect(await read(body, { 'word/charts/chart1.xml': chart })).toEqual([
      'figure: Ducks',
      'table: * | *Wild / 2019 | 3 / 2020 | 0.3',
    ]);
  });
});
