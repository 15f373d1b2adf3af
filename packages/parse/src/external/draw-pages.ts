/** Draws pages as JPEGs for providers that read pictures: rendered pages of PDFs, decoded pages of image files. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { ContentError } from '@quire/blocks/content-error';
import type { PagePicture } from '@quire/blocks/page-reading';
import { FORMATS, type Format } from '../formats.ts';
import { openRaster, rasterPage, type RasterPage } from '../formats/image/raster.ts';
import { corruptImage } from '../formats/image/raw-picture.ts';
import type { ParseOptions, SourceFile } from '../parser.ts';
import { withPdf } from '../formats/pdf/document.ts';
import { POINTS_PER_INCH, renderPage } from '../formats/pdf/render.ts';

export interface DrawInput {
  file: SourceFile;
  /** JPEG quality and size of the drawn pages. */
  drawing: Pick<ParseOptions, 'jpegQuality' | 'maxPixels'>;
  /** Maximum number of pixels that are decoded. */
  limitPixels: number;
  /** Page numbers from 1; pages that do not exist are left out. */
  pages: readonly number[];
}

export interface DrawnPages {
  pageCount: number;
  pages: PagePicture[];
}

const DPI = 200;
/** Returns whether pages of this format can be drawn. */
export const isDrawable = (format: Format): boolean => FORMATS[format].pages !== null;
/** Returns whether the format is a raster image. */
export const isPicture = (format: Format): boolean => FORMATS[format].pages === 'decoded';

/** Throws `ContentError`, as the readers of these formats do. */
export function drawPages(input: DrawInput): Promise<DrawnPages> {
  return FORMATS[input.file.format].pages === 'rendered' ? drawPdf(input) : drawPicture(input);
}

function drawPdf({ file, drawing, pages }: DrawInput): Promise<DrawnPages> {
  return withPdf(file.path, async (document) => {
    if (document.pageCount === 0) throw new ContentError('corrupt', 'No page of the PDF could be read');
    const drawn: PagePicture[] = [];
    for (const page of pages) {
      const picture = document.withPage(page - 1, (handle) =>
        renderPage(document.pdfium, handle, DPI / POINTS_PER_INCH, drawing.maxPixels),
      );
      if (picture === undefined) continue;
      const { data, info } = await picture.jpeg({ quality: drawing.jpegQuality }).toBuffer({ resolveWithObject: true });
      drawn.push({ page, jpeg: data, width: info.width, height: info.height });
    }
    return { pageCount: document.pageCount, pages: drawn };
  });
}

async function drawPicture({ file, drawing, limitPixels, pages }: DrawInput): Promise<DrawnPages> {
  const raster = await openRaster(await readFile(file.path), file.format, limitPixels);
  const drawn: PagePicture[] = [];
  for (const page of pages.filter((each) => each <= raster.pages)) {
    const frame = await rasterPage(raster, page - 1, limitPixels);
    try {
      drawn.push(await drawImage(frame, page, drawing));
    } catch (error) {
      throw corruptImage(error);
    }
  }
  return { pageCount: raster.pages, pages: drawn };
}

async function drawImage(frame: RasterPage, page: number, drawing: DrawInput['drawing']): Promise<PagePicture> {
  const image = sharp(frame.data, { page: frame.page, limitInputPixels: false, failOn: 'truncated' });
  const { width, height } = (await image.metadata()).autoOrient;
  const scale = Math.min(1, Math.sqrt(drawing.maxPixels / (width * height)));
  const { data, info } = await image
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)), { fit: 'fill' })
    .jpeg({ quality: drawing.jpegQuality })
    .toBuffer({ resolveWithObject: true });
  return { page, jpeg: data, width: info.width, height: info.height };
}
