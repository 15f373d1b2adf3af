/** Finds runs of rows with aligned cells, which may be tables without a grid of rules. */
import { boundsOf, centreX, overlapX, width } from '../../geometry.ts';
import { characterCount } from '../../lines/line.ts';
import type { RowSegment, TextRow } from '../../lines/text-rows.ts';
import type { Word } from '../../page/page-content.ts';
import { median } from '../../statistics.ts';
import { continuesCell } from '../cells/cell-continuation.ts';
import { cellRows } from './divide-figures.ts';
import { looksNumeric } from './wrapped-rows.ts';

/** Gap, as a share of the font size, that makes a row look tabular. */
export const WIDE_GAP = 1;
const MIN_ROWS = 3;
/** Maximum row distance, in font sizes, and the limit for rows whose cells align exactly. */
const ROW_DISTANCE = 2.6;
const FAR_ROW_DISTANCE = 6;
const LIST_MARKER =
  /^([^\p{L}\p{N}\s$€£¥%()+☐☑☒]|o|\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]+[.)]|\(\s*\d+\s*\)|\d+(\.\d+)+\.?)$/iu;
const LEADER = /\.{5}|(\. ){4}|…{2}|_{6}/;

/** A run of rows that may be a table. */
export interface Candidate {
  rows: TextRow[];
  words: Word[];
}

export function findCandidates(words: readonly Word[]): Candidate[] {
  const rows = cellRows(words, WIDE_GAP).map(withoutMarkers);
  const candidates: Candidate[] = [];
  let run: TextRow[] = [];
  let blanks = 0;
  const close = (): void => {
    const trimmed = run.slice(0, run.length - blanks);
    const after = run[trimmed.length];
    if (after !== undefined && continuesAsSecondLine(after, trimmed)) trimmed.push(after);
    if (isCandidate(trimmed)) candidates.push(candidateOf(trimmed, rows));
    run = [];
    blanks = 0;
  };
  for (const row of rows) {
    const last = run.at(-1);
    if (last !== undefined && (!isNext(row, last, run) || isTitle(row, run))) close();
    if (isTabular(row)) {
      run.push(row);
      blanks = 0;
    } else if (run.length > 0) {
      const wrapped = continuesCell(row, run.filter(isTabular));
      if (isHangingText(row, run)) {
        run.push(row);
        blanks = 0;
      } else if ((blanks >= 2 && !wrapped) || isWideText(row, run)) close();
      else {
        run.push(row);
        blanks++;
      }
    }
  }
  close();
  return candidates;
}

/** Accepts three tabular rows, or two if each has at least three aligned cells. */
function isCandidate(run: readonly TextRow[]): boolean {
  const tabular = run.filter(isTabular);
  if (areMarginNotes(tabular)) return false;
  if (tabular.length >= MIN_ROWS) return true;
  const [first, second] = [tabular[0]?.segments ?? [], tabular[1]?.segments ?? []];
  const under = first.filter((segment) => second.some((other) => overlapX(segment, other) > 0)).length;
  return run.length === 2 && under >= 3 && under === first.length && under === second.length;
}

/** Detects margin notes beside running text, whose sentences continue from line to line. */
function areMarginNotes(rows: readonly TextRow[]): boolean {
  if (rows.some(({ segments }) => segments.length !== 2)) return false;
  const texts = rows.flatMap(({ segments: [, text] }) =>
    text !== undefined && isProseSegment(text) ? [segmentText(text)] : [],
  );
  const goingOn = texts.slice(1).filter((text, index) => /^\p{Ll}/u.test(text) && !/[.:;!?]$/.test(texts[index] ?? ''));
  return texts.length >= MIN_ROWS && 2 * goingOn.length >= texts.length - 1;
}

/** Detects the second line of the last row: indented like earlier second lines, at the same distance. */
function continuesAsSecondLine(row: TextRow, run: readonly TextRow[]): boolean {
  const last = run.at(-1);
  if (last === undefined || row.x0 < (run[0]?.x0 ?? 0) + row.size) return false;
  const pitch = row.baseline - last.baseline;
  return run.some((other, index) => {
    const above = run[index - 1];
    const isSecond = above !== undefined && !isTabular(other) && isTabular(above);
    return isSecond && Math.abs(other.x0 - row.x0) < 3 && pitch <= 1.1 * (other.baseline - above.baseline);
  });
}

