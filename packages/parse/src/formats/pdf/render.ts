/** Renders pages to images. */
import sharp, { type Sharp } from 'sharp';
import type { Pdfium } from './pdfium.ts';

const BITMAP_BGRA = 4;
const DRAW_ANNOTATIONS = 0x01;
const REVERSE_BYTE_ORDER = 0x10;
const OPAQUE_WHITE = 0xffffffff;
export const POINTS_PER_INCH = 72;
/** Rounding errors of a page's size in pixels. */
const ROUNDING = 1e-3;

/** Renders the displayed page on white with `scale` pixels per point, limited to `maxPixels` in total. */
export function renderPage(pdfium: Pdfium, page: number, scale: number, maxPixels: number): Sharp {
  const { api } = pdfium;
  const pageWidth = Math.max(1, api.FPDF_GetPageWidthF(page));
  const pageHeight = Math.max(1, api.FPDF_GetPageHeightF(page));
  const fit = Math.min(scale, Math.sqrt(maxPixels / (pageWidth * pageHeight)));
  const width = Math.max(1, Math.floor(pageWidth * fit + ROUNDING));
  const height = Math.max(1, Math.floor(pageHeight * fit + ROUNDING));
  const bitmap = api.FPDFBitmap_CreateEx(width, height, BITMAP_BGRA, 0, width * 4);
  if (bitmap === 0) throw new RangeError(`PDFium has no memory for a picture of ${width} × ${height}`);
  try {
    api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, OPAQUE_WHITE);
    api.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, DRAW_ANNOTATIONS | REVERSE_BYTE_ORDER);
    const start = api.FPDFBitmap_GetBuffer(bitmap);
    const pixels = Buffer.from(pdfium.bytes.subarray(start, start + width * height * 4));
    return sharp(pixels, { raw: { width, height, channels: 4 } })
      .flatten({ background: '#ffffff' })
      .removeAlpha();
  } finally {
    api.FPDFBitmap_Destroy(bitmap);
  }
}
