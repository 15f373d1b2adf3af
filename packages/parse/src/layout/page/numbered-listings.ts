/** Joins the lines of listings with their line numbers, which are drawn beside the code and often in another font. */
import { boundsOf, type Box } from '../geometry.ts';
import { lineOf, type Line } from '../lines/line.ts';
import type { Rule } from './page-content.ts';

/** Minimum number of numbered lines, and of those with code: empty lines have a number only. */
const MIN_LINES = 3;
const MIN_CODE = 2;
/** Maximum difference of the right edges of line numbers, in font sizes. */
const SAME_EDGE = 0.5;
/** Maximum baseline difference of a line and its number, in font sizes. */
const SAME_LINE = 0.3;
/** Maximum distance of lines with successive numbers, in font sizes. */
const MAX_PITCH = 4;
/** Maximum gap between a number and the code, whose indentation is a part of it, in font sizes of the code. */
const MAX_GAP = 30;

const LINE_NUMBER = /^\d{1,4}:?$/;

interface Row {
  number: number;
  /** Right edge of the number. */
  edge: number;
  baseline: number;
  size: number;
  segments: readonly Line[];
  hasCode: boolean;
}

export interface NumberedListings {
  /** All lines, in their order; those of listings are joined with their numbers and count as monospace. */
  lines: readonly Line[];
  areas: Box[];
}

/** In a report that is set in a monospace font, numbers in that font may count the lines of its text. */
export function joinNumberedListings(
  lines: readonly Line[],
  rules: readonly Rule[],
  isReport: boolean,
): NumberedListings {
  const numbered = lines.filter(({ words: [word] }) => LINE_NUMBER.test(word?.text ?? ''));
  const numbers = numbered.filter(({ words: [word] }) => !isReport || word?.style.monospace === false);
  const runs = runsOf(numbers, lines).filter((run) => !isRuled(run, rules));
  const joined = new Map<Line, Line>();
  const dropped = new Set<Line>();
  for (const run of runs) {
    const model = run.find(({ hasCode }) => hasCode);
    const usual = model === undefined ? {} : sizesOf(joinedRow(model));
    for (const row of run) {
      const [first, ...rest] = row.segments.toSorted((a, b) => a.order - b.order);
      if (first === undefined) continue;
      // The number of an empty line may be smaller than the code.
      joined.set(first, { ...joinedRow(row), order: first.order, ...(row.hasCode ? {} : usual) });
      for (const segment of rest) dropped.add(segment);
    }
  }
  return {
    lines: lines.filter((line) => !dropped.has(line)).map((line) => joined.get(line) ?? line),
    areas: runs.map((run) => boundsOf(run.flatMap(({ segments }) => segments))),
  };
}

function joinedRow({ segments }: Row): Line {
  const words = segments.flatMap((segment) => segment.words).toSorted((a, b) => a.x0 - b.x0);
  return { ...lineOf(words, 0), monospace: true, bold: false, italic: false };
}

const sizesOf = ({ size, em }: Line): Pick<Line, 'size' | 'em'> => ({ size, em });

/** Returns runs of rows whose numbers count up by one. */
function runsOf(numbers: readonly Line[], lines: readonly Line[]): Row[][] {
  const upright = lines.filter(({ words }) => words[0]?.angle === 0);
  if (!upright.some(({ words }) => words.some(({ style }) => style.monospace))) return [];
  const rows = numbers.filter(({ words }) => words[0]?.angle === 0).flatMap((line) => rowOf(line, upright));
  const found: Row[][] = [];
  for (const row of rows.toSorted((a, b) => a.baseline - b.baseline)) {
    const run = found.find((each) => follows(each.at(-1), row));
    if (run === undefined) found.push([row]);
    else run.push(row);
  }
  return found.filter((run) => run.length >= MIN_LINES && run.filter(({ hasCode }) => hasCode).length >= MIN_CODE);
}

/** Returns the number with the monospace words right of it; nothing if other text is there. */
function rowOf(line: Line, lines: readonly Line[]): Row[] {
  const [word] = line.words;
  if (word === undefined) return [];
  const beside = lines.filter(
    (other) =>
      other !== line && Math.abs(other.baseline - line.baseline) < SAME_LINE * other.size && other.x0 > word.x1,
  );
  const nearest = Math.min(...beside.map(({ x0 }) => x0));
  const code = [...line.words.slice(1), ...beside.flatMap(({ words }) => words)];
  if (!code.every(({ style }) => style.monospace)) return [];
  const size = Math.max(line.size, ...beside.map((other) => other.size));
  if (beside.length > 0 && line.words.length === 1 && nearest - word.x1 > MAX_GAP * size) return [];
  const row = { number: parseInt(word.text, 10), edge: word.x1, baseline: line.baseline, size };
  return [{ ...row, segments: [line, ...beside], hasCode: code.length > 0 }];
}

const follows = (last: Row | undefined, row: Row): boolean =>
  last !== undefined &&
  row.number === last.number + 1 &&
  Math.abs(row.edge - last.edge) < SAME_EDGE * row.size &&
  row.baseline - last.baseline < MAX_PITCH * row.size;

/** Checks for rules between the rows, which are those of a table. */
function isRuled(run: readonly Row[], rules: readonly Rule[]): boolean {
  const { x0, x1 } = boundsOf(run.flatMap(({ segments }) => segments));
  const across = rules.filter(({ horizontal, from, to }) => horizontal && from < x1 && to > x0);
  const between = run.slice(1).filter(({ baseline }, index) => {
    const above = run[index]?.baseline ?? baseline;
    return across.some(({ at }) => at > above && at < baseline);
  });
  return 2 * between.length >= run.length - 1;
}
