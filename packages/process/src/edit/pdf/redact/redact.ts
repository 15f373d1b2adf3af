/**
 * Redacts a PDF: removes the text from the content, draws black boxes in its place and cleans everything else that may
 * hold it (scrub-document.ts). The result is read again with PDFium. A page on which redacted text is still found, or
 * whose content could not be edited, becomes an image. If text is left even then, the edit fails. On pages without text
 * of their own, the words that OCR reads are searched; their pixels are blacked out.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFArray, type PDFDocument, type PDFPage, type PDFRef } from '@cantoo/pdf-lib';
import type { BoundingBox } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { withPdf, type PdfDocument } from '@quire/parse/formats/pdf/document';
import type { ParseContext } from '@quire/parse/parser';
import type { OperationOf } from '../../operations.ts';
import type { OperationReport } from '../../report.ts';
import { openPdf, savePdf } from '../open-pdf.ts';
import { boxInPageSpace, geometryOf, type PageBox } from '../page-geometry.ts';
import { requirePage } from '../page-range.ts';
import { copyInheritedAttributes } from '../arrange-pages.ts';
import { ContentRedactor } from './content/content-redactor.ts';
import { dropReplaced } from './objects/drop-replaced.ts';
import { findTargets, glyphsUnder, type PageTargets } from './targets/page-targets.ts';
import { drawPages, turnIntoPictures } from './images/page-images.ts';
import { RedactionFinder } from './targets/redaction-finder.ts';
import { findRecognisedTargets, type RecognisedTargets } from './targets/recognised-targets.ts';
import { RedactionMask } from './targets/redaction-mask.ts';
import { redactAnnotations } from './objects/redact-annotations.ts';
import { scrubDocument } from './objects/scrub-document.ts';
import { decodedBytes } from './objects/stream-bytes.ts';
import { key } from './objects/pdf-objects.ts';

type Redact = OperationOf<'redact'>;

interface Redacted {
  bytes: Uint8Array;
  report: OperationReport;
}

/** Boxes by page index. */
type Areas = ReadonlyMap<number, PageBox[]>;

export async function redact(bytes: Uint8Array, operation: Redact, context: ParseContext): Promise<Redacted> {
  const finder = new RedactionFinder(operation);
  const targets = await allTargets(bytes, finder, context);
  const document = await openPdf(bytes);
  const areas = areasOf(document, operation);
  const recognised = await recognisedTargets(bytes, targets, finder, context);
  for (const [index, { boxes }] of recognised) {
    for (const box of boxes) addArea(areas, document, index, box);
  }
  const { pictures, pages, removed } = await redactPages(document, targets, areas, finder);
  const scrubbed = scrubDocument(document, finder, new Set(pages.map((index) => document.getPage(index).ref)));
  let result = await savePdf(document);
  const failing = new Set([...pictures, ...(await remaining(result, finder, areas, context))]);
  if (failing.size > 0) {
    const drawn = await reading(result, context, (open) => drawPages(open, [...failing], context.options));
    const again = await openPdf(result);
    await turnIntoPictures(again, drawn);
    result = await savePdf(again);
    const left = await remaining(result, finder, areas, context);
    if (left.length > 0) {
      const numbers = left.map((index) => index + 1).join(', ');
      throw new ContentError(
        'unsupported',
        `The redaction could not be verified on page ${numbers}; no file was written`,
      );
    }
  }
  const matches = targets.reduce((sum, target) => sum + target.matches, 0);
  const seen = Array.from(recognised.values()).reduce((sum, target) => sum + target.matches, 0);
  const changes = matches + seen + operation.boxes.length + scrubbed.strings + removed;
  return { bytes: result, report: report({ changes, pages, failing, targets, recognised, notes: scrubbed.notes }) };
}

interface RedactionResult {
  changes: number;
  pages: readonly number[];
  failing: ReadonlySet<number>;
  targets: readonly PageTargets[];
  recognised: ReadonlyMap<number, RecognisedTargets>;
  notes: readonly string[];
}

function report({ changes, pages, failing, targets, recognised, notes }: RedactionResult): OperationReport {
  const read = [...recognised].flatMap(([index, target]) => (target.hasText ? [index] : []));
  const unread = targets.flatMap((target, index) => (target.hasText || read.includes(index) ? [] : [index + 1]));
  const notesWithPages = [...notes];
  if (failing.size > 0) {
    notesWithPages.push(
      `Converted to images, because their content could not be edited: pages ${ordered(failing).join(', ')}`,
    );
  }
  if (read.length > 0) {
    notesWithPages.push(
      `Searched in text recognised from pictures, which may misread words: pages ${ordered(new Set(read)).join(', ')}`,
    );
  }
  if (unread.length > 0) notesWithPages.push(`No text to search (blank or scanned): pages ${unread.join(', ')}`);
  const numbers = ordered(new Set([...pages, ...failing]));
  return { type: 'redact', changes, pages: numbers, ...(notesWithPages.length > 0 ? { notes: notesWithPages } : {}) };
}

const ordered = (indexes: ReadonlySet<number>): number[] =>
  [...indexes].map((index) => index + 1).toSorted((a, b) => a - b);

