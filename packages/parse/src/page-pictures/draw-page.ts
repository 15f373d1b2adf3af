/** Draws one page of a PDF, an image or an office file as WebP. */
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { FORMATS } from '../formats.ts';
import { openRaster, rasterPage } from '../formats/image/raster.ts';
import { corruptImage } from '../formats/image/raw-picture.ts';
import { withPdf } from '../formats/pdf/document.ts';
import { renderPage } from '../formats/pdf/render.ts';
import type { ParseContext, SourceFile } from '../parser.ts';
import { convertToPdf } from '../thumbnail/soffice.ts';
import { encodePicture } from './encode-picture.ts';

export interface PagePictureInput {
  file: SourceFile;
  /** Page number from 1. */
  page: number;
  /** Width of the picture in pixels. Images are not enlarged. */
  width: number;
  /** Maximum number of pixels that are decoded. */
  limitPixels: number;
}

/** Maximum number of pixels of a picture: the height of very tall pages is limited by it, with the width. */
const MAX_DRAWN_PIXELS = 16_000_000;
/** Maximum side of a WebP picture, in pixels. */
const MAX_SIDE = 16_383;

/**
 * Returns null if there is no such page, or LibreOffice is needed and missing. Throws `ContentError` as the readers of
 * these formats do.
 */
export async function drawPage(
  input: PagePictureInput,
  context: Pick<ParseContext, 'tempDir' | 'signal'>,
): Promise<Buffer | null> {
  const { pages } = FORMATS[input.file.format];
  if (pages === 'rendered') return drawPdfPage(input);
  if (pages === 'decoded') return drawImagePage(input);
  const pdf = await convertToPdf(input.file, context);
  return pdf === null ? null : drawPdfPage({ ...input, file: pdf });
}

function drawPdfPage({ file, page, width }: PagePictureInput): Promise<Buffer | null> {
  return withPdf(file.path, async (document) => {
    const picture = document.withPage(page - 1, (handle): Sharp => {
      const { api } = document.pdfium;
      const across = width / Math.max(1, api.FPDF_GetPageWidthF(handle));
      const down = MAX_SIDE / Math.max(1, api.FPDF_GetPageHeightF(handle));
      return renderPage(document.pdfium, handle, Math.min(across, down), MAX_DRAWN_PIXELS);
    });
    return picture === undefined ? null : encodePicture(picture);
  });
}

async function drawImagePage({ file, page, width, limitPixels }: PagePictureInput): Promise<Buffer | null> {
  const raster = await openRaster(await readFile(file.path), file.format, limitPixels);
  if (page > raster.pages) return null;
  const frame = await rasterPage(raster, page - 1, limitPixels);
  try {
    const image = sharp(frame.data, { page: frame.page, limitInputPixels: false, failOn: 'truncated' }).autoOrient();
    const height = Math.min(MAX_SIDE, Math.floor(MAX_DRAWN_PIXELS / width));
    const picture = image
      .resize(width, height, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' });
    return await encodePicture(picture);
  } catch (error) {
    throw corruptImage(error);
  }
}
