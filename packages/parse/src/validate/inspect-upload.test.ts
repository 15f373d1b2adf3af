import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileRefused } from './file-refused.ts';
import { makeZip, type ZipPart } from '../archive/testing/make-zip.ts';
import { makeCompoundFile } from './testing/make-compound-file.ts';
import { inspectUpload, type Inspection } from './inspect-upload.ts';

const limits = {
  maxInflatedBytes: 1_000_000,
  maxArchiveEntries: 100,
  maxArchiveRatio: 100,
  maxArchiveDepth: 3,
  maxPixels: 10_000,
};
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-validate-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function inspect(name: string, content: Buffer | string, hint: string | null = null): Promise<Inspection> {
  const file = path.join(directory, 'upload');
  writeFileSync(file, content);
  return inspectUpload(file, name, hint, limits);
}

async function formatOf(name: string, content: Buffer | string, hint: string | null = null): Promise<string> {
  return (await inspect(name, content, hint)).format;
}

async function refusal(name: string, content: Buffer | string, hint: string | null = null): Promise<FileRefused> {
  try {
    await inspect(name, content, hint);
  } catch (error) {
    if (error instanceof FileRefused) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

async function typeOf(name: string, content: Buffer | string): Promise<string> {
  return (await refusal(name, content)).type;
}

const pdf = '%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n';
const page = '<!DOCTYPE html>\n<html><body>page</body></html>';
const rtf = '{\\rtf1\\ansi text}';
const gif = Buffer.from('GIF89a\x0a\0\x0a\0\x80\0\0', 'latin1');

function officeFile(mainType: string, extra: ZipPart[] = []): Buffer {
  const types = `<Types><Override PartName="/main.xml" ContentType="application/vnd.${mainType}"/></Types>`;
  return makeZip([{ name: '[Content_Types].xml', data: types }, { name: 'main.xml', data: '<x/>' }, ...extra]);
}
const docx = officeFile('openxmlformats-officedocument.wordprocessingml.document.main+xml');
const xlsx = officeFile('openxmlformats-officedocument.spreadsheetml.sheet.main+xml');
const pptm = officeFile('ms-powerpoint.presentation.macroEnabled.main+xml');

const openDocument = (kind: string, extra: ZipPart[] = []): Buffer =>
  makeZip([
    { name: 'mimetype', data: `application/vnd.oasis.opendocument.${kind}`, method: 0 },
    { name: 'content.xml', data: '<x/>' },
    ...extra,
  ]);

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const bytes = Buffer.alloc(8 + body.length);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), 4 + body.length);
  return bytes;
}

function png(width: number, height: number, extra: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(Buffer.alloc(10))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function bmp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(60);
  bytes.write('BM');
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}

const wordDocument = (flags: number): Buffer => {
  const bytes = Buffer.alloc(4096);
  bytes.writeUInt16LE(0xa5ec, 0);
  bytes.writeUInt16LE(flags, 10);
  return bytes;
};
const doc = makeCompoundFile({ WordDocument: wordDocument(0), '1Table': Buffer.alloc(4096) });
const xls = makeCompoundFile({ Workbook: Buffer.alloc(4096) });

