/** Generates one ordinary file of each format, always the same: input for the benchmark and the robustness run. */
import { utils, write } from '@e965/xlsx';
import sharp from 'sharp';
import { makeZip } from '../archive/testing/make-zip.ts';
import { paragraphPicture } from '../ocr/testing/text-picture.ts';
import { docxParts, numbered, paragraph, styled } from '../office/testing/docx-parts.ts';
import { odfParts } from '../office/testing/odf-parts.ts';
import { pack, type Parts } from '../office/testing/parse-parts.ts';
import { list, nest, numbers, persist, presentation, record, shape, slide, text } from '../office/testing/ppt-file.ts';
import * as pptx from '../office/testing/pptx-parts.ts';
import { word97File } from '../office/testing/word-file.ts';
import * as xlsx from '../office/testing/xlsx-parts.ts';
import { makeEpub } from '../formats/epub/testing/epub-parts.ts';
import { makePdf, TestPage } from '../formats/pdf/testing/make-pdf.ts';

export interface SampleFile {
  name: string;
  bytes: Buffer;
}

const SENTENCES = [
  'The harbour master keeps a book of every ship that enters the port.',
  'Each entry names the vessel, its master and the day of its arrival.',
  'Dues are paid before the cargo is landed, and a receipt is given.',
  'Vessels that carry powder lie at the outer mole until they are cleared.',
  'Nobody has asked for the book since the lighthouse was built.',
];
const HEADERS = ['Ship', 'Home port', 'Arrived', 'Tons'];
const prose = (start: number, count: number): string =>
  Array.from({ length: count }, (_, index) => SENTENCES[(start + index) % SENTENCES.length]).join(' ');
const row = (index: number): string[] => [
  `Vessel ${index}`,
  index % 2 === 0 ? 'Bergen' : 'Riga',
  `1 May ${index}`,
  `${index * 12}`,
];
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** `pages` is the number of pages of the PDF; other files have a typical size. */
export async function sampleFiles(pages = 20): Promise<SampleFile[]> {
  return [
    { name: 'report.pdf', bytes: makePdf(times(pages, pdfPage), { title: 'Harbour report' }) },
    ...officeFiles(),
    ...textFiles(),
    ...(await pictures()),
  ];
}

function officeFiles(): SampleFile[] {
  const sheet = utils.aoa_to_sheet([HEADERS, ...times(200, row)]);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Arrivals');
  return [
    { name: 'report.docx', bytes: ooxml(`${WORD}.document.main+xml`, docxParts(times(20, docxSection).join(''))) },
    {
      name: 'report.doc',
      bytes: Buffer.from(word97File(times(12, (n) => ({ text: prose(n, 1), style: n % 6 === 0 ? 1 : 0 })))),
    },
    {
      name: 'arrivals.xlsx',
      bytes: ooxml(`${SHEET}.sheet.main+xml`, xlsx.xlsxParts([{ name: 'Arrivals', xml: sheetXml() }])),
    },
    { name: 'arrivals.xls', bytes: Buffer.from(write(book, { type: 'array', bookType: 'biff8' })) },
    {
      name: 'talk.pptx',
      bytes: ooxml(`${SLIDES}.presentation.main+xml`, pptx.pptxParts(times(20, pptxSlide), { 'ppt/notes.xml': NOTES })),
    },
    { name: 'talk.ppt', bytes: Buffer.from(pptFile(20)) },
    { name: 'report.odt', bytes: odf('text', odtBody()) },
    { name: 'arrivals.ods', bytes: odf('spreadsheet', odfTable('Arrivals', 200)) },
    { name: 'talk.odp', bytes: odf('presentation', times(20, odpPage).join('')) },
    { name: 'tales.epub', bytes: makeEpub({ chapters: Object.fromEntries(times(20, chapter)) }) },
  ];
}

const chapter = (n: number): [string, string] => [
  `chapter-${n}.xhtml`,
  `<h1>Part ${n}</h1>${times(6, (index) => `<p>${prose(n + index, 4)}</p>`).join('')}`,
];

function textFiles(): SampleFile[] {
  const markdown = times(
    20,
    (n) => `## Part ${n}\n\n${prose(n, 4)}\n\n- ${prose(n, 1)}\n- ${prose(n + 1, 1)}\n\n${pipes(5)}`,
  );
  const table = `<table><tr>${cells(HEADERS, 'th')}</tr>${times(5, (n) => `<tr>${cells(row(n), 'td')}</tr>`).join('')}</table>`;
  const html = times(20, (n) => `<h2>Part ${n}</h2><p>${prose(n, 4)}</p><ul><li>${prose(n, 1)}</li></ul>${table}`);
  const named: [string, string][] = [
    ['report.txt', times(40, (n) => prose(n, 4)).join('\n\n')],
    ['report.md', `# Harbour report\n\n${markdown.join('\n\n')}\n`],
    ['report.html', `<!doctype html><title>Harbour report</title><main><h1>Harbour report</h1>${html.join('')}</main>`],
    ['arrivals.csv', [HEADERS, ...times(200, row)].map((line) => line.join(',')).join('\n')],
    [
      'arrivals.json',
      JSON.stringify({ port: 'Bergen', arrivals: times(100, (n) => ({ ship: row(n)[0], note: prose(n, 1) })) }),
    ],
  ];
  return [
    ...named.map(([name, content]) => ({ name, bytes: Buffer.from(content) })),
    { name: 'files.zip', bytes: makeZip(named.map(([name, data]) => ({ name: `in/${name}`, data }))) },
  ];
}

