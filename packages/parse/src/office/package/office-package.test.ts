import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { reader } from '../../formats/docx/docx.ts';
import { docxParts, paragraph } from '../testing/docx-parts.ts';
import { pack, parseBytes, testContext, withFile } from '../testing/parse-parts.ts';
import { OfficePackage } from './office-package.ts';

const parse = (bytes: Uint8Array): Promise<unknown> => parseBytes(reader, bytes, 'docx');

describe('OfficePackage', () => {
  it('finds parts regardless of case and slashes in their names', async () => {
    await withFile(pack({ 'Word\\Document.XML': 'abc' }), 'docx', (file) =>
      OfficePackage.use(file, testContext, (officePackage) => {
        expect(officePackage.has('word/document.xml')).toBe(true);
        expect(officePackage.bytes('WORD/document.xml').toString()).toBe('abc');
      }),
    );
  });

  it('refuses a bomb by its declared size', async () => {
    const body = `<w:p>${' '.repeat(30_000_000)}</w:p>`;
    await expect(parse(pack(docxParts(body)))).rejects.toMatchObject({ name: 'ContentError', type: 'too_large' });
  });

  it('reads a highly compressed picture up to 16 MiB', async () => {
    const picture = (bytes: number): Uint8Array => pack({ 'word/media/image1.emf': '\0'.repeat(bytes) });
    const read = (bytes: number): Promise<number> =>
      withFile(picture(bytes), 'docx', (file) =>
        OfficePackage.use(file, testContext, (officePackage) => officePackage.bytes('word/media/image1.emf').length),
      );
    expect(await read(16 * 1024 * 1024)).toBe(16 * 1024 * 1024);
    await expect(read(16 * 1024 * 1024 + 1)).rejects.toMatchObject({ type: 'too_large' });
  });

  it('refuses a bomb with a wrong declared size', async () => {
    const bytes = Buffer.from(pack({ 'word/document.xml': ' '.repeat(30_000_000) }));
    const directory = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(1000, directory + 24);
    await expect(parse(bytes)).rejects.toMatchObject({ name: 'ContentError', type: 'too_large' });
  });

  it('counts all parts against the limit', async () => {
    const context = { ...testContext, limits: { ...testContext.limits, maxInflatedBytes: 1500 } };
    await withFile(pack({ a: 'a'.repeat(1000), b: 'b'.repeat(1000) }), 'docx', (file) =>
      OfficePackage.use(file, context, (officePackage) => {
        expect(officePackage.bytes('a').length).toBe(1000);
        expect(() => officePackage.bytes('b')).toThrow('unpacks to more data');
      }),
    );
  });

  it('refuses too many parts', async () => {
    const parts = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`p${index}`, '']));
    await expect(parse(pack(parts))).rejects.toMatchObject({ type: 'too_large' });
  });

  it('refuses a document type, so that entities never multiply', async () => {
    const document = '<!DOCTYPE w [<!ENTITY a "aaaa">]><w:document><w:body>&a;</w:body></w:document>';
    await expect(parse(pack(docxParts('', { 'word/document.xml': document })))).rejects.toMatchObject({
      type: 'corrupt',
      message: 'The file is refused: its XML declares a document type, which office files never do',
    });
  });

  it('calls malformed XML, missing parts, truncated files and deep nesting corrupt', async () => {
    const whole = pack(docxParts(paragraph('text')));
    const cases = [
      pack(docxParts('</w:p>')),
      pack({ 'other.xml': '<a/>' }),
      whole.subarray(0, whole.length - 30),
      new Uint8Array(0),
      pack(docxParts('<w:p>'.repeat(1000))),
    ];
    for (const bytes of cases) await expect(parse(bytes)).rejects.toMatchObject({ type: 'corrupt' });
  });

  it('opens a file with bytes after its zip end record, or without the comment that the record declares', async () => {
    const whole = Buffer.from(pack(docxParts(paragraph('text'))));
    const announced = Buffer.from(whole);
    announced.writeUInt16LE(1, announced.length - 2);
    for (const bytes of [Buffer.concat([whole, Buffer.from('\r\n')]), announced]) {
      expect(await parse(bytes)).toMatchObject({ blocks: [{ type: 'paragraph', text: 'text' }] });
    }
  });

  it('continues without a damaged secondary part', async () => {
    const parts = docxParts(paragraph('text'), { 'word/styles.xml': '<w:styles><broken' });
    expect(await parse(pack(parts))).toMatchObject({ blocks: [{ type: 'paragraph', text: 'text' }] });
  });

  it('calls an encrypted package encrypted', async () => {
    const container = CFB.utils.cfb_new();
    CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(5000));
    await expect(parse(Buffer.from(CFB.write(container, { type: 'array' })))).rejects.toMatchObject({
      type: 'encrypted',
    });
  });

  it('stops when the parse is aborted', async () => {
    const context = { ...testContext, signal: AbortSignal.abort(new Error('stop')) };
    await expect(parseBytes(reader, pack(docxParts(paragraph('x'))), 'docx', context)).rejects.toThrow('stop');
  });
});