describe('inspectUpload detects the format', () => {
  it('and returns its content type and whether it is an archive', async () => {
    expect(await inspect('a.md', '# A')).toEqual({
      format: 'markdown',
      contentType: 'text/markdown',
      isArchive: false,
    });
    expect(await inspect('a.zip', makeZip([{ name: 'a.txt', data: 'x' }]))).toEqual({
      format: 'zip',
      contentType: 'application/zip',
      isArchive: true,
    });
  });

  it.each([
    ['a.pdf', pdf, 'pdf'],
    ['junk-before.pdf', 'x'.repeat(1000) + pdf, 'pdf'],
    ['a.docx', docx, 'docx'],
    ['a.xlsx', xlsx, 'xlsx'],
    ['macros.pptx', pptm, 'pptx'],
    ['a.odt', openDocument('text'), 'odt'],
    ['a.ods', openDocument('spreadsheet'), 'ods'],
    ['a.odp', openDocument('presentation'), 'odp'],
    ['a.doc', doc, 'doc'],
    ['a.xls', xls, 'xls'],
    ['excel5.xls', makeCompoundFile({ Book: Buffer.alloc(4096) }), 'xls'],
    ['excel4.xls', Buffer.from('090406000000100000000a000000', 'hex'), 'xls'],
    ['a.ppt', makeCompoundFile({ 'PowerPoint Document': Buffer.alloc(4096) }), 'ppt'],
    ['a.png', png(10, 10), 'png'],
    ['a.apng', png(10, 10, [pngChunk('acTL', Buffer.alloc(8))]), 'apng'],
    ['a.gif', gif, 'gif'],
    ['a.bmp', bmp(10, -10), 'bmp'],
    ['a.svg', '<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg:svg/>', 'svg'],
    ['a.TXT', 'plain', 'txt'],
    ['a.txt.', 'plain', 'txt'],
    ['.txt', 'plain', 'txt'],
    ['a/b\\c.txt', 'plain', 'txt'],
    ['utf16.txt', Buffer.from('\ufeffGrüße', 'utf16le'), 'txt'],
    ['utf16-unmarked.txt', Buffer.from('Hello there', 'utf16le'), 'txt'],
    ['utf16-russian.txt', Buffer.from('Вчера мы ходили в кино.\nПогода была хорошая.', 'utf16le'), 'txt'],
    ['utf16-chinese.txt', Buffer.from('昨天我们去看了一部新电影。\n天气很好。', 'utf16le').swap16(), 'txt'],
    ['latin1.txt', Buffer.from('caf\xe9', 'latin1'), 'txt'],
    ['shift-jis.csv', Buffer.from('93fa967b8cea2c310a', 'hex'), 'csv'],
    ['a.json', '{"a":1}', 'json'],
    ['a.htm', page, 'html'],
    ['fragment.html', '<p>no page</p>', 'html'],
  ])('of %s', async (name, content, format) => {
    expect(await formatOf(name, content)).toBe(format);
  });

  it.each([
    ['rtf.doc', rtf, 'rtf'],
    ['ooxml.doc', docx, 'docx'],
    ['web page.doc', page, 'html'],
    ['web page.xls', page, 'html'],
    ['new.xls', xlsx, 'xlsx'],
    ['open.docx', openDocument('text'), 'odt'],
    ['gif.png', gif, 'gif'],
    ['animated.png', png(10, 10, [pngChunk('acTL', Buffer.alloc(8))]), 'apng'],
    ['html.txt', page, 'html'],
    ['BM starts like a picture.txt', `BMW${'x'.repeat(60)}`, 'txt'],
    ['polyglot.html', 'GIF89a/*<html><body></body></html>*/', 'html'],
    ['source.txt', '<svg/>', 'txt'],
  ])('by the content if the name has another extension of the family: %s', async (name, content, format) => {
    expect(await formatOf(name, content)).toBe(format);
  });

  it('by content or hint if the name has no extension', async () => {
    expect(await formatOf('report', pdf)).toBe('pdf');
    expect(await formatOf('notes', '# A', 'text/markdown; charset=utf-8')).toBe('markdown');
    expect(await typeOf('notes', '# A')).toBe('unsupported_file_type');
    for (const name of ['notes v1.2', 'minutes of 21.11.2026', 'letter to Mr. Smith', '1.5 hours']) {
      expect([name, await formatOf(name, '# A', 'text/markdown')]).toEqual([name, 'markdown']);
    }
    expect((await refusal('notes', '# A', 'application/octet-stream')).type).toBe('unsupported_file_type');
  });
});

