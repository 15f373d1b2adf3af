/**
 * PDF reader. PDFium provides the characters in drawing order, lines and fills, pictures, links, form fields and
 * bookmarks; `../layout` does the layout analysis. Pages are read and closed one at a time, so PDFium never holds more
 * than one. Pages without usable text go to OCR.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import { contentWarning } from '@quire/blocks/content-warning';
import { layOutDocument } from '../../layout/document-layout.ts';
import type { PageContent } from '../../layout/page/page-content.ts';
import { PageWarnings } from '../../ocr/page-warnings.ts';
import type { FormatReader, ParseContext, SourceFile } from '../../parser.ts';
import { withPdf, type PdfDocument } from './document.ts';
import { readOutline } from './structure/outline.ts';
import { readPage } from './page/read-page.ts';
import { textFault, type TextFault } from './text/text-quality.ts';
import { fontUse, TrustedFonts, type FontUse } from './text/trusted-fonts.ts';

/** Fraction of the progress that reading takes, with or without OCR; layout takes the rest. */
const READING_SHARE = 0.8;
/** Number of consecutive unreadable pages after which reading stops. The declared page count may be wrong. */
const MAX_MISSING = 50;

function parse(file: SourceFile, context: ParseContext): Promise<ParsedContent> {
  return withPdf(file.path, async (document) => {
    const reading = await readPages(document, context);
    const blocks = layOutDocument(reading.pages, reading.recognised, {
      signal: context.signal,
      onProgress: (share) => context.onProgress(READING_SHARE + share * (1 - READING_SHARE)),
      outline: readOutline(document),
    });
    return {
      blocks,
      pageCount: reading.pages.at(-1)?.number ?? 0,
      title: document.metadata('Title') || null,
      warnings: reading.warnings.finish(),
    };
  });
}

const RECOGNISED =
  'The fonts of a page do not name their letters; its text was recognised from the picture of the page';
const UNRELIABLE = 'The fonts of a page do not name their letters; its text is not reliable';

const hasFontFault = (fault: TextFault): boolean => fault === 'garbled' || fault === 'implausible';

/** Loads the OCR modules on first use (0.1 s, 20 MB); most PDFs do not need them. */
const loadOcr = async () => import('./page/recognise-page.ts');

interface Reading {
  pages: PageContent[];
  recognised: Map<number, BlockDraft[]>;
  warnings: PageWarnings;
  /** Error of the first page whose recognition failed. */
  failure?: ContentError;
}

/**
 * Recognises a page by OCR. Returns the original page if OCR finds no text or fails, for example if a language is not
 * installed.
 */
async function withRecognised(
  reading: Reading,
  document: PdfDocument,
  content: PageContent,
  fault: TextFault,
  context: ParseContext,
): Promise<PageContent> {
  try {
    const { readsBetter, recognisePage, mergeRecognised, newTextOf } = await loadOcr();
    const recognised = await recognisePage(document, content.number - 1, context);
    const hasText = recognised !== undefined && recognised.words.length > 0;
    if (recognised?.recognition !== undefined) {
      reading.warnings.addRecognition(recognised.recognition, hasText, [content.number]);
    }
    if (!hasText) return content;
    if (fault === 'implausible' && !readsBetter(recognised, content)) return content;
    if (hasFontFault(fault)) reading.warnings.add(contentWarning('low_confidence', RECOGNISED, [content.number]));
    if (fault !== 'partial') return mergeRecognised(content, recognised, fault);
    const blocks = layOutDocument([recognised], new Map(), { ...context, onProgress: () => undefined, outline: [] });
    reading.recognised.set(content.number, newTextOf(blocks, content.words));
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    reading.failure ??= error;
    const type = error.type === 'unsupported' ? 'ocr_language_missing' : 'pages_without_text';
    reading.warnings.add(contentWarning(type, `A page could not be recognised: ${error.message}`, [content.number]));
  }
  return content;
}

/** Shares of the progress of reading: the text of all pages, then OCR. */
const TEXT_SHARE = 0.3;

async function readPages(document: PdfDocument, context: ParseContext): Promise<Reading> {
  const reading: Reading = {
    pages: [],
    recognised: new Map(),
    warnings: new PageWarnings(context.options.ocrLanguages),
  };
  const faulty = await readTexts(document, reading, context);
  for (const [done, { index, fault }] of faulty.entries()) {
    context.signal.throwIfAborted();
    const content = reading.pages[index];
    if (content === undefined) continue;
    if (context.options.ocr !== 'never') {
      reading.pages[index] = await withRecognised(reading, document, content, fault, context);
    }
    if (reading.pages[index] === content && fault === 'garbled') {
      reading.warnings.add(contentWarning('low_confidence', UNRELIABLE, [content.number]));
    }
    context.onProgress(READING_SHARE * (TEXT_SHARE + (1 - TEXT_SHARE) * ((done + 1) / faulty.length)));
  }
  for (const content of reading.pages) {
    if (showsNoText(content) && !reading.recognised.has(content.number))
      reading.warnings.addWithoutText(content.number);
  }
  if (reading.pages.length === 0) throw new ContentError('corrupt', 'No page of the PDF could be read');
  if (reading.failure !== undefined && !hasText(reading)) throw reading.failure;
  return reading;
}

/** A page whose own text has a fault; `index` is its position in `Reading.pages`. */
interface FaultyPage {
  index: number;
  fault: TextFault;
}

/** Reads the text of all pages into `reading` and returns those with a fault. */
async function readTexts(document: PdfDocument, reading: Reading, context: ParseContext): Promise<FaultyPage[]> {
  const faulty: (FaultyPage & { fonts: FontUse | undefined })[] = [];
  const trusted = new TrustedFonts();
  let missing = 0;
  for (let number = 1; number <= document.pageCount && missing < MAX_MISSING; number++) {
    context.signal.throwIfAborted();
    const page = document.withPage(number - 1, (handle) => readPage(document, handle, number));
    if (page === undefined) {
      missing++;
      reading.warnings.add(contentWarning('truncated', 'Pages could not be read', [number]));
      continue;
    }
    missing = 0;
    const fault = context.options.ocr === 'always' ? 'missing' : textFault(page);
    const fonts = fault === undefined || hasFontFault(fault) ? fontUse(page) : undefined;
    if (fault !== undefined) faulty.push({ index: reading.pages.length, fault, fonts });
    else if (fonts !== undefined) trusted.add(fonts);
    reading.pages.push(page.content);
    context.onProgress((number / document.pageCount) * READING_SHARE * TEXT_SHARE);
    // Yields to the event loop so that timers and the abort signal are processed.
    if (number % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return faulty.filter(({ fonts }) => fonts === undefined || !trusted.covers(fonts));
}

/** Returns whether a page has visible content but no words. Blank pages need no warning. */
const showsNoText = ({ words, fields, images, strokes }: PageContent): boolean =>
  words.length === 0 && fields.length === 0 && (images.length > 0 || strokes.length > 0);

const hasText = ({ pages, recognised }: Reading): boolean =>
  recognised.size > 0 || pages.some((page) => page.words.length > 0);

function thumbnail(file: SourceFile, context: ParseContext, maxSide: number): Promise<Buffer | null> {
  return withPdf(file.path, async (document) => {
    const { api } = document.pdfium;
    const { renderPage } = await import('./render.ts');
    const picture = document.withPage(0, (page) => {
      const longer = Math.max(1, api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page));
      return renderPage(document.pdfium, page, maxSide / longer, context.options.maxPixels);
    });
    return (await picture?.webp({ quality: 80 }).toBuffer()) ?? null;
  });
}

export const reader: FormatReader = { parse, thumbnail };
