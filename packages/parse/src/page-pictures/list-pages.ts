/** Lists the pages of a file that can be drawn: of PDFs, images, and office files that LibreOffice converts to PDF. */
import { readFile } from 'node:fs/promises';
import { ContentError } from '@quire/blocks/content-error';
import { FORMATS, type Format } from '../formats.ts';
import { MAX_PAGES as MAX_IMAGE_PAGES, measurePage, openRaster } from '../formats/image/raster.ts';
import { withPdf } from '../formats/pdf/document.ts';
import type { ParseContext, SourceFile } from '../parser.ts';
import { convertToPdf } from '../thumbnail/soffice.ts';

export interface PageSize {
  /** Page number from 1. */
  page: number;
  /** Size of the displayed page, in points for PDFs and in pixels for images. */
  width: number;
  height: number;
}

export interface PageList {
  pages: PageSize[];
  /** The PDF that an office file was converted to; its pages are drawn in place of the file's. */
  pdf: Buffer | null;
}

/** Maximum number of listed pages of a PDF. */
const MAX_PDF_PAGES = 20_000;

/** Returns whether pages of this format may be drawn; office files only where LibreOffice is installed. */
export const mayHavePages = (format: Format): boolean =>
  FORMATS[format].pages !== null || FORMATS[format].thumbnail === 'office';

/**
 * Returns null if the format has no pages, or LibreOffice is missing or cannot convert the file. Throws `ContentError`
 * as the readers of these formats do.
 */
export async function listPages(file: SourceFile, context: ParseContext): Promise<PageList | null> {
  const { pages, thumbnail } = FORMATS[file.format];
  if (pages === 'rendered') return { pages: await pdfPages(file.path), pdf: null };
  if (pages === 'decoded') return { pages: await imagePages(file, context.options.maxPixels), pdf: null };
  if (thumbnail !== 'office') return null;
  const converted = await convertToPdf(file, context);
  if (converted === null) return null;
  return { pages: await pdfPages(converted.path), pdf: await readFile(converted.path) };
}

function pdfPages(path: string): Promise<PageSize[]> {
  return withPdf(path, async ({ pdfium, handle, pageCount }) => {
    if (pageCount === 0) throw new ContentError('corrupt', 'No page of the PDF could be read');
    const sizes: PageSize[] = [];
    for (let index = 0; index < Math.min(pageCount, MAX_PDF_PAGES); index++) {
      if (!pdfium.api.FPDF_GetPageSizeByIndexF(handle, index, pdfium.scratch)) continue;
      sizes.push({ page: index + 1, width: rounded(pdfium.float(0)), height: rounded(pdfium.float(1)) });
    }
    return sizes;
  });
}

/** Lists the pages that can be read; fails if none can. */
async function imagePages(file: SourceFile, maxPixels: number): Promise<PageSize[]> {
  const raster = await openRaster(await readFile(file.path), file.format, maxPixels);
  const sizes: PageSize[] = [];
  let failure: ContentError | undefined;
  for (let index = 0; index < Math.min(raster.pages, MAX_IMAGE_PAGES); index++) {
    try {
      const { width, height } = await measurePage(raster, index, maxPixels);
      sizes.push({ page: index + 1, width, height });
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      failure ??= error;
    }
  }
  if (sizes.length === 0 && failure !== undefined) throw failure;
  return sizes;
}

const rounded = (points: number): number => Math.max(1, Math.round(points * 100) / 100);
