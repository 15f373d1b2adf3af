/** Reads the words under boxes of a PDF with PDFium alone, independently of the layout analysis. */
import type { PageBox } from '@quire/blocks/text-lines';
import { withPdf, type PdfDocument } from '../document.ts';

/** Side of the virtual device that positions on the displayed page are mapped through, in device units. */
const DEVICE = 100_000;

/** Returns the text under each box; boxes are in 0..1 of the displayed page, from its top left corner. */
export function textUnder(path: string, boxes: readonly PageBox[]): Promise<string[]> {
  return withPdf(path, (document) =>
    Promise.resolve(boxes.map((box) => document.withPage(box.page - 1, (page) => readBox(document, page, box)) ?? '')),
  );
}

function readBox({ pdfium }: PdfDocument, page: number, { box: [x0, y0, x1, y1] }: PageBox): string {
  const { api } = pdfium;
  const a = pagePoint({ pdfium }, page, x0, y0);
  const b = pagePoint({ pdfium }, page, x1, y1);
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [bottom, top] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  const textPage = api.FPDFText_LoadPage(page);
  try {
    const length = api.FPDFText_GetBoundedText(textPage, left, top, right, bottom, 0, 0);
    const buffer = pdfium.allocate(2 * length + 2);
    api.FPDFText_GetBoundedText(textPage, left, top, right, bottom, buffer, length);
    const text = Buffer.from(pdfium.bytes.subarray(buffer, buffer + 2 * length)).toString('utf16le');
    pdfium.free(buffer);
    // PDFium marks a hyphen at a line end by code 2.
    return text.replaceAll('\u0002', '-').replaceAll(/\s+/g, ' ').trim();
  } finally {
    api.FPDFText_ClosePage(textPage);
  }
}

/** Maps a position on the displayed page to page space, which ignores rotation and crop box. */
function pagePoint({ pdfium }: Pick<PdfDocument, 'pdfium'>, page: number, x: number, y: number): [number, number] {
  const at = pdfium.scratch;
  const [deviceX, deviceY] = [Math.round(x * DEVICE), Math.round(y * DEVICE)];
  pdfium.api.FPDF_DeviceToPage(page, 0, 0, DEVICE, DEVICE, 0, deviceX, deviceY, at, at + 8);
  return [pdfium.double(0), pdfium.double(1)];
}
