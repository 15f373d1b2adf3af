/** Recognises a page without usable text by rendering it and running OCR. */
import type { BlockDraft } from '@quire/blocks/block';
import { ocrRequest, recognisePicture } from '../../../ocr/ocr.ts';
import { MAX_LONG_SIDE } from '../../../ocr/image/preprocess.ts';
import { recognisedPage } from '../../../ocr/words/recognised-page.ts';
import type { PageContent, Word } from '../../../layout/page/page-content.ts';
import type { ParseContext } from '../../../parser.ts';
import type { PdfDocument } from '../document.ts';
import type { Pdfium } from '../pdfium.ts';
import { gibberishShare } from '../text/gibberish.ts';
import { impossibleShare } from '../text/mixed-scripts.ts';
import { POINTS_PER_INCH, renderPage } from '../render.ts';
import type { TextFault } from '../text/text-quality.ts';

/** Rendering resolution. Below 200 dpi small print is lost; above 300 dpi accuracy does not improve. */
const DPI = 250;

export async function recognisePage(
  document: PdfDocument,
  index: number,
  context: ParseContext,
): Promise<PageContent | undefined> {
  const { maxPixels, jpegQuality, ocrPixels = maxPixels } = context.options;
  const rendered = document.withPage(index, (page) => {
    const { api } = document.pdfium;
    const longer = Math.max(1, api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page));
    // Limits the size of posters and of scans with one point per pixel; a square of 7,900 pixels took 850 MB.
    const dpi = Math.min(DPI, (longSideOf(document.pdfium, page) / longer) * POINTS_PER_INCH);
    return { dpi, picture: renderPage(document.pdfium, page, dpi / POINTS_PER_INCH, Math.min(maxPixels, ocrPixels)) };
  });
  if (rendered === undefined) return undefined;
  const data = await rendered.picture.jpeg({ quality: jpegQuality }).toBuffer();
  const recognised = await recognisePicture({ data, dpi: rendered.dpi }, { ...ocrRequest(context), ocrPixels });
  return recognisedPage(recognised, index + 1);
}

/** Longer side, in pixels, to which every page may be drawn: A4 at 280 dpi. */
const USUAL_LONG_SIDE = 3300;
/** Minimum share of the page that the picture of a scan covers. */
const SCAN_SHARE = 0.5;
const OBJECT_IMAGE = 3;

/** Returns the maximum length of the longer side, in pixels: a scan has no detail beyond its own pixels. */
export function longSideOf(pdfium: Pdfium, page: number): number {
  const { api, raw, scratch } = pdfium;
  const pageArea = api.FPDF_GetPageWidthF(page) * api.FPDF_GetPageHeightF(page);
  for (let index = api.FPDFPage_CountObjects(page) - 1; index >= 0; index--) {
    const object = raw.FPDFPage_GetObject(page, index);
    if (raw.FPDFPageObj_GetType(object) !== OBJECT_IMAGE) continue;
    raw.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12);
    const area = (pdfium.float(2) - pdfium.float(0)) * (pdfium.float(3) - pdfium.float(1));
    if (area < SCAN_SHARE * pageArea || !api.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4)) continue;
    const pixels = Math.max(pdfium.integer(0), pdfium.integer(1));
    return Math.min(MAX_LONG_SIDE, Math.max(USUAL_LONG_SIDE, pixels));
  }
  return MAX_LONG_SIDE;
}

/** Checks whether the recognised words are more plausible than the page's own words. */
export function readsBetter(recognised: PageContent, page: PageContent): boolean {
  const [seen, own] = [recognised, page].map(({ words }) => words.map((word) => word.text));
  return seen !== undefined && own !== undefined && implausibility(seen) < 0.5 * implausibility(own);
}

const implausibility = (words: readonly string[]): number => Math.max(gibberishShare(words), impossibleShare(words));

/**
 * Merges the recognised page with the links and fields of the original page. Pictures are kept if the page had
 * (garbled) text of its own; those of a scan are the page itself.
 */
export function mergeRecognised(page: PageContent, recognised: PageContent, fault: TextFault): PageContent {
  const sameFrame =
    page.turn === 0 &&
    Math.abs(page.width - recognised.width) < 0.01 * page.width &&
    Math.abs(page.height - recognised.height) < 0.01 * page.height;
  if (!sameFrame) return recognised;
  const images = fault === 'garbled' || fault === 'implausible' ? page.images : [];
  return { ...recognised, images, links: page.links, fields: page.fields };
}

/** Returns recognised blocks whose words are mostly missing from the page's own text, as figures. */
export function newTextOf(blocks: readonly BlockDraft[], words: readonly Word[]): BlockDraft[] {
  const known = new Set(words.flatMap((word) => plainWords(word.text)));
  return blocks.flatMap((block): BlockDraft[] => {
    const found = plainWords(block.text ?? '');
    const isNew = found.filter((word) => !known.has(word)).length > 0.5 * found.length;
    if (!isNew || block.text === undefined) return [];
    const { page, bbox, text, lines } = block;
    return [
      {
        type: 'figure',
        text,
        ...(page === undefined ? {} : { page }),
        ...(bbox === undefined ? {} : { bbox }),
        ...(lines === undefined ? {} : { lines }),
      },
    ];
  });
}

const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