/** Detects a single segment of larger bold text: the heading of the next table. */
function isTitle(row: TextRow, run: readonly TextRow[]): boolean {
  const bold =
    row.segments.length === 1 && row.segments.every((segment) => segment.words.every((word) => word.style.bold));
  return bold && row.size > 1.08 * median(run.map((other) => other.size));
}

/** Checks the distance to the row above; a larger distance is accepted if the cells align exactly with the run. */
function isNext(row: TextRow, last: TextRow, run: readonly TextRow[]): boolean {
  const distance = (row.baseline - last.baseline) / Math.max(row.size, last.size);
  if (distance <= ROW_DISTANCE) return true;
  if (distance > FAR_ROW_DISTANCE || !isTabular(row)) return false;
  const edges = run.slice(-12).flatMap((other) => other.segments.slice(1).map((segment) => segment.x1));
  const cells = row.segments.slice(1);
  const under = cells.filter((segment) => edges.some((x) => Math.abs(x - segment.x1) < 2.5)).length;
  return under >= 2 && under >= 0.6 * cells.length;
}

/** Joins a list marker and its text to one segment, at any gap. */
function withoutMarkers(row: TextRow): TextRow {
  const [first, second, ...rest] = row.segments;
  if (first === undefined || second === undefined || first.words.length > 3) return row;
  const marker = first.words.map((word) => word.text).join('');
  if (!LIST_MARKER.test(marker) || looksNumeric(second.words)) return row;
  return { ...row, segments: [{ ...boundsOf([first, second]), words: [...first.words, ...second.words] }, ...rest] };
}

const isTabular = (row: TextRow): boolean =>
  row.segments.length >= 2 &&
  !LEADER.test(row.segments.map(segmentText).join(' ')) &&
  row.segments.filter(isProseSegment).length < 2;

const segmentText = (segment: RowSegment): string => segment.words.map((word) => word.text).join(' ');

const isProseSegment = (segment: RowSegment): boolean =>
  segment.words.length >= 6 && characterCount(segment.words) >= 30;

/** Detects running text as wide as most of the table, which ends it. */
function isWideText(row: TextRow, run: readonly TextRow[]): boolean {
  const box = boundsOf(run);
  const [segment] = row.segments;
  return segment !== undefined && isProseSegment(segment) && segment.x1 - segment.x0 > 0.6 * (box.x1 - box.x0);
}

/** Detects the continuation of a definition below its full first line; such rows have at most two cells. */
function isHangingText(row: TextRow, run: readonly TextRow[]): boolean {
  const [segment, second] = row.segments;
  const text = run.findLast(isTabular)?.segments[1];
  const above = run.at(-1)?.segments.at(-1);
  if (segment === undefined || text === undefined || above === undefined || second !== undefined) return false;
  const isFull = isProseSegment(above) && above.x1 + (segment.words[0]?.x1 ?? 0) - segment.x0 > text.x1 - row.size;
  return isFull && Math.abs(segment.x0 - text.x0) < 3 && run.every((other) => other.segments.length <= 2);
}

/** Minimum distance of a spanning heading's centre right of the middle, as a share of the table width. */
const TITLE_OFFSET = 0.05;

/** Adds the headings directly above that span all columns but the first. */
function candidateOf(run: TextRow[], rows: readonly TextRow[]): Candidate {
  const box = boundsOf(run);
  const indent = box.x0 + 0.2 * width(box);
  // Lines centred above all columns are a title or the head of a receipt.
  const centre = centreX(box) + TITLE_OFFSET * width(box);
  const taken = [...run];
  for (let index = rows.indexOf(run[0] as TextRow) - 1; index >= 0; index--) {
    const [above, below] = [rows[index], taken[0]];
    if (above === undefined || below === undefined) break;
    const near = below.baseline - above.baseline <= 3.2 * Math.max(above.size, below.size);
    if (!near || above.x0 < indent || above.x1 > box.x1 + above.size || above.segments.some(isProseSegment)) break;
    if (above.segments.length === 1 && centreX(above) < centre) break;
    taken.unshift(above);
  }
  return { rows: taken, words: taken.flatMap((row) => row.segments.flatMap((segment) => segment.words)) };
}