/** Opens the current bytes with PDFium, which reads from files. */
async function reading<T>(
  bytes: Uint8Array,
  context: ParseContext,
  use: (document: PdfDocument) => Promise<T>,
): Promise<T> {
  const file = path.join(context.tempDir, 'redacting.pdf');
  await writeFile(file, bytes);
  return withPdf(file, use);
}

/** Returns the targets of every page; empty when only boxes are redacted. */
async function allTargets(bytes: Uint8Array, finder: RedactionFinder, context: ParseContext): Promise<PageTargets[]> {
  if (finder.isEmpty) return [];
  return reading(bytes, context, async (document) => {
    const targets: PageTargets[] = [];
    for (let index = 0; index < document.pageCount; index += 1) targets.push(findTargets(document, index, finder));
    return targets;
  });
}

/** Recognises the pages without text of their own, unless OCR is off; by page index. */
async function recognisedTargets(
  bytes: Uint8Array,
  targets: readonly PageTargets[],
  finder: RedactionFinder,
  context: ParseContext,
): Promise<Map<number, RecognisedTargets>> {
  const found = new Map<number, RecognisedTargets>();
  const unread = targets.flatMap((target, index) => (target.hasText ? [] : [index]));
  if (unread.length === 0 || context.options.ocr === 'never') return found;
  await reading(bytes, context, async (document) => {
    for (const index of unread) {
      context.signal.throwIfAborted();
      found.set(index, await findRecognisedTargets(document, index, finder, context));
    }
  });
  return found;
}

function areasOf(document: PDFDocument, { boxes }: Redact): Map<number, PageBox[]> {
  const areas = new Map<number, PageBox[]>();
  for (const { page, bbox } of boxes) {
    requirePage(page, document.getPageCount());
    addArea(areas, document, page - 1, bbox);
  }
  return areas;
}

function addArea(areas: Map<number, PageBox[]>, document: PDFDocument, index: number, bbox: BoundingBox): void {
  const box = boxInPageSpace(geometryOf(document.getPage(index)), bbox);
  const known = areas.get(index);
  if (known === undefined) areas.set(index, [box]);
  else known.push(box);
}

async function redactPages(
  document: PDFDocument,
  targets: readonly PageTargets[],
  areas: Areas,
  finder: RedactionFinder,
): Promise<{ pictures: number[]; pages: number[]; removed: number }> {
  const pictures: number[] = [];
  const pages: number[] = [];
  let removed = 0;
  const replaced = new Set<PDFRef>();
  copyInheritedAttributes(document);
  for (const [index, page] of document.getPages().entries()) {
    const target = targets[index];
    const mask = new RedactionMask(areas.get(index) ?? [], target?.boxes ?? [], target?.glyphs ?? []);
    const annotations = redactAnnotations(page, mask, finder);
    removed += annotations;
    if (annotations > 0 || mask.boxes.length > 0) pages.push(index);
    if (mask.boxes.length > 0 && !(await redactPage(document, page, mask, replaced))) pictures.push(index);
  }
  dropReplaced(document, replaced);
  return { pictures, pages, removed };
}

/** Redacts one page. Returns false when not everything under the mask could be removed. */
async function redactPage(
  document: PDFDocument,
  page: PDFPage,
  mask: RedactionMask,
  replaced: Set<PDFRef>,
): Promise<boolean> {
  const { context } = document;
  const content = contentOf(page);
  const redactor = new ContentRedactor(context, mask, replaced);
  const redacted = await redactor.redact(content.bytes, page.node.Resources());
  const stream = Buffer.concat([
    Buffer.from('q\n'),
    redacted.bytes,
    // Unbalanced graphics states of the content must not move the boxes.
    Buffer.from(`\n${'Q '.repeat(redacted.openStates + 1)}\nq 0 0 0 rg\n${mask.boxes.map(rectangle).join('\n')}\nQ`),
  ]);
  page.node.set(key('Contents'), context.register(context.flateStream(stream)));
  if (redacted.resources !== undefined) page.node.set(key('Resources'), redacted.resources);
  return content.whole && !redactor.tally.unproven;
}

function contentOf(page: PDFPage): { bytes: Uint8Array; whole: boolean } {
  const contents = page.node.lookup(key('Contents'));
  const streams = contents instanceof PDFArray ? contents.asArray().map((_, at) => contents.lookup(at)) : [contents];
  const parts = streams.filter((stream) => stream !== undefined).map((stream) => decodedBytes(stream));
  const known = parts.filter((part) => part !== undefined);
  return {
    bytes: Buffer.concat(known.flatMap((part) => [part, Buffer.from('\n')])),
    whole: known.length === parts.length,
  };
}

const rectangle = ([left, bottom, right, top]: PageBox): string =>
  `${[left, bottom, right - left, top - bottom].map((value) => value.toFixed(2)).join(' ')} re f`;

/** Returns the indexes of pages on which PDFium still finds text that should have been removed. */
async function remaining(
  bytes: Uint8Array,
  finder: RedactionFinder,
  areas: Areas,
  context: ParseContext,
): Promise<number[]> {
  return reading(bytes, context, async (document) => {
    const left: number[] = [];
    for (let index = 0; index < document.pageCount; index += 1) {
      const boxes = areas.get(index) ?? [];
      const found =
        (boxes.length > 0 && glyphsUnder(document, index, boxes) > 0) ||
        (!finder.isEmpty && findTargets(document, index, finder).matches > 0);
      if (found) left.push(index);
    }
    return left;
  });
}
