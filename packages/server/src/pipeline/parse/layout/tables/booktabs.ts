/** Tables held by horizontal rules alone: one above, one below, usually one under the heading. */
import type { Box } from '../geometry.ts';
import type { Rule, Word } from '../page-content.ts';
import { textRows } from '../rows-of-text.ts';
import { continuesCell } from './cell-continuation.ts';
import { unruledTable } from './unruled-table.ts';
import type { Table } from './table.ts';
import { CHUNK_GAP, wordsInside } from './text-grid.ts';

/** Rules whose ends differ by less than this (points) bound the same table. */
const SAME_END = 12;
const MIN_WIDTH = 60;

/** Stacks of rules of one width, cut where running text stands between them. */
export function booktabs(rules: readonly Rule[], words: readonly Word[], verticals: readonly Rule[]): Table[] {
  let left = rules.filter((rule) => rule.to - rule.from >= MIN_WIDTH).toSorted((a, b) => a.at - b.at);
  const tables: Table[] = [];
  for (let top = left[0]; top !== undefined; top = left[0]) {
    const first = top;
    const stack = left.filter((rule) => sameWidth(first, rule));
    left = left.filter((rule) => !stack.includes(rule));
    tables.push(...tabularRuns(stack, words).flatMap((run) => tableBetween(run, words, verticals) ?? []));
  }
  return tables;
}

/** The table between the first and the last of a run of rules. */
function tableBetween(run: readonly Rule[], words: readonly Word[], verticals: readonly Rule[]): Table | undefined {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const region: Box = { x0: first.from - 4, x1: first.to + 4, y0: first.at, y1: last.at };
  const columns = verticals.filter(
    (rule) =>
      rule.from < region.y1 - 4 && rule.to > region.y0 + 4 && rule.at > region.x0 + 8 && rule.at < region.x1 - 8,
  );
  const inner = run.filter((rule) => rule.at > region.y0 + 2 && rule.at < region.y1 - 2);
  const separators = { vertical: columns.map((rule) => rule.at), horizontal: inner.map((rule) => rule.at) };
  return unruledTable(wordsInside(words, region), separators, true);
}

const sameWidth = (a: Rule, b: Rule): boolean =>
  Math.abs(a.from - b.from) <= SAME_END && Math.abs(a.to - b.to) <= SAME_END;

/** Runs of neighbouring rules with rows of cells between them. */
function tabularRuns(stack: readonly Rule[], words: readonly Word[]): Rule[][] {
  const runs: Rule[][] = [];
  let run: Rule[] = [];
  stack.forEach((rule, index) => {
    const above = stack[index - 1];
    if (above !== undefined && !isTabularBand(above, rule, words)) {
      runs.push(run);
      run = [];
    }
    run.push(rule);
  });
  return [...runs, run];
}

function isTabularBand(above: Rule, below: Rule, words: readonly Word[]): boolean {
  const inside = wordsInside(words, { x0: above.from - 4, x1: above.to + 4, y0: above.at, y1: below.at });
  const rows = textRows(inside, CHUNK_GAP);
  if (rows.length === 0) return below.at - above.at < 30;
  const multi = rows.filter((row) => row.chunks.length >= 2);
  const prose = rows.filter((row) => row.chunks.some((chunk) => chunk.words.length >= 9)).length;
  if (rows.length <= 2 && multi.length === 0) return prose === 0;
  const wrapped = rows.filter((row) => continuesCell(row, multi)).length;
  return multi.length + wrapped >= 0.5 * rows.length && prose <= 0.3 * rows.length;
}
