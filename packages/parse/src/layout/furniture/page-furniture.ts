/**
 * Finds page furniture: running headers, footers and page numbers. It is detected by repetition over the pages and, on
 * single pages, by position, size and distance from the text.
 */
import { isTableRow, outermostBand } from './bands.ts';
import { edgeLines, inMargin, MARGIN, PAGE_NUMBER, type FurnitureInput } from './edge-lines.ts';
import { flowNumbers } from './flow-numbers.ts';
import { height, width } from '../geometry.ts';
import { textOf, type Line } from '../lines/line.ts';
import { groupBy } from '../statistics.ts';
import { tagOf } from '../headings/structure-tags.ts';

/** Height step, in points: lines within the same step count as the same line. */
const HEIGHT_STEP = 5;

/** Returns the lines that are page furniture. */
export function findFurniture(pages: readonly FurnitureInput[], bodySize: number): Set<Line> {
  const furniture = new Set<Line>();
  for (const line of repeated(pages, bodySize)) furniture.add(line);
  for (const page of pages) {
    for (const line of attachedLines(page, furniture)) furniture.delete(line);
    const isTagged = page.lines.some((line) => tagOf(line) !== undefined);
    for (const line of page.lines) {
      // In a tagged file, untagged content is an artifact.
      if (isTagged && tagOf(line) === undefined && inMargin(line, page, MARGIN)) furniture.add(line);
      const angle = line.words[0]?.angle ?? 0;
      if (angle !== 0 && (isMarginNote(line, page) || isWatermark(line, angle, bodySize))) furniture.add(line);
    }
    for (const line of edgeLines(page, furniture, bodySize)) furniture.add(line);
  }
  for (const line of inRunningPlaces(pages, furniture)) furniture.add(line);
  for (const line of countingNumbers(pages, furniture)) furniture.add(line);
  for (const line of flowNumbers(pages, bodySize)) furniture.add(line);
  // If nothing else is left, the furniture is the document's text.
  return pages.every((page) => page.lines.every((line) => furniture.has(line))) ? new Set() : furniture;
}

/** Minimum number of pages, and share of pages, on which running lines of one size have one height. */
const MIN_RUNNING_PAGES = 5;
const MIN_RUNNING_SHARE = 0.3;

/**
 * Returns the lines at a height and in a size that running lines have on many pages: titles of short chapters change
 * before they repeat.
 */
function inRunningPlaces(pages: readonly FurnitureInput[], furniture: ReadonlySet<Line>): Line[] {
  const placed = pages.flatMap((page) =>
    page.lines
      .filter((line) => inMargin(line, page, MARGIN) && line.words[0]?.angle === 0)
      .map((line) => ({ line, page, place: placeOf(line, page) })),
  );
  const needed = Math.max(MIN_RUNNING_PAGES, MIN_RUNNING_SHARE * pages.length);
  return [...groupBy(placed, ({ place }) => place).values()].flatMap((group) => {
    const running = new Set(group.filter(({ line }) => furniture.has(line)).map(({ page }) => page));
    return running.size >= needed ? group.map(({ line }) => line) : [];
  });
}

/** Minimum number of pages whose numbers count the pages. */
const MIN_COUNTED_PAGES = 3;

/**
 * Returns page numbers at any height: single numbers above or below all text, at the same height and with the same
 * difference from the index of their page on several pages. Printed articles have margins of a fifth of the page.
 */
function countingNumbers(pages: readonly FurnitureInput[], furniture: ReadonlySet<Line>): Line[] {
  const numbers = pages.flatMap(({ lines, height: pageHeight }, index) => {
    const text = lines.filter((line) => !furniture.has(line) && line.words[0]?.angle === 0);
    return [true, false].flatMap((top) => {
      const [line, other] = outermostBand(text, top);
      if (line === undefined || other !== undefined || text.length < 2) return [];
      const number = /^[-–—\s]*(\d{1,4})[-–—\s]*$/u.exec(textOf(line.words))?.[1];
      const place = Math.round((HEIGHT_STEPS * line.baseline) / pageHeight);
      return number === undefined ? [] : [{ line, key: `${top}:${place}:${Number(number) - index}` }];
    });
  });
  return [...groupBy(numbers, ({ key }) => key).values()].flatMap((group) =>
    group.length >= MIN_COUNTED_PAGES ? group.map(({ line }) => line) : [],
  );
}

/** Number of steps of a page's height within which numbers have the same height. */
const HEIGHT_STEPS = 150;

/** Returns edge, distance from it and size, in points and half points. */
function placeOf(line: Line, page: FurnitureInput): string {
  const isTop = line.y1 <= MARGIN * page.height;
  const distance = isTop ? line.baseline : page.height - line.baseline;
  return `${isTop}:${Math.round(distance)}:${Math.round(line.size * 2)}`;
}

/** Factor of the body size from which a running line is the document's title, which is kept once. */
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

/** Gap, in line sizes, below which a repeated line belongs to the text, such as a table's repeated header. */
const ATTACHED_GAP = 0.35;

/** Returns repeated lines that touch the page's own text, directly or through each other. */
function attachedLines(page: FurnitureInput, furniture: ReadonlySet<Line>): Line[] {
  const attached: Line[] = [];
  let loose = page.lines.filter((line) => furniture.has(line));
  let edge = page.lines.filter((line) => !furniture.has(line));
  while (edge.length > 0 && loose.length > 0) {
    const rows = [true, false].flatMap((top) => edgeTableRows(page, loose, top));
    const touching = loose.filter((line) => rows.includes(line) || edge.some((other) => touches(line, other)));
    attached.push(...touching);
    loose = loose.filter((line) => !touching.includes(line));
    edge = rows.length > 0 ? [...edge, ...touching] : touching;
  }
  return attached;
}

/** Returns the innermost `loose` lines at one end of the page if they form a table row. */
function edgeTableRows(page: FurnitureInput, loose: readonly Line[], top: boolean): Line[] {
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
  // A rule typed as underscores is close to the text it separates.
  return beside && gap < ATTACHED_GAP * line.size && /[\p{L}\p{N}]/u.test(textOf(line.words));
}

/**
 * Builds the comparison key of a line. Digits and roman numerals are masked because page numbers and dates change; x is
 * ignored because even and odd pages mirror it.
 */
function keyOf(line: Line, page: FurnitureInput): string {
  const text = textOf(line.words)
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/, '#');
  const fromTop = line.y1 <= MARGIN * page.height;
  const distance = fromTop ? line.baseline : page.height - line.baseline;
  return `${text}@${fromTop ? 'top' : 'bottom'}${Math.round(distance / HEIGHT_STEP)}`;
}

/** Detects vertical text along the edge of the page, and the number of a page whose text is turned. */
function isMarginNote(line: Line, page: FurnitureInput): boolean {
  const beside = line.x1 < 0.1 * page.width || line.x0 > 0.9 * page.width;
  return beside && (height(line) > width(line) || (PAGE_NUMBER.test(textOf(line.words)) && isOutermost(line, page)));
}

/** Checks that no other line is as close to the left or right edge of the page. */
const isOutermost = (line: Line, { lines }: FurnitureInput): boolean =>
  lines.every((other) => other === line || other.x0 > line.x1) ||
  lines.every((other) => other === line || other.x1 < line.x0);

/** Detects large diagonal text; diagonal chart labels are small. */
const isWatermark = (line: Line, angle: number, bodySize: number): boolean =>
  angle % 90 !== 0 && angle > 15 && angle < 345 && (line.words[0]?.em ?? 0) > 1.8 * bodySize;
