/**
 * Running headers, footers and page numbers: text that belongs to the paper, not to the document. Found by repetition
 * over the pages; on single pages by place, size and distance from the rest.
 */
import { boundsOf, height, width, type Box } from './geometry.ts';
import { textOf, type Line } from './line.ts';
import { groupBy, median } from './statistics.ts';
import { tagOf } from './tags.ts';

export interface FurnitureInput {
  width: number;
  height: number;
  lines: readonly Line[];
}

/** Repeated lines are looked for in this share of the page at its top and bottom; lone ones nearer to the edge. */
const MARGIN = 0.14;
const EDGE = 0.075;
/** Lines at the same height, within this many points, are taken for the same line. */
const HEIGHT_STEP = 5;
const PAGE_NUMBER =
  /^[\s\-–—|·.[\]()]*(?:(?:page|seite|pagina|página|p\.|s\.|стр\.?|第)\s*)?(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{0,2}[-–.]\d{1,4}|\d{1,3}-\d{1,3})(?:\s*(?:of|\/|von|de|di|из|页|頁)\s*\d{1,4}\s*页?)?[\s\-–—|·.[\]()]*$/iu;

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

/** Bands of a table looked at for its rhythm. */
const RHYTHM = 6;
const SAME_EDGE = 2;

/** A row of the table that the page ends or begins with: its pieces stand under the others', as far from them. */
function isTableRow(band: readonly Line[], inner: readonly Line[], top: boolean): boolean {
  if (band.length < 2) return false;
  const bands: Line[][] = [];
  for (let rest = inner.filter(({ words }) => words[0]?.angle === 0); rest.length > 0 && bands.length < RHYTHM;) {
    const next = outermostBand(rest, top);
    bands.push(next);
    rest = rest.filter((line) => !next.includes(line));
  }
  const levels = [band, ...bands].map((lines) => lines[0]?.baseline ?? 0);
  const [gap = Infinity, ...pitches] = levels.slice(1).map((level, index) => Math.abs(level - (levels[index] ?? 0)));
  const model = bands.find((lines) => lines.length >= 2) ?? [];
  const aligned = band.filter((line) => model.some((other) => sharesEdge(line, other))).length;
  return aligned >= Math.max(2, 0.6 * band.length) && pitches.length > 0 && gap <= 1.3 * Math.max(...pitches);
}

const sharesEdge = (a: Box, b: Box): boolean =>
  Math.abs(a.x0 - b.x0) < SAME_EDGE ||
  Math.abs(a.x1 - b.x1) < SAME_EDGE ||
  Math.abs(a.x0 + a.x1 - b.x0 - b.x1) < 2 * SAME_EDGE;

function touches(line: Line, other: Line): boolean {
  const beside = Math.min(line.x1, other.x1) > Math.max(line.x0, other.x0);
  const gap = Math.max(line.y0, other.y0) - Math.min(line.y1, other.y1);
  // A rule made of underscores stands close to what it parts.
  return beside && gap < ATTACHED_GAP * line.size && /[\p{L}\p{N}]/u.test(textOf(line.words));
}

const inMargin = (line: Box, page: FurnitureInput, share: number): boolean =>
  line.y1 <= share * page.height || line.y0 >= (1 - share) * page.height;

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

/** How many bands of lines may be furniture at either end of a page. */
const MAX_BANDS = 3;

/** Outermost lines of a page that a gap parts from the rest: page numbers, and small print close to the edge. */
function edgeLines(page: FurnitureInput, known: ReadonlySet<Line>, bodySize: number): Line[] {
  const found: Line[] = [];
  for (const top of [true, false]) {
    let rest = page.lines.filter((line) => !known.has(line) && line.words[0]?.angle === 0);
    for (let band = outermostBand(rest, top); band.length > 0; band = outermostBand(rest, top)) {
      const inner = rest.filter((line) => !band.includes(line));
      if (found.length >= MAX_BANDS * 3 || !isEdgeBand(band, inner, page, { top, bodySize })) break;
      found.push(...band);
      rest = inner;
    }
  }
  return found;
}

function isEdgeBand(
  band: readonly Line[],
  inner: readonly Line[],
  page: FurnitureInput,
  at: { top: boolean; bodySize: number },
): boolean {
  const numbers = band.filter((line) => PAGE_NUMBER.test(textOf(line.words)));
  const size = median(band.map((line) => line.size));
  const gap = distanceTo(band, inner, at.top);
  const modest = size <= at.bodySize * 1.05 && band.every((line) => line.words.length <= 16);
  const inside = (share: number): boolean => band.every((line) => inMargin(line, page, share));
  if (isTableRow(band, inner, at.top)) return false;
  if (numbers.length > 0 && inside(MARGIN) && (band.length === 1 || modest) && gap > 0.4 * size) return true;
  if (inner.length < 8 || !modest) return false;
  if (numbers.length === band.length && !at.top && inside(MARGIN) && gap > -0.3 * size && isCentred(band, inner))
    return true;
  if (numbers.length === band.length && !at.top && gap > 1.2 * size && isCentred(band, inner)) return true;
  return inside(EDGE) && gap > (at.top ? 1.5 : 1.2) * size;
}

/** A number in the middle below the text, on a page whose text ends early. */
function isCentred(band: readonly Line[], inner: readonly Line[]): boolean {
  const [box, text] = [boundsOf(band), boundsOf(inner)];
  return Math.abs(box.x0 + box.x1 - text.x0 - text.x1) < 0.06 * (text.x1 - text.x0);
}

function outermostBand(lines: readonly Line[], top: boolean): Line[] {
  const edge = lines.reduce(
    (y, line) => (top ? Math.min(y, line.baseline) : Math.max(y, line.baseline)),
    top ? Infinity : -Infinity,
  );
  return lines.filter((line) => Math.abs(line.baseline - edge) <= 0.5 * line.size);
}

function distanceTo(band: readonly Line[], inner: readonly Line[], top: boolean): number {
  if (inner.length === 0) return Infinity;
  const [box, rest] = [boundsOf(band), boundsOf(inner)];
  return top ? rest.y0 - box.y1 : box.y0 - rest.y1;
}
