/** Detects page furniture on a single page: page numbers, and small print at the edge set off by a gap or a rule. */
import { isTableRow, outermostBand } from './bands.ts';
import { boundsOf, centreY, width, type Box } from '../geometry.ts';
import { textOf, type Line } from '../lines/line.ts';
import type { Rule } from '../page/page-content.ts';
import { median } from '../statistics.ts';

export interface FurnitureInput {
  width: number;
  height: number;
  lines: readonly Line[];
  rules: readonly Rule[];
}

/**
 * Margin height as a share of the page height: furniture is within it; single lines need to be closer to the edge.
 */
export const MARGIN = 0.14;
const EDGE = 0.075;
const OUTER_EDGE = 0.045;
export const PAGE_NUMBER =
  /^[\s\-–—|·.[\]()]*(?:(?:page|seite|pagina|página|p\.|s\.|стр\.?|第)\s*)?(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{0,2}[-–.]\d{1,4}|\d{1,3}-\d{1,3})(?:\s*(?:of|\/|von|de|di|из|页|頁)\s*\d{1,4}\s*页?)?[\s\-–—|·.[\]()]*$/iu;

export const inMargin = (line: Box, page: FurnitureInput, share: number): boolean =>
  line.y1 <= share * page.height || line.y0 >= (1 - share) * page.height;

/** Maximum number of furniture bands at either end of a page, and of bands examined together. */
const MAX_BANDS = 3;
const MAX_EXAMINED_BANDS = 3;
/** Minimum number of remaining lines for a judgement by size and gap. */
const MIN_LINES = 8;

interface Edge {
  page: FurnitureInput;
  top: boolean;
  bodySize: number;
  /** Lines already identified as furniture. */
  known: ReadonlySet<Line>;
}

/** Returns the outermost lines of a page that are not part of its text. */
export function edgeLines(page: FurnitureInput, known: ReadonlySet<Line>, bodySize: number): Line[] {
  return [true, false].flatMap((top) => linesAt({ page, top, bodySize, known }));
}

function linesAt(edge: Edge): Line[] {
  let rest = edge.page.lines.filter((line) => !edge.known.has(line) && line.words[0]?.angle === 0);
  const found: Line[] = [];
  for (let count = 0; count < MAX_BANDS;) {
    const bands = outermostBands(rest, edge);
    const taken = bands.findIndex((_, index) => isEdge(bands.slice(0, index + 1), rest, edge)) + 1;
    if (taken === 0) break;
    const lines = new Set(bands.slice(0, taken).flat());
    found.push(...lines);
    rest = rest.filter((line) => !lines.has(line));
    count += taken;
  }
  return found;
}

/**
 * Returns the outermost bands within the margin, from the edge inwards. A large number absorbs the small lines beside
 * it.
 */
function outermostBands(lines: readonly Line[], { page, top }: Edge): Line[][] {
  const bands: Line[][] = [];
  for (let rest = lines; rest.length > 0 && bands.length < MAX_EXAMINED_BANDS;) {
    const first = outermostBand(rest, top);
    if (bands.length > 0 && !first.every((line) => inMargin(line, page, MARGIN))) break;
    const number = first.find((line) => PAGE_NUMBER.test(textOf(line.words)));
    const band =
      number === undefined ? first : rest.filter((line) => first.includes(line) || isSmallBeside(line, number));
    bands.push(band);
    rest = rest.filter((line) => !band.includes(line));
  }
  return bands;
}

/** Checks for a line below two thirds of the number's size, vertically centred on it. */
const isSmallBeside = (line: Line, number: Line): boolean =>
  line.size < 0.66 * number.size && centreY(line) > number.y0 && centreY(line) < number.y1;

