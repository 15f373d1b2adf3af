import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { reader as docx } from '@quire/parse/formats/docx/docx';
import { reader as odt } from '@quire/parse/formats/odf/odf';
import { reader as pptx } from '@quire/parse/formats/pptx/pptx';
import { docxParts, paragraph, WORD_NAMESPACES } from '@quire/parse/office/testing/docx-parts';
import { outline, pack, parseBytes } from '@quire/parse/office/testing/parse-parts';
import { text as textCell, xlsxParts } from '@quire/parse/office/testing/xlsx-parts';
import { reader as xlsx } from '@quire/parse/formats/xlsx/xlsx';
import { editBytes } from '../testing/edit-bytes.ts';

const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const runs = (...texts: string[]): string => `<w:p>${texts.map((text) => run(text)).join('')}</w:p>`;

async function editDocx(body: string, operations: object[], extra = {}) {
  const edited = await editBytes(pack(docxParts(body, extra)), 'docx', operations);
  const parts = unzipSync(edited.files[0]!);
  return { ...edited, parts, document: Buffer.from(parts['word/document.xml']!).toString(), bytes: edited.files[0]! };
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe('text in Word documents', () => {
  it('replaces a text across runs with the formatting of its first run', async () => {
    const body = `<w:p>${run('The ', '<w:b/>')}${run('Acme ', '<w:i/>')}${run('Corpo')}${run('ration pays')}</w:p>`;
    const { document, operations } = await editDocx(body, [
      { type: 'replaceText', find: 'Acme Corporation', replace: 'Beta & Co' },
    ]);
    expect(document).toContain(`${run('The ', '<w:b/>')}${run('Beta &amp; Co', '<w:i/>')}${run('')}${run(' pays')}`);
    expect(operations).toEqual([{ type: 'replaceText', changes: 1 }]);
  });

  it('edits headers, notes, text boxes and table cells, and leaves every other part unchanged', async () => {
    const header = `<w:hdr ${WORD_NAMESPACES}>${paragraph('old head')}</w:hdr>`;
    const notes = `<w:footnotes ${WORD_NAMESPACES}><w:footnote w:id="2">${paragraph('old note')}</w:footnote></w:footnotes>`;
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx><w:txbxContent>${paragraph('old box')}</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><v:textbox><w:txbxContent>${paragraph('old box')}</w:txbxContent></v:textbox></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const table = `<w:tbl><w:tr><w:tc>${paragraph('old cell')}</w:tc></w:tr></w:tbl>`;
    const extra = { 'word/header1.xml': header, 'word/footnotes.xml': notes };
    const before = unzipSync(pack(docxParts(box + table, extra)));
    const { parts, document, operations } = await editDocx(
      box + table,
      [{ type: 'replaceText', find: 'old', replace: 'new' }],
      extra,
    );
    expect(operations).toEqual([{ type: 'replaceText', changes: 4 }]);
    expect(document.match(/new box/g)).toHaveLength(2);
    expect(document).not.toContain('old');
    for (const name of Object.keys(before)) {
      const changed = ['word/document.xml', 'word/header1.xml', 'word/footnotes.xml'].includes(name);
      expect([name, Buffer.compare(Buffer.from(parts[name]!), Buffer.from(before[name]!)) !== 0]).toEqual([
        name,
        changed,
      ]);
    }
  });

  it('equals the replacement in the joined text, however the text is split into runs', async () => {
    const word = fc.constantFrom('a', 'b', 'ab', ' ', '<', '&', 'é', '😀');
    const texts = fc.array(
      fc.array(word, { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('a', 'ab', 'b ', '<&', 'ba'), texts, async (pieces, find, other) => {
        const replacement = other.join('');
        const body = runs(...pieces.map(escape));
        const { document } = await editDocx(body, [{ type: 'replaceText', find, replace: replacement }]);
        const texts = [...document.matchAll(/<w:t [^>]*>([^<]*)<\/w:t>/g)].map((found) => found[1]);
        const joined = texts.join('').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
        expect(joined).toBe(pieces.join('').split(find).join(replacement));
      }),
      { numRuns: 60 },
    );
  });

  it('replaces patterns with groups across tabs and line breaks', async () => {
    const body = `<w:p>${run('Due: 2024')}<w:r><w:tab/></w:r>${run('05')}<w:r><w:br/></w:r>${run('17!')}</w:p>`;
    const { bytes } = await editDocx(body, [
      { type: 'replacePattern', pattern: String.raw`(?P<y>\d{4})\s(\d\d)\s(\d\d)`, replace: '$3.$2.${y}' },
    ]);
    expect(outline((await parseBytes(docx, bytes, 'docx')).blocks)).toEqual(['paragraph: Due: 17.05.2024!']);
  });

  it('keeps white space at the edge of a text and writes line breaks as break elements', async () => {
    const body = '<w:p><w:r><w:t>onetwo</w:t></w:r></w:p>';
    const { document } = await editDocx(body, [
      { type: 'replaceText', find: 'two', replace: ' ' },
      { type: 'replaceText', find: 'one', replace: 'x\ny' },
    ]);
    expect(document).toContain('<w:t xml:space="preserve">x</w:t><w:br/><w:t xml:space="preserve">y </w:t>');
  });

  it('reports an operation that changed nothing and rejects one for other formats', async () => {
    const body = paragraph('text');
    const { operations } = await editDocx(body, [{ type: 'replaceText', find: 'absent', replace: '' }]);
    expect(operations).toEqual([{ type: 'replaceText', changes: 0 }]);
    await expect(editDocx(body, [{ type: 'setCell', cell: 'A1', value: 1 }])).rejects.toMatchObject({
      type: 'unsupported',
      message: 'Operation 1 (setCell) applies to xlsx; this file is docx',
    });
  });

  it('rejects a document type declaration', async () => {
    const document = '<!DOCTYPE w [<!ENTITY a "aaaa">]><w:document><w:body>&a;</w:body></w:document>';
    await expect(
      editDocx('', [{ type: 'replaceText', find: 'a', replace: 'b' }], { 'word/document.xml': document }),
    ).rejects.toMatchObject({ type: 'corrupt' });
  });
});

describe('placeholders', () => {
  it('fills placeholders across runs, repeats table rows and reports names without a value', async () => {
    const row = `<w:tr w14:paraId="1"><w:tc>${runs('{{it', 'ems.name}}')}</w:tc><w:tc>${paragraph('{{items.price}}')}</w:tc></w:tr>`;
    const body = `${runs('Dear {', '{ name }', '}, {{other}}')}<w:tbl><w:tr><w:tc>${paragraph('Item')}</w:tc><w:tc>${paragraph('Price')}</w:tc></w:tr>${row}</w:tbl>`;
    const { bytes, operations } = await editDocx(body, [
      {
        type: 'fillPlaceholders',
        values: {
          name: 'Ada',
          items: [
            { name: 'Tea', price: 4.5 },
            { name: 'Milk <1 l>', price: 1 },
          ],
          unused: 'x',
        },
      },
    ]);
    expect(outline((await parseBytes(docx, bytes, 'docx')).blocks)).toEqual([
      'paragraph: Dear Ada, {{other}}',
      'table: Item | Price / Tea | 4.5 / Milk <1 l> | 1',
    ]);
    expect(operations).toEqual([
      {
        type: 'fillPlaceholders',
        changes: 5,
        notes: ['{{other}} has no value and was left unchanged', 'The document has no placeholder for unused'],
      },
    ]);
  });

  it('removes the row for an empty list', async () => {
    const row = (text: string): string => `<w:tr><w:tc>${paragraph(text)}</w:tc></w:tr>`;
    const { bytes } = await editDocx(`<w:tbl>${row('Head')}${row('{{l.a}}')}</w:tbl>`, [
      { type: 'fillPlaceholders', values: { l: [] } },
    ]);
    expect(outline((await parseBytes(docx, bytes, 'docx')).blocks)).toEqual(['paragraph: Head']);
  });
});

describe('rows of spreadsheets', () => {
  const strings = ['{{items.name}}', '{{items.count}}', 'Total of {{title}}', 'at {{items.price}} each'];
  const sharedStrings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${strings.map((each) => `<si><t>${each}</t></si>`).join('')}</sst>`;
  const sheet = `<sheetData><row r="2" spans="1:4"><c r="A2" t="s" s="1"><v>0</v></c><c r="B2" t="s" s="2"><v>1</v></c><c r="C2" t="s"><v>3</v></c><c r="D2"><f>B2*10</f><v>0</v></c></row><row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3"><f>SUM(B2:B2)+LEN("B2")+B2</f></c></row></sheetData><mergeCells count="1"><mergeCell ref="C3:D4"/></mergeCells>`;
  const fill = async (items: object[]) => {
    const bytes = pack(xlsxParts([{ name: 'One', xml: sheet }], { extra: { 'xl/sharedStrings.xml': sharedStrings } }));
    const { files, operations } = await editBytes(bytes, 'xlsx', [
      { type: 'fillPlaceholders', values: { items, title: 'May' } },
    ]);
    const parts = unzipSync(files[0]!);
    return { operations, xml: Buffer.from(parts['xl/worksheets/sheet0.xml']!).toString(), file: files[0]! };
  };

  it('are repeated for a list, and the rows below move together with references to them', async () => {
    const { xml, operations, file } = await fill([
      { name: 'Tea', count: 2, price: 4.5 },
      { name: 'Salt & Co', count: 3, price: 1 },
    ]);
    expect(xml).toContain(
      '<row r="2" spans="1:4"><c r="A2" s="1" t="inlineStr"><is><t>Tea</t></is></c><c r="B2" s="2"><v>2</v></c><c r="C2" t="inlineStr"><is><t>at 4.5 each</t></is></c><c r="D2"><f>B2*10</f><v>0</v></c></row>' +
        '<row r="3" spans="1:4"><c r="A3" s="1" t="inlineStr"><is><t>Salt &amp; Co</t></is></c><c r="B3" s="2"><v>3</v></c><c r="C3" t="inlineStr"><is><t>at 1 each</t></is></c><c r="D3"><f>B3*10</f><v>0</v></c></row>' +
        '<row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4"><f>SUM(B2:B3)+LEN("B2")+B2</f></c></row></sheetData><mergeCells count="1"><mergeCell ref="C4:D5"/>',
    );
    expect(operations).toEqual([{ type: 'fillPlaceholders', changes: 7 }]);
    expect(outline((await parseBytes(xlsx, file, 'xlsx')).blocks).join('\n')).toContain('Total of May');
  });

  it('are removed for an empty list', async () => {
    const { xml, operations } = await fill([]);
    expect(xml).toContain('<sheetData><row r="2"><c r="A2" t="s"><v>2</v></c>');
    expect(operations[0]).toMatchObject({ changes: 2 });
  });
});

describe('slides, sheets and OpenDocument', () => {
  it('replaces text of slides across runs and line breaks', async () => {
    const slide = `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:rPr b="1"/><a:t>Q3 re</a:t></a:r><a:r><a:t>sults</a:t></a:r><a:br><a:rPr/></a:br><a:r><a:t>end</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;
    const parts = { 'ppt/slides/slide1.xml': slide, 'ppt/presentation.xml': '<a/>' };
    const { files, operations } = await editBytes(pack(parts), 'pptx', [
      { type: 'replaceText', find: 'results\nend', replace: 'plan\nnow' },
    ]);
    const edited = Buffer.from(unzipSync(files[0]!)['ppt/slides/slide1.xml']!).toString();
    expect(operations[0]!.changes).toBe(1);
    expect(edited).toContain(
      '<a:r><a:rPr b="1"/><a:t>Q3 plan</a:t></a:r><a:br><a:rPr b="1"/></a:br><a:r><a:rPr b="1"/><a:t>now</a:t></a:r><a:r><a:t></a:t></a:r><a:r><a:t></a:t></a:r>',
    );
    expect(pptx.parse).toBeDefined();
  });

  it('replaces shared and inline strings of sheets and writes cells with their style', async () => {
    const rows = `<sheetData><row r="2"><c r="A2" t="s" s="1"><v>1</v></c><c r="C2" s="3"><v>7</v></c></row><row r="4">${textCell('B4', 'rich cell')}</row></sheetData>`;
    const bytes = pack(xlsxParts([{ name: 'One', xml: rows }]));
    const { files, operations } = await editBytes(bytes, 'xlsx', [
      { type: 'replaceText', find: 'rich', replace: 'poor' },
      { type: 'setCell', cell: 'C2', value: 12.5 },
      { type: 'setCell', sheet: 'one', cell: 'B2', value: 'a < b' },
      { type: 'setCell', cell: 'A3', value: true },
      { type: 'setCell', cell: 'D9', formula: '=SUM(C2:C3)' },
    ]);
    expect(operations.map((each) => each.changes)).toEqual([2, 1, 1, 1, 1]);
    const sheet = Buffer.from(unzipSync(files[0]!)['xl/worksheets/sheet0.xml']!).toString();
    expect(sheet).toContain(
      '<row r="2"><c r="A2" t="s" s="1"><v>1</v></c><c r="B2" t="inlineStr"><is><t xml:space="preserve">a &lt; b</t></is></c><c r="C2" s="3"><v>12.5</v></c></row><row r="3"><c r="A3" t="b"><v>1</v></c></row>',
    );
    expect(sheet).toContain('<row r="9"><c r="D9"><f>SUM(C2:C3)</f></c></row></sheetData>');
    const { blocks } = await parseBytes(xlsx, files[0]!, 'xlsx');
    expect(outline(blocks).join('\n')).toContain('poor text');
    await expect(editBytes(bytes, 'xlsx', [{ type: 'setCell', sheet: 'Two', cell: 'A1', value: 1 }])).rejects.toThrow(
      'There is no sheet Two; the sheets are: One',
    );
  });

  it('replaces text of OpenDocument paragraphs across spans and repeated spaces', async () => {
    const namespaces = ['office', 'text', 'table']
      .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
      .join(' ');
    const content = `<office:document-content ${namespaces}><office:body><office:text><text:p>To<text:span> Jo</text:span>hn<text:s text:c="2"/>Doe<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>John Doe</text:p></text:note-body></text:note>!</text:p></office:text></office:body></office:document-content>`;
    const bytes = pack({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content });
    const { files, operations } = await editBytes(bytes, 'odt', [
      { type: 'replacePattern', pattern: 'John +Doe', replace: 'Ada  B' },
    ]);
    expect(operations[0]!.changes).toBe(2);
    expect(Buffer.from(unzipSync(files[0]!)['content.xml']!).toString()).toContain(
      'To<text:span> Ada <text:s text:c="1"/>B</text:span><text:note>',
    );
    expect(outline((await parseBytes(odt, files[0]!, 'odt')).blocks)[0]).toContain('To Ada  B');
  });
});
