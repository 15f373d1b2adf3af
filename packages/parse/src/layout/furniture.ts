/**
 * Running headers, footers and page numbers: text that belongs to the paper, not to the document. Found by repetition
 * over the pages; on single pages by place, size and distance from the rest.
 */
import { isTableRow, outermostBand } from './bands.ts';
import { edgeLines, inMargin, MARGIN, PAGE_NUMBER, type FurnitureInput } from './edge-lines.ts';
import { height, width } from './geometry.ts';
import { textOf, type Line } from './line.ts';
import { groupBy } from './statistics.ts';
import { tagOf } from './tags.ts';

/** Lines at the same height, within this many points, are taken for the same line. */
const HEIGHT_STEP = 5;

/** The lines, page by page, that are furniture. */
export function findFurniture(pages: readonly FurnitureInput[], bodySize: number): Set<Line> {
  const furniture = new Set<Line>();
  for (const line of repeated(pages, bodySize)) furniture.add(line);
  for (const page of pages) {
    for (const line of attachedLines(page, furniture)) furniture.delete(line);
    const isTagged = page.lines.some((line) => tagOf(line) !== undefined);
    for (const line of page.lines) {
      // The file itself says that this is no part of the document.
      if (isTagged && tagOf(line) === undefined && inMargin(line, page, MARGIN)) furniture.add(line);
      const angle = line.words[0]?.angle ?? 0;
      if (angle !== 0 && (isMarginNote(line, page) || isWatermark(line, angle, bodySize))) furniture.add(line);
    }
    for (const line of edgeLines(page, furniture, bodySize)) furniture.add(line);
  }
  // A document of nothing but such lines has them for its text.
  return pages.every((page) => page.lines.every((line) => furniture.has(line))) ? new Set() : furniture;
}

/** Times the size of the body text: a running line this large is the document's title, told once. */
const TITLE_SIZE = 1.3;

function repeated(pages: readonly FurnitureInput[], bodySize: number): Line[] {
  const candidates = pages.flatMap((page, index) =>
    page.lines.filter((line) => inMargin(line, page, MARGIN)).map((line) => ({ line, index, key: keyOf(line, page) })),
  );
  const needed = pages.length <= 3 ? 2 : Math.max(3, Math.min(6, Math.round(pages.length * 0.25)));
  const found: Line[] = [];
  for (const group of groupBy(candidates, (candidate) => candidate.key).values()) {
    const onPages = new Set(group.map((candidate) => candidate.index)).size;
    if (onPages < needed) continue;
    const isTitle = group.every(
      ({ line }) => line.size >= TITLE_SIZE * bodySize && !PAGE_NUMBER.test(textOf(line.words)),
    );
    found.push(...group.slice(isTitle ? 1 : 0).map((candidate) => candidate.line));
  }
  return found;
}

/** A running line that stands this close to the text, in shares of its size, belongs to it: a table's repeated header. */
const ATTACHED_GAP = 0.35;

/** Repeated lines that touch the page's own text, directly or through each other. */
function attachedLines(page: FurnitureInput, furniture: ReadonlySet<Line>): Line[] {
  const attached: Line[] = [];
  let loose = page.lines.filter((line) => furniture.has(line));
  let edge = page.lines.filter((line) => !furniture.has(line));
  while (edge.length > 0 && loose.length > 0) {
    const rows = [true, false].flatMap((top) => rowsInRhythm(page, loose, top));
    const touching = loose.filter((line) => rows.includes(line) || edge.some((other) => touches(line, other)));
    attached.push(...touching);
    loose = loose.filter((line) => !touching.includes(line));
    edge = rows.length > 0 ? [...edge, ...touching] : touching;
  }
  return attached;
}

/** Of the innermost of the `loose` lines at an end of the page, those that are pieces of a table's row. */
function rowsInRhythm(page: FurnitureInput, loose: readonly Line[], top: boolean): Line[] {
  const [first] = outermostBand(
    loose.filter((line) => line.y1 <= MARGIN * page.height === top),
    !top,
  );
  if (first === undefined) return [];
  const isLevel = (line: Line): boolean => Math.abs(line.baseline - first.baseline) <= 0.5 * line.size;
  const isInner = (line: Line): boolean => (top ? line.baseline > first.baseline : line.baseline < first.baseline);
  const inner = page.lines.filter((line) => isInner(line) && !isLevel(line));
  return isTableRow(page.lines.filter(isLevel), inner, top) ? loose.filter(isLevel) : [];
}

function touches(line: Line, other: Line): boolean {
  const beside = Math.min(line.x1, other.x1) > Math.max(line.x0, other.x0);
  const gap = Math.max(line.y0, other.y0) - Math.min(line.y1, other.y1);
  // A rule made of underscores stands close to what it parts.
  return beside && gap < ATTACHED_GAP * line.size && /[\p{L}\p{N}]/u.test(textOf(line.words));
}

/** Digits and roman numerals masked: page numbers and dates change, the rest stays. Even and odd pages mirror x. */
function keyOf(line: Line, page: FurnitureInput): string {
  const text = textOf(line.words)
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/, '#');
  const fromTop = line.y1 <= MARGIN * page.height;
  const distance = fromTop ? line.baseline : page.height - line.baseline;
  return `${text}@${fromTop ? 'top' : 'bottom'}${Math.round(distance / HEIGHT_STEP)}`;
}

/** Text on its side along the edge of the page. */
function isMarginNote(line: Line, page: FurnitureInput): boolean {
  const beside = line.x1 < 0.1 * page.width || line.x0 > 0.9 * page.width;
  return beside && height(line) > width(line);
}

/** Large text aslant over the page; labels of charts are small. */
const isWatermark = (line: Line, angle: number, bodySize: number): boolean =>
  angle % 90 !== 0 && angle > 15 && angle < 345 && (line.words[0]?.em ?? 0) > 1.8 * bodySize;