async function pictures(): Promise<SampleFile[]> {
  const png = await paragraphPicture();
  const jpeg = await sharp(png).jpeg().toBuffer();
  const svg = times(10, (n) => `<text x="20" y="${40 + n * 30}">${prose(n, 1)}</text>`);
  return [
    { name: 'scan.png', bytes: png },
    { name: 'scan.jpg', bytes: jpeg },
    { name: 'scan.tiff', bytes: await sharp(png).tiff({ compression: 'lzw' }).toBuffer() },
    {
      name: 'drawing.svg',
      bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">${svg.join('')}</svg>`),
    },
    { name: 'scan.pdf', bytes: makePdf([new TestPage(620, 450).scan(jpeg, { width: 1240, height: 900 })]) },
  ];
}

function pdfPage(index: number): TestPage {
  const page = new TestPage().text(60, 80, `${index + 1} Part of the report`, { size: 16, font: 'bold' });
  for (const part of times(5, (n) => n)) page.lines(60, 110 + part * 75, SENTENCES.toSpliced(part, 1), { size: 10 });
  [HEADERS, ...times(8, row)].forEach((line, y) => {
    page.rule(60, 520 + y * 16, 500, 520 + y * 16);
    line.forEach((cell, x) => page.text(64 + x * 110, 532 + y * 16, cell));
  });
  return page.rule(60, 664, 500, 664).text(290, 810, `${index + 1}`);
}

function docxSection(index: number): string {
  const cell = (value: string): string => `<w:tc>${paragraph(value)}</w:tc>`;
  const lines = [HEADERS, ...times(5, row)].map((line) => `<w:tr>${line.map(cell).join('')}</w:tr>`);
  const parts = [styled('H1', `Part ${index}`), paragraph(prose(index, 4)), paragraph(prose(index + 1, 3))];
  return [
    ...parts,
    numbered(1, 0, prose(index, 1)),
    numbered(2, 0, prose(index + 1, 1)),
    `<w:tbl>${lines.join('')}</w:tbl>`,
  ].join('');
}

function sheetXml(): string {
  const line = (values: readonly string[], index: number): string =>
    `<row r="${index + 1}">${values.map((value, column) => xlsx.text(`${'ABCD'[column]}${index + 1}`, value)).join('')}</row>`;
  return `<sheetData>${[HEADERS, ...times(200, row)].map(line).join('')}</sheetData>`;
}

const NOTES = pptx.slide(pptx.shape({ placeholder: '<p:ph type="body"/>', paragraphs: pptx.line(prose(0, 2)) }));

function pptxSlide(index: number): string {
  const title = pptx.shape({ placeholder: '<p:ph type="title"/>', paragraphs: pptx.line(`Part ${index}`) });
  const bullets = times(5, (n) => pptx.line(prose(index + n, 1))).join('');
  return title + pptx.shape({ placeholder: '<p:ph type="body" idx="1"/>', paragraphs: bullets });
}

function pptFile(slides: number): Uint8Array {
  const persists = times(slides, (n) => persist(n + 2, 256 + n));
  const document = nest(1000, record(1001, numbers(1000, 800)), list(0, ...persists));
  const body = (n: number): Buffer => shape(text(1, times(4, (k) => prose(n + k, 1)).join('\r')), 200, 100, 900, 700);
  return presentation([
    document,
    ...times(slides, (n) => slide(0, shape(text(0, `Part ${n}`), 0, 100, 900, 100), body(n))),
  ]);
}

const OFFICE_XML = 'application/vnd.openxmlformats-officedocument';
const WORD = `${OFFICE_XML}.wordprocessingml`;
const SHEET = `${OFFICE_XML}.spreadsheetml`;
const SLIDES = `${OFFICE_XML}.presentationml`;

function ooxml(contentType: string, parts: Parts): Buffer {
  const types = `<Types><Override PartName="/main.xml" ContentType="${contentType}"/></Types>`;
  return Buffer.from(pack({ '[Content_Types].xml': types, ...parts }));
}

const OFFICE = 'application/vnd.oasis.opendocument';

function odf(kind: 'text' | 'spreadsheet' | 'presentation', body: string): Buffer {
  const parts = { mimetype: `${OFFICE}.${kind}`, ...odfParts(`<office:${kind}>${body}</office:${kind}>`) };
  return Buffer.from(pack(parts));
}

function odtBody(): string {
  const part = (index: number): string =>
    `<text:h text:outline-level="1">Part ${index}</text:h><text:p>${prose(index, 4)}</text:p>${odfTable(`t${index}`, 5)}`;
  return times(20, part).join('');
}

function odfTable(name: string, rows: number): string {
  const cell = (value: string): string => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`;
  const lines = [HEADERS, ...times(rows, row)].map(
    (line) => `<table:table-row>${line.map(cell).join('')}</table:table-row>`,
  );
  return `<table:table table:name="${name}">${lines.join('')}</table:table>`;
}

function odpPage(index: number): string {
  const frame = (kind: string, content: string): string =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
  const bullets = times(4, (n) => `<text:p>${prose(index + n, 1)}</text:p>`).join('');
  return `<draw:page>${frame('title', `<text:p>Part ${index}</text:p>`)}${frame('outline', bullets)}</draw:page>`;
}

const pipes = (rows: number): string =>
  [HEADERS, HEADERS.map(() => '---'), ...times(rows, row)].map((line) => `| ${line.join(' | ')} |`).join('\n');
const cells = (values: readonly string[], tag: string): string =>
  values.map((value) => `<${tag}>${value}</${tag}>`).join('');
