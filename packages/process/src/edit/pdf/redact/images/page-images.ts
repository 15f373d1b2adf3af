/** Replaces pages by images of themselves, as the last resort of a redaction. */
import { PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import type { ParseOptions } from '@quire/parse/parser';
import type { PdfDocument } from '@quire/parse/formats/pdf/document';
import { POINTS_PER_INCH, renderPage } from '@quire/parse/formats/pdf/render';
import { geometryOf, shownSize, toPageSpace } from '../../page-geometry.ts';

const DPI = 200;

/**
 * Returns JPEGs of the pages by index, without their annotations, which stay on the page. Changes the open document.
 */
export async function drawPages(
  document: PdfDocument,
  indexes: readonly number[],
  { maxPixels, jpegQuality }: ParseOptions,
): Promise<Map<number, Buffer>> {
  const { pdfium } = document;
  const pictures = new Map<number, Buffer>();
  for (const index of indexes) {
    const picture = document.withPage(index, (page) => {
      for (let left = pdfium.api.FPDFPage_GetAnnotCount(page); left > 0; left -= 1) {
        pdfium.api.FPDFPage_RemoveAnnot(page, left - 1);
      }
      return renderPage(pdfium, page, DPI / POINTS_PER_INCH, maxPixels);
    });
    if (picture !== undefined) pictures.set(index, await picture.jpeg({ quality: jpegQuality }).toBuffer());
  }
  return pictures;
}

export async function turnIntoPictures(document: PDFDocument, pictures: ReadonlyMap<number, Buffer>): Promise<void> {
  const { context } = document;
  for (const [index, jpeg] of pictures) {
    const page = document.getPage(index);
    const image = await document.embedJpg(jpeg);
    const geometry = geometryOf(page);
    const [width, height] = shownSize(geometry);
    const origin = toPageSpace(geometry, 0, height);
    const right = toPageSpace(geometry, width, height);
    const up = toPageSpace(geometry, 0, 0);
    const matrix = [right[0] - origin[0], right[1] - origin[1], up[0] - origin[0], up[1] - origin[1], ...origin];
    const content = `q ${matrix.map((value) => value.toFixed(3)).join(' ')} cm /Page Do Q`;
    page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
    page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Page: image.ref } }));
  }
}