describe('inspectUpload refuses', () => {
  it('extensions that are not in the list, regardless of the content', async () => {
    expect(await refusal('a.exe', pdf)).toEqual(
      new FileRefused('unsupported_file_type', 'Files of type .exe are not supported', {
        extension: 'exe',
        detected: null,
      }),
    );
    expect(await refusal('a.rtf', rtf)).toMatchObject({
      type: 'unsupported_file_type',
      message: 'Files of type .rtf are not supported: rename the file to .doc, and it is read as RTF',
    });
    expect(await formatOf('a.doc', rtf)).toBe('rtf');
    expect(await typeOf('a.txt\u202e.exe', 'x')).toBe('unsupported_file_type');
  });

  it.each([
    ['pdf.docx', pdf, 'application/pdf'],
    ['zip.pdf', makeZip([{ name: 'a.txt', data: 'x' }]), 'application/zip'],
    ['zip.docx', makeZip([{ name: 'a.txt', data: 'x' }]), 'application/zip'],
    ['word.xlsx', docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'],
    ['word.zip', doc, 'application/msword'],
    ['program.png', Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)]), 'application/x-msdownload'],
    ['gzip.txt', Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(64, 9)]), 'application/gzip'],
    ['zeros.txt', Buffer.alloc(100), 'application/octet-stream'],
    ['text.pdf', 'only text', 'text/plain'],
    ['text.doc', 'only text', 'text/plain'],
    ['pdf.txt', pdf, 'application/pdf'],
    ['html.svg', page, 'text/html'],
    ['mail.doc', makeCompoundFile({ '__properties_version1.0': Buffer.alloc(4096) }), 'application/vnd.ms-outlook'],
    ['drawing.odt', openDocument('graphics'), 'application/vnd.oasis.opendocument.graphics'],
    [
      'binary.xlsx',
      officeFile('ms-excel.sheet.binary.macroEnabled.main'),
      'application/vnd.ms-excel.sheet.binary.macroEnabled.main',
    ],
    ['polyglot.zip', Buffer.concat([Buffer.from(pdf), makeZip([{ name: 'a.txt' }])]), 'application/pdf'],
  ])('content that does not match the name: %s', async (name, content, detected) => {
    const { type, context } = await refusal(name, content);
    expect([type, context?.['detected']]).toEqual(['file_type_mismatch', detected]);
  });

  it('empty files', async () => {
    expect(await typeOf('a.txt', '')).toBe('file_empty');
  });

  it.each([
    ['header-only.pdf', '%PDF-1.7\n'],
    ['junk.pdf', Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 73) % 256))],
    ['cut.docx', docx.subarray(0, docx.length - 30)],
    ['no-main-part.docx', makeZip([{ name: '[Content_Types].xml', data: '<Types/>' }])],
    ['no-content.odt', makeZip([{ name: 'mimetype', data: 'application/vnd.oasis.opendocument.text' }])],
    ['cut.doc', doc.subarray(0, 600)],
    ['no-size.png', png(0, 10)],
    ['minus.bmp', bmp(-2147483648, -2147483648)],
    ['cut.jpg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
    ['no-pages.tiff', Buffer.from('49492a0008000000010000010300010000000100000008000000', 'hex')],
    ['cut.webp', Buffer.from('RIFF\xff\xff\xff\x7fWEBPVP8X', 'latin1')],
    ['none.ico', Buffer.from('00000100ffff', 'hex')],
    [
      'overlap.zip',
      makeZip([
        { name: 'a', data: 'x' },
        { name: 'b', data: 'x', offset: 0 },
      ]),
    ],
  ])('damaged files: %s', async (name, content) => {
    expect(await typeOf(name, content)).toBe('corrupt');
  });

  it.each([
    ['ooxml.docx', makeCompoundFile({ EncryptedPackage: Buffer.alloc(4096), EncryptionInfo: Buffer.alloc(4096) })],
    ['word.doc', makeCompoundFile({ WordDocument: wordDocument(0x0100) })],
    [
      'slides.ppt',
      makeCompoundFile({ 'PowerPoint Document': Buffer.alloc(4096), EncryptedSummary: Buffer.alloc(4096) }),
    ],
    ['open.odt', openDocument('text', [{ name: 'META-INF/manifest.xml', data: '<manifest:encryption-data x=""/>' }])],
    ['archive.zip', makeZip([{ name: 'a.txt', data: 'x', flags: 0x801, method: 0 }])],
  ])('files that need a password: %s', async (name, content) => {
    expect(await typeOf(name, content)).toBe('encrypted');
  });

  it('archives and zip-based files that exceed the unpacked size', async () => {
    const bomb = { name: 'word/document.xml', data: Buffer.alloc(500_000) };
    const { type, context } = await refusal(
      'a.docx',
      officeFile('openxmlformats-officedocument.wordprocessingml.document.main+xml', [bomb]),
    );
    expect([type, context]).toEqual(['archive_too_large', { limit: 100 }]);
  });

  it('archives with too many members', async () => {
    const { type, context } = await refusal(
      'a.zip',
      makeZip(Array.from({ length: 101 }, (_, i) => ({ name: `${i}.txt` }))),
    );
    expect([type, context]).toEqual(['too_many_files', { limit: 100 }]);
  });

  it('pictures with more pixels than the limit', async () => {
    const { type, context } = await refusal('a.png', png(101, 100));
    expect([type, context]).toEqual(['file_too_large', { limit: 10_000, pixels: 10_100 }]);
    expect(await formatOf('a.png', png(100, 100))).toBe('png');
  });
});
