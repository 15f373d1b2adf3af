/** Builds EPUB files for tests. */
import { makeZip } from '../../../archive/testing/make-zip.ts';

export interface BookOptions {
  /** Chapters by file name, as the body of an XHTML page. */
  chapters: Readonly<Record<string, string>>;
  /** Elements of the metadata. */
  metadata?: string;
  /** Further manifest items. */
  manifest?: string;
  /** Further parts by path; null removes one. */
  parts?: Readonly<Record<string, string | null>>;
}

export function makeEpub(options: BookOptions): Buffer {
  const parts = Object.entries({ ...bookParts(options), ...options.parts });
  return makeZip(
    parts.flatMap(([name, data]) => (data === null ? [] : [{ name, data, method: name === 'mimetype' ? 0 : 8 }])),
  );
}

export const xhtml = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;

function bookParts({ chapters, metadata = '', manifest = '' }: BookOptions): Record<string, string> {
  const names = Object.keys(chapters);
  const items = names.map(
    (name, index) => `<item id="c${index}" href="text/${name}" media-type="application/xhtml+xml"/>`,
  );
  const references = names.map((_, index) => `<itemref idref="c${index}"/>`);
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>' +
      '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">' +
      `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata>` +
      `<manifest>${items.join('')}${manifest}</manifest><spine>${references.join('')}</spine></package>`,
    ...Object.fromEntries(names.map((name) => [`OEBPS/text/${name}`, xhtml(chapters[name] ?? '')])),
  };
}
