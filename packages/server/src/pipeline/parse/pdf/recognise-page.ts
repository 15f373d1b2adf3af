/** A page without usable text, read from its picture. */
import type { BlockDraft } from '../../../content/block.ts';
import { recognisePicture } from '../ocr/ocr.ts';
import { wordsToBlocks } from '../ocr/words-to-blocks.ts';
import type { ParseContext } from '../parser.ts';
import type { PdfDocument } from './document.ts';
import { renderPage, scaleOf } from './render.ts';

/** Below 200 dpi small print is lost, above 300 nothing is won. */
const DPI = 250;

export async function recognisePage(
  document: PdfDocument,
  index: number,
  context: ParseContext,
): Promise<BlockDraft[]> {
  const { maxPixels, jpegQuality, ocrLanguages } = context.options;
  const picture = document.withPage(index, (page) => renderPage(document.pdfium, page, scaleOf(DPI), maxPixels));
  if (picture === undefined) return [];
  const data = await picture.jpeg({ quality: Math.max(80, jpegQuality) }).toBuffer();
  const recognised = await recognisePicture(
    { data, dpi: DPI },
    { languages: ocrLanguages, signal: context.signal, maxPixels },
  );
  return wordsToBlocks(recognised, index + 1);
}
