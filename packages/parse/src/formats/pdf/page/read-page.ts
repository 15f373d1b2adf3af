/** Reads everything that the layout analysis needs from one page. */
import type { PageContent } from '../../../layout/page/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { readFields } from '../structure/form-fields.ts';
import { readLinks } from '../structure/links.ts';
import { readGlyphs, type PageGlyphs } from '../text/glyphs.ts';
import type { QuarterTurns } from '../../../layout/page/display-box.ts';
import { PageFrame, type PageBounds } from './page-frame.ts';
import { readPageObjects } from './page-objects.ts';
import type { Pdfium } from '../pdfium.ts';
import { readStructure } from '../structure/structure-tree.ts';
import { uprightTurns, wordsOf } from '../text/words.ts';

/** US Letter, PDFium's default for a page without a box. */
const DEFAULT_BOUNDS: PageBounds = { left: 0, top: 792, right: 612, bottom: 0 };

export interface PageReading {
  content: PageContent;
  glyphs: PageGlyphs;
}

export function readPage(document: PdfDocument, page: number, number: number): PageReading {
  const { pdfium } = document;
  const rotation = (pdfium.api.FPDFPage_GetRotation(page) & 3) as QuarterTurns;
  const structure = readStructure(pdfium, page);
  const glyphs = readGlyphs(pdfium, page, document.fonts, structure !== undefined);
  const turns = uprightTurns(glyphs, rotation);
  const frame = new PageFrame(boundsOf(pdfium, page), turns);
  const objects = readPageObjects(pdfium, page, frame, structure?.alternatives);
  const content: PageContent = {
    number,
    width: frame.width,
    height: frame.height,
    turn: ((turns - rotation + 4) % 4) as QuarterTurns,
    words: wordsOf(glyphs, frame, structure?.tags),
    ...objects,
    links: readLinks(document, page, frame),
    fields: readFields(document, page, frame),
  };
  return { content, glyphs };
}

function boundsOf(pdfium: Pdfium, page: number): PageBounds {
  if (!pdfium.api.FPDF_GetPageBoundingBox(page, pdfium.scratch)) return DEFAULT_BOUNDS;
  const [left, top, right, bottom] = [pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3)];
  return right - left > 1 && top - bottom > 1 ? { left, top, right, bottom } : DEFAULT_BOUNDS;
}
