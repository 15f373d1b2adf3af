/** Writes text on pages: stamps, watermarks and page numbers. */
import { degrees, rgb, type PDFDocument, type PDFFont, type PDFPage } from '@cantoo/pdf-lib';
import type { OperationOf } from '../operations.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import type { OperationReport } from '../report.ts';
import { EditFonts } from './fonts.ts';
import { geometryOf, shownSize, toPageSpace } from './page-geometry.ts';
import { pagesIn } from './page-range.ts';

type Stamp = OperationOf<'stampText'>;

const LINE_HEIGHT = 1.2;
/** Distance from the page's edges, in points. */
const MARGIN = 28;
/** Distance from the centre of the letters to the baseline, as a share of the font size. */
const BASELINE = 0.35;

export async function stampText(
  document: PDFDocument,
  operation: Stamp,
  budget: OutputBudget,
): Promise<OperationReport> {
  const pageCount = document.getPageCount();
  const indexes = pagesIn(operation.pages ?? '1-', pageCount);
  const fonts = new EditFonts(document);
  const font = await fonts.fontFor(`${operation.text}0123456789`);
  for (const index of indexes) {
    budget.insert(operation.text.length);
    const text = operation.text.replaceAll('{page}', String(index + 1)).replaceAll('{pages}', String(pageCount));
    stampPage(document.getPage(index), text.split(/\r?\n/), font, operation);
  }
  return { type: operation.type, changes: indexes.length, pages: indexes.map((index) => index + 1) };
}

function stampPage(page: PDFPage, lines: readonly string[], font: PDFFont, operation: Stamp): void {
  const { size, opacity, rotation } = operation;
  const geometry = geometryOf(page);
  const widths = lines.map((line) => font.widthOfTextAtSize(line, size));
  const width = Math.max(...widths);
  const height = lines.length * size * LINE_HEIGHT;
  const [middleX, middleY] = middleOf(operation.position, shownSize(geometry), width, height);
  const angle = (rotation * Math.PI) / 180;
  for (const [index, line] of lines.entries()) {
    // Start of the line's baseline relative to the text's centre, before rotation.
    const x = -(widths[index] ?? 0) / 2;
    const y = (index - (lines.length - 1) / 2) * size * LINE_HEIGHT + size * BASELINE;
    const [pageX, pageY] = toPageSpace(
      geometry,
      middleX + x * Math.cos(angle) + y * Math.sin(angle),
      middleY - x * Math.sin(angle) + y * Math.cos(angle),
    );
    const rotate = degrees(rotation + geometry.turns * 90);
    page.drawText(line, { x: pageX, y: pageY, size, font, opacity, rotate, color: colourOf(operation.colour) });
  }
}

/** Returns the centre of the text, in points from the top left corner of the page as displayed. */
function middleOf(
  position: Stamp['position'],
  [pageWidth, pageHeight]: readonly [number, number],
  width: number,
  height: number,
): [x: number, y: number] {
  if (typeof position === 'object') return [position.x * pageWidth, position.y * pageHeight];
  const left = MARGIN + width / 2;
  const x = position.endsWith('Left') ? left : position.endsWith('Right') ? pageWidth - left : pageWidth / 2;
  const top = MARGIN + height / 2;
  const y = position.startsWith('top') ? top : position.startsWith('bottom') ? pageHeight - top : pageHeight / 2;
  return [x, y];
}

function colourOf(hex: string): ReturnType<typeof rgb> {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return rgb(part(1), part(3), part(5));
}