/** Decides whether the bands together are furniture. */
function isEdge(bands: readonly Line[][], lines: readonly Line[], edge: Edge): boolean {
  const band = bands.flat();
  if (band.some((line) => line.words.length > 16)) return false;
  const { page, top, bodySize, known } = edge;
  const inside = (share: number): boolean => band.every((line) => inMargin(line, page, share));
  // Outside the margin, only a number below the text is furniture.
  if (!inside(MARGIN) && (top || !band.every((line) => PAGE_NUMBER.test(textOf(line.words))))) return false;
  const inner = lines.filter((line) => !band.includes(line));
  if (isTableRow(bands.at(-1) ?? [], inner, top)) return false;
  const size = median(band.map((line) => line.size));
  const gap = distanceTo(band, inner, top);
  const modest = size <= bodySize * 1.12 && band.every((line) => line.words.length <= 16);
  // At the bottom of the page, notes may end at the height of the page number.
  const level = top ? page.lines.filter((line) => known.has(line) && band.some((own) => isLevel(own, line))) : [];
  // A number that ends with a full stop and has text beside it belongs to a note.
  const isNumber = (line: Line): boolean => {
    const text = textOf(line.words);
    return PAGE_NUMBER.test(text) && !(band.length > 1 && /\d\.$/.test(text));
  };
  const numbers = [...band, ...level].filter(isNumber);
  if (bands.length === 1) {
    if (
      numbers.length > 0 &&
      inside(MARGIN) &&
      (band.length === 1 || modest) &&
      gap > (level.length > 0 ? 0.8 : 0.4) * size
    )
      return true;
    if (inner.length < MIN_LINES || !modest) return false;
    if (band.every(isNumber) && !top && inside(MARGIN) && gap > -0.3 * size && isCentred(band, inner)) return true;
    if (band.every(isNumber) && !top && gap > 1.2 * size && isCentred(band, inner)) return true;
    if (inside(EDGE) && gap > (top ? 1.5 : 1.2) * size) return true;
    if (top && inside(EDGE) && gap > 1.1 * size && band.every(isLabel)) return true;
    if (!top && inside(MARGIN) && gap > 1.2 * size && isColophon(band, page)) return true;
  }
  if (inner.length < MIN_LINES || !modest || !inside(MARGIN)) return false;
  if (isSeparatedByRule(bands, inner, edge)) return true;
  // Several lines at the edge count only if they also look like running lines.
  const isSmall = size < 0.95 * bodySize || numbers.length > 0;
  return top && bands.length > 1 && (inside(OUTER_EDGE) || (inside(EDGE) && isSmall)) && gap > 1.2 * size;
}

const isLevel = (a: Line, b: Line): boolean => Math.abs(a.baseline - b.baseline) <= 0.5 * Math.max(a.size, b.size);

/** Checks for a few words that neither form nor end a sentence. */
const isLabel = (line: Line): boolean => {
  const text = textOf(line.words);
  return !line.bold && line.words.length <= 9 && /^[\p{Lu}\p{Lo}\d]/u.test(text) && !/[.,;:!?-]$/.test(text);
};

/** Checks for three pieces across the page, or a copyright notice. */
function isColophon(band: readonly Line[], page: FurnitureInput): boolean {
  const spread = width(boundsOf(band)) > 0.7 * page.width;
  return band.length > 1 && spread && (band.length === 3 || band.some((line) => textOf(line.words).includes('©')));
}

const NOTE_MARK = /^\(?\s*[\d*†‡§]/;
const DRAWN_RULE = /^[_—–-]{12,}$/;
/** Minimum width, as a share of the text width, of a rule that separates header from text. */
const RULE_WIDTH = 0.85;

/**
 * Checks for a rule, drawn or typed, between the bands and the text that is closer to the bands and not part of a
 * table.
 */
function isSeparatedByRule(bands: readonly Line[][], inner: readonly Line[], { page, top }: Edge): boolean {
  const [band, text] = [boundsOf(bands.flat()), boundsOf(inner)];
  const isRule = (line: Line): boolean => DRAWN_RULE.test(textOf(line.words).replaceAll(' ', ''));
  if (bands.length <= 3 && bands.at(-1)?.every(isRule) === true) return true;
  if (bands.length > 2 || !bands.flat().every(isLabel)) return false;
  if (!top && bands.flat().some((line) => NOTE_MARK.test(textOf(line.words)))) return false;
  const [from, to] = top ? [band.y1 - 3, text.y0] : [text.y1, band.y0 + 3];
  const size = bands[0]?.[0]?.size ?? 0;
  const rule = page.rules.find(
    (other) =>
      other.horizontal &&
      other.at > from &&
      other.at < to &&
      other.to - other.from > RULE_WIDTH * width(text) &&
      Math.abs(other.at - (top ? band.y1 : band.y0)) < 0.9 * size &&
      Math.abs(other.at - (top ? text.y0 : text.y1)) > 0.4 * size,
  );
  return rule !== undefined && !page.rules.some((other) => isTablePart(other, rule));
}

/** Detects a nearby rule of the same width, or a vertical rule that starts at this one. */
const isTablePart = (other: Rule, rule: Rule): boolean =>
  other !== rule &&
  (other.horizontal
    ? Math.abs(other.at - rule.at) > 3 &&
      Math.abs(other.at - rule.at) < 60 &&
      Math.abs(other.from - rule.from) < 5 &&
      Math.abs(other.to - rule.to) < 5
    : other.from < rule.at + 3 && other.to > rule.at - 3 && other.to - other.from > 6);

/** Checks for a number centred below the text, on a page whose text ends early. */
function isCentred(band: readonly Line[], inner: readonly Line[]): boolean {
  const [box, text] = [boundsOf(band), boundsOf(inner)];
  return Math.abs(box.x0 + box.x1 - text.x0 - text.x1) < 0.06 * (text.x1 - text.x0);
}

function distanceTo(band: readonly Line[], inner: readonly Line[], top: boolean): number {
  if (inner.length === 0) return Infinity;
  const [box, rest] = [boundsOf(band), boundsOf(inner)];
  return top ? rest.y0 - box.y1 : box.y0 - rest.y1;
}
