import { finishTree } from '@quire/blocks/finish-tree';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { describe, expect, it } from 'vitest';
import { contentWarning } from '@quire/blocks/content-warning';
import { outline, parseBytes, testContext, withFile } from '../../office/testing/parse-parts.ts';
import { inspectUpload } from '../../validate/inspect-upload.ts';
import { reader } from './epub.ts';
import { makeEpub, xhtml, type BookOptions } from './testing/epub-parts.ts';
import { xhtmlToHtml } from './xhtml-to-html.ts';

const parse = (options: BookOptions, context = testContext) => parseBytes(reader, makeEpub(options), 'epub', context);

const NAVIGATION = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>';
const navigation = (list: string): string =>
  `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>` +
  `<nav epub:type="landmarks"><ol><li><a href="text/one.xhtml">Cover</a></li></ol></nav>` +
  `<nav epub:type="toc">${list}</nav></body></html>`;

describe('the EPUB reader', () => {
  it('reads the chapters in the order of the spine, with title and language of the metadata', async () => {
    const book = await parse({
      metadata: '<dc:title>Winter  tales</dc:title><dc:language>en-GB</dc:language>',
      chapters: { 'two.xhtml': '<h1>First</h1><p>Snow.</p>', 'one.xhtml': '<h1>Second</h1><p>Ice.</p>' },
    });
    expect(book).toMatchObject({ title: 'Winter tales', language: 'en', pageCount: null, warnings: [] });
    expect(outline(book.blocks)).toEqual([
      'heading 1: First',
      'paragraph: Snow.',
      'heading 1: Second',
      'paragraph: Ice.',
    ]);
  });

  it('takes the headings of chapters without one from the navigation document', async () => {
    const list =
      '<ol><li><a href="text/one.xhtml">Part one</a><ol><li><a href="text/two.xhtml#a">A walk</a></li></ol></li></ol>';
    const book = await parse({
      manifest: NAVIGATION,
      parts: { 'OEBPS/nav.xhtml': navigation(list) },
      chapters: { 'one.xhtml': '<p>Snow.</p>', 'two.xhtml': '<p>Ice.</p>' },
    });
    expect(outline(book.blocks)).toEqual([
      'heading 1: Part one',
      'paragraph: Snow.',
      'heading 2: A walk',
      'paragraph: Ice.',
    ]);
  });

  it('takes them from the NCX of an EPUB 2 file', async () => {
    const ncx =
      '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "ncx.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>' +
      '<navPoint><navLabel><text>Arrival</text></navLabel><content src="text/one.xhtml"/></navPoint></navMap></ncx>';
    const book = await parse({
      manifest: '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
      parts: { 'OEBPS/toc.ncx': ncx },
      chapters: { 'one.xhtml': '<p>Snow.</p>' },
    });
    expect(outline(book.blocks)).toEqual(['heading 1: Arrival', 'paragraph: Snow.']);
  });

  it('does not repeat the navigation document as a chapter', async () => {
    const book = await parse({
      parts: { 'OEBPS/text/nav.xhtml': navigation('<ol><li><a href="one.xhtml">One</a></li></ol>') },
      manifest: '<item id="c1" href="text/nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
      chapters: { 'one.xhtml': '<p>Snow.</p>', 'nav.xhtml': '' },
    });
    expect(outline(book.blocks)).toEqual(['heading 1: One', 'paragraph: Snow.']);
  });

  it('warns of a missing chapter and reads the others', async () => {
    const book = await parse({
      chapters: { 'one.xhtml': '<p>Snow.</p>', 'two.xhtml': '<p>Ice.</p>' },
      parts: { 'OEBPS/text/one.xhtml': null },
    });
    expect(outline(book.blocks)).toEqual(['paragraph: Ice.']);
    expect(book.warnings).toEqual([contentWarning('truncated', 'The chapter OEBPS/text/one.xhtml is missing')]);
  });

  it('refuses a book whose chapters are encrypted, and accepts obfuscated fonts', async () => {
    const encryption = (uri: string): string =>
      '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#">' +
      `<enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const book = (uri: string) =>
      parse({ chapters: { 'one.xhtml': '<p>Snow.</p>' }, parts: { 'META-INF/encryption.xml': encryption(uri) } });
    await expect(book('OEBPS/text/one.xhtml')).rejects.toMatchObject({ type: 'encrypted' });
    expect((await book('OEBPS/fonts/a.otf')).blocks).toHaveLength(1);
  });

  it('calls a book without a reading order or a package document corrupt', async () => {
    await expect(parse({ chapters: {} })).rejects.toMatchObject({ type: 'corrupt' });
    await expect(parse({ chapters: {}, parts: { 'OEBPS/book.opf': null } })).rejects.toMatchObject({ type: 'corrupt' });
    await expect(parse({ chapters: {}, parts: { 'META-INF/container.xml': null } })).rejects.toMatchObject({
      type: 'corrupt',
    });
  });

  it('counts all chapters against the limit of unpacked bytes', async () => {
    const context = { ...testContext, limits: { ...testContext.limits, maxInflatedBytes: 3_000 } };
    const chapters = { 'one.xhtml': `<p>${'a'.repeat(2_000)}</p>`, 'two.xhtml': `<p>${'b'.repeat(2_000)}</p>` };
    await expect(parse({ chapters }, context)).rejects.toMatchObject({ type: 'too_large' });
  });

  it('uses the declared language if none was detected', async () => {
    const book = await parse({
      metadata: '<dc:language>is</dc:language>',
      chapters: { 'one.xhtml': '<h1>Snjór</h1>' },
    });
    expect(finishTree(book, null).language).toBe('is');
    expect(finishTree(book, 'en').language).toBe('en');
    expect(toMarkdown(finishTree(book, null))).toBe('# Snjór\n');
  });
});

describe('the upload check of a book', () => {
  const inspect = (bytes: Uint8Array, name: string) =>
    withFile(bytes, 'epub', (file) =>
      inspectUpload(file.path, name, null, { ...testContext.limits, maxPixels: 1_000_000 }),
    );
  const bytes = makeEpub({ chapters: { 'one.xhtml': '<p>Snow.</p>' } });

  it('recognises it by its mimetype member, also without an extension', async () => {
    const expected = { format: 'epub', contentType: 'application/epub+zip', isArchive: false };
    expect(await inspect(bytes, 'winter.epub')).toEqual(expected);
    expect(await inspect(bytes, 'winter')).toEqual(expected);
  });

  it('refuses a book under another name, another file under its name, and a book without a container', async () => {
    await expect(inspect(bytes, 'winter.docx')).rejects.toMatchObject({ type: 'file_type_mismatch' });
    await expect(inspect(Buffer.from(xhtml('')), 'winter.epub')).rejects.toMatchObject({ type: 'file_type_mismatch' });
    const damaged = makeEpub({ chapters: {}, parts: { 'META-INF/container.xml': null } });
    await expect(inspect(damaged, 'winter.epub')).rejects.toMatchObject({ type: 'corrupt' });
  });
});

describe('xhtmlToHtml', () => {
  it('closes empty elements and leaves void elements alone', () => {
    expect(xhtmlToHtml('<a id="x"/>b<br/>c<p class=\'y\' />/> d')).toBe(
      '<a id="x"></a>b<br/>c<p class=\'y\' ></p>/> d',
    );
  });
});
