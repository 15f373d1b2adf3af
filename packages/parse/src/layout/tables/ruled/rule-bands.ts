/** Classifies the content between two rules of a stack: table rows, running text or the heading of the next table. */
import type { Rule, Word } from '../../page/page-content.ts';
import type { TextRow } from '../../lines/text-rows.ts';
import { continuesCell } from '../cells/cell-continuation.ts';
import { isFigures } from '../cells/label-column.ts';
import { cellRows, isFigure } from '../unruled/divide-figures.ts';
import { SEGMENT_GAP } from '../unruled/text-grid.ts';

export interface RuleBand {
  above: Rule;
  below: Rule;
  /** Its lines over the full page width, with the segments that overlap the rules horizontally. */
  rows: BandRow[];
}

interface BandRow extends TextRow {
  /** Whether running text extends into the range, so that the line is not a row of its segments. */
  prose: boolean;
}

/** Running text has at least this many words with gaps, in font sizes, no wider than in justified lines. */
const PROSE_WORDS = 9;
const PROSE_GAP = 1.2;

export function ruleBand(above: Rule, below: Rule, words: readonly Word[]): RuleBand {
  const level = words.filter((word) => word.y0 + word.y1 >= 2 * above.at && word.y0 + word.y1 <= 2 * below.at);
  const rows: BandRow[] = [];
  for (const row of cellRows(level, SEGMENT_GAP)) {
    const prose = hasProse(row, above);
    const segments = row.segments.filter((segment) => segment.x1 > above.from - 4 && segment.x0 < above.to + 4);
    if (segments.length > 0) rows.push({ ...row, segments, prose });
  }
  return { above, below, rows };
}

function hasProse({ segments, size }: TextRow, rule: Rule): boolean {
  let [start, end, count] = [0, -Infinity, 0];
  for (const { x0, x1, words } of segments) {
    if (x0 - end > PROSE_GAP * size) [start, count] = [x0, 0];
    end = x1;
    count += words.filter((word) => !isFigure(word)).length;
    if (count >= PROSE_WORDS && end > rule.from && start < rule.to) return true;
  }
  return false;
}

/** Minimum share of the width of the rules that a line of a paragraph fills. */
const FULL_SHARE = 0.8;

export function isTabular({ above, below, rows }: RuleBand): boolean {
  if (rows.length === 0) return below.at - above.at < 30;
  if (holdsParagraph(rows, above)) return false;
  const multi = rows.filter((row) => row.segments.length >= 2);
  const prose = rows.filter((row) => row.prose).length;
  if (rows.length <= 2 && multi.length === 0) return prose === 0;
  const wrapped = rows.filter((row) => continuesCell(row, multi));
  const running = prose - wrapped.filter((row) => row.prose).length;
  if (multi.length + wrapped.length >= 0.5 * rows.length) return running <= 0.3 * rows.length;
  return prose === 0 && isHeading(rows);
}

/** Detects two lines of running text that fill the width of the rules, between rows of a table. */
function holdsParagraph(rows: readonly BandRow[], rule: Rule): boolean {
  const isFull = (row: BandRow | undefined): boolean =>
    row?.prose === true && row.x1 - row.x0 > FULL_SHARE * (rule.to - rule.from);
  const first = rows.findIndex((row, index) => isFull(row) && isFull(rows[index + 1]));
  const isRow = ({ segments }: BandRow): boolean => segments.length >= 2;
  return first > 0 && rows.slice(0, first).some(isRow) && rows.slice(first).some(isRow);
}

/** Maximum number of lines of a heading; more lines are a list. */
const HEADING_LINES = 6;
/** Maximum number of words of a heading segment. */
const HEADING_WORDS = 5;

/** Checks for short segments over different columns, at different heights because some wrap. */
function isHeading(rows: readonly BandRow[]): boolean {
  const segments = rows.flatMap((row) => row.segments).toSorted((a, b) => a.x0 - b.x0);
  if (rows.length > HEADING_LINES || segments.some((segment) => segment.words.length > HEADING_WORDS)) return false;
  let [columns, end] = [0, -Infinity];
  for (const { x0, x1, words } of segments) {
    if (x0 - end > (words[0]?.size ?? 0)) columns++;
    end = Math.max(end, x1);
  }
  return columns >= 3;
}

/** Returns where running text begins below numbers; the lower rule then belongs to another table's heading. */
export function textBelowFigures({ rows }: RuleBand): number | undefined {
  const figures = rows.findLastIndex(isFigures);
  const isText = (row: BandRow): boolean => row.prose && !continuesCell(row, rows.filter(isFigures));
  return figures < 0 ? undefined : rows.slice(figures + 1).find(isText)?.y0;
}

/** Detects a bold heading whose gutters are mostly crossed by text of the bands above. */
export function startsTable(bands: readonly RuleBand[], { rows: [heading, second] }: RuleBand): boolean {
  if (heading === undefined || second !== undefined || heading.segments.length < 3) return false;
  if (!heading.segments.every((segment) => segment.words.every((word) => word.style.bold))) return false;
  const rows = bands.flatMap((band) => band.rows);
  if (rows.length < 2) return false;
  const gutters = heading.segments
    .slice(1)
    .map((segment, index) => (segment.x0 + (heading.segments[index]?.x1 ?? 0)) / 2);
  const crossed = gutters.filter((x) =>
    rows.some((row) => row.segments.some((segment) => segment.x0 < x && segment.x1 > x)),
  );
  return crossed.length > 0.5 * gutters.length;
}
