/**
 * For tests: reads the content of a PDF, as page text with PDFium and as the decoded bytes and strings of all its
 * objects.
 */
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFRawStream,
  PDFString,
  type PDFObject,
} from '@cantoo/pdf-lib';
import type { OutputInfo } from 'sharp';
import { withPdf, type PdfDocument } from '@quire/parse/formats/pdf/document';
import { readGlyphs } from '@quire/parse/formats/pdf/text/glyphs';
import { renderPage } from '@quire/parse/formats/pdf/render';

export function pageTexts(bytes: Uint8Array): Promise<string[]> {
  return opened(bytes, async (document) => {
    const texts: string[] = [];
    for (let index = 0; index < document.pageCount; index += 1) {
      const glyphs = document.withPage(index, (page) => readGlyphs(document.pdfium, page, new Map()));
      if (glyphs === undefined) throw new Error(`page ${index + 1} cannot be read`);
      texts.push(
        String.fromCodePoint(...glyphs.codes)
          .replace(/\s+/g, ' ')
          .trim(),
      );
    }
    return texts;
  });
}

/** Returns the pixels of the first page, one per point. */
export function drawFirstPage(bytes: Uint8Array): Promise<{ data: Buffer; info: OutputInfo }> {
  return opened(bytes, async (document) => {
    const picture = document.withPage(0, (page) => renderPage(document.pdfium, page, 1, 1_000_000));
    if (picture === undefined) throw new Error('the page cannot be read');
    return picture.raw().toBuffer({ resolveWithObject: true });
  });
}

async function opened<T>(bytes: Uint8Array, use: (document: PdfDocument) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(path.join(tmpdir(), 'quire-pdf-'));
  const file = path.join(directory, 'read.pdf');
  writeFileSync(file, bytes);
  try {
    return await withPdf(file, use);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Returns every decoded stream and string, joined. Streams of images and fonts are included undecoded. */
export async function everything(bytes: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const parts: string[] = [Buffer.from(bytes).toString('latin1')];
  const read = (object: PDFObject | undefined): void => {
    if (object instanceof PDFString || object instanceof PDFHexString) parts.push(object.decodeText());
    else if (object instanceof PDFArray) object.asArray().forEach(read);
    else if (object instanceof PDFDict) object.values().forEach(read);
    else if (object instanceof PDFRawStream) {
      read(object.dict);
      try {
        parts.push(Buffer.from(decodePDFRawStream(object).decode()).toString('latin1'));
      } catch {
        parts.push(Buffer.from(object.contents).toString('latin1'));
      }
    }
  };
  for (const [, object] of document.context.enumerateIndirectObjects()) read(object);
  // Hexadecimal strings of content streams are decoded too.
  const joined = parts.join('\n');
  const hex = [...joined.matchAll(/<([0-9a-f\s]+)>/gi)].map(([, digits = '']) =>
    Buffer.from(digits, 'hex').toString('latin1'),
  );
  return `${joined}\n${hex.join('\n')}`;
}
