/** Tables held by horizontal rules alone: one above, one below, usually one under the heading. */
import type { Rule, Word } from '../page-content.ts';
import { textRows, type Chunk } from '../rows-of-text.ts';
import { cellBorders } from './cell-borders.ts';
import { continuesCell } from './cell-continuation.ts';
import { isFigures, withLabels } from './label-column.ts';
import { unruledTable } from './unruled-table.ts';
import type { Table } from './table.ts';
import { CHUNK_GAP, wordsInside } from './text-grid.ts';

/** Rules whose ends differ by less than this (points) bound the same table. */
const SAME_END = 12;
const MIN_WIDTH = 60;

/**
 * Stacks of rules of one width, cut where running text stands between them and where another table begins. `drawn` are
 * all rules that are part of no other table, piece by piece.
 */
export function booktabs(rules: readonly Rule[], words: readonly Word[], drawn: readonly Rule[]): Table[] {
  let left = rules.filter((rule) => rule.to - rule.from >= MIN_WIDTH).toSorted((a, b) => a.at - b.at);
  const tables: Table[] = [];
  for (let top = left[0]; top !== undefined; top = left[0]) {
    const first = top;
    const stack = left.filter((rule) => sameWidth(first, rule));
    left = left.filter((rule) => !stack.includes(rule));
    tables.push(...tabularRuns(stack, words).flatMap((run) => tableBetween(run, words, drawn) ?? []));
  }
  return tables;
}

/** The table between the first and the last of a run of rules. */
function tableBetween(run: readonly Rule[], words: readonly Word[], drawn: readonly Rule[]): Table | undefined {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const region = withLabels({ x0: first.from - 4, x1: first.to + 4, y0: first.at, y1: last.at }, words);
  const inside = wordsInside(words, region);
  const columns = drawn.filter(
    (rule) =>
      !rule.horizontal &&
      rule.from < region.y1 - 4 &&
      rule.to > region.y0 + 4 &&
      rule.at > region.x0 + 8 &&
      rule.at < region.x1 - 8,
  );
  const within = (rule: Rule): boolean => rule.at > region.y0 + 2 && rule.at < region.y1 - 2;
  const borders = cellBorders(
    drawn.filter((rule) => within(rule) && rule.from > region.x0 && rule.to < region.x1),
    inside,
    last.to - last.from,
  );
  const separators = {
    vertical: [...columns.map((rule) => rule.at), ...borders.vertical],
    horizontal: [...run.filter(within).map((rule) => rule.at), ...borders.horizontal],
  };
  return unruledTable(inside, separators, true);
}

const sameWidth = (a: Rule, b: Rule): boolean =>
  Math.abs(a.from - b.from) <= SAME_END && Math.abs(a.to - b.to) <= SAME_END;

/** Runs of neighbouring rules with rows of cells between them. */
function tabularRuns(stack: readonly Rule[], words: readonly Word[]): Rule[][] {
  const runs: Rule[][] = [];
  let run: Rule[] = [];
  stack.forEach((rule, index) => {
    const above = stack[index - 1];
    const text = above && textBelowFigures(above, rule, words);
    if (text !== undefined) {
      runs.push([...run, { ...rule, at: text }]);
      run = [];
    } else if (above !== undefined && !isTabularBand(above, rule, words)) {
      runs.push(run);
      run = [];
    } else if (above !== undefined && startsTable(run, rule, words)) {
      runs.push(run);
      run = [above];
    }
    run.push(rule);
  });
  return [...runs, run];
}

/** Where running text begins below figures: the lower rule belongs to the heading of another table then. */
function textBelowFigures(above: Rule, below: Rule, words: readonly Word[]): number | undefined {
  const level = wordsInside(words, { x0: -Infinity, x1: Infinity, y0: above.at, y1: below.at });
  const figures = textRows(level, CHUNK_GAP).findLast(
    (row) => isFigures(row) && row.x0 < above.to && row.x1 > above.from,
  );
  if (figures === undefined) return undefined;
  return textRows(level, PROSE_GAP).find(
    (row) => row.baseline > figures.baseline + 1 && row.chunks.some((chunk) => isProse(chunk, above)),
  )?.y0;
}

const wordsBetween = (above: Rule, below: Rule, words: readonly Word[]): Word[] =>
  wordsInside(words, { x0: above.from - 4, x1: above.to + 4, y0: above.at, y1: below.at });

/** A heading in bold whose columns are not those of the rows above: most of its gutters have text over them there. */
function startsTable(run: readonly Rule[], below: Rule, words: readonly Word[]): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || first === last) return false;
  const [heading, second] = textRows(wordsBetween(last, below, words), CHUNK_GAP);
  const rows = textRows(wordsBetween(first, last, words), CHUNK_GAP);
  if (heading === undefined || second !== undefined || heading.chunks.length < 3 || rows.length < 2) return false;
  if (!heading.chunks.every((chunk) => chunk.words.every((word) => word.style.bold))) return false;
  const gutters = heading.chunks.slice(1).map((chunk, index) => (chunk.x0 + (heading.chunks[index]?.x1 ?? 0)) / 2);
  const crossed = gutters.filter((x) => rows.some((row) => row.chunks.some((chunk) => chunk.x0 < x && chunk.x1 > x)));
  return crossed.length > 0.5 * gutters.length;
}

/** Running text: this many words with gaps no wider, in font sizes, than justified lines have. */
const PROSE_WORDS = 9;
const PROSE_GAP = 1.2;

const isProse = (chunk: Chunk, rule: Rule): boolean =>
  chunk.words.length >= PROSE_WORDS && chunk.x1 > rule.from && chunk.x0 < rule.to;

/** Text that only reaches into the stretch counts as what it is: a line of running text, not a row of its pieces. */
function isTabularBand(above: Rule, below: Rule, words: readonly Word[]): boolean {
  const level = wordsInside(words, { x0: -Infinity, x1: Infinity, y0: above.at, y1: below.at });
  const rows = textRows(level, CHUNK_GAP)
    .map((row) => ({
      ...row,
      chunks: row.chunks.filter((chunk) => chunk.x1 > above.from - 4 && chunk.x0 < above.to + 4),
    }))
    .filter((row) => row.chunks.length > 0);
  if (rows.length === 0) return below.at - above.at < 30;
  const multi = rows.filter((row) => row.chunks.length >= 2);
  const prose = textRows(level, PROSE_GAP).filter((row) => row.chunks.some((chunk) => isProse(chunk, above))).length;
  if (rows.length <= 2 && multi.length === 0) return prose === 0;
  const wrapped = rows.filter((row) => continuesCell(row, multi)).length;
  return multi.length + wrapped >= 0.5 * rows.length && prose <= 0.3 * rows.length;
}
