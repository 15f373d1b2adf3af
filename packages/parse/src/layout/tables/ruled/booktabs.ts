/** Finds tables delimited by horizontal rules only: one above, one below, usually one under the heading. */
import type { Box } from '../../geometry.ts';
import type { Rule, Word } from '../../page/page-content.ts';
import { textRows, type RowSegment, type TextRow } from '../../lines/text-rows.ts';
import { median } from '../../statistics.ts';
import { cellBorders } from './cell-borders.ts';
import { withLabels } from '../cells/label-column.ts';
import { looksNumeric } from '../unruled/wrapped-rows.ts';
import { isTabular, ruleBand, startsTable, textBelowFigures, type RuleBand } from './rule-bands.ts';
import { unruledTable } from '../unruled/unruled-table.ts';
import type { Table } from '../table.ts';
import { SEGMENT_GAP, wordsInside } from '../unruled/text-grid.ts';

/** Maximum difference, in points, between the ends of rules that bound one table. */
const SAME_END = 12;
const MIN_WIDTH = 60;

/**
 * Finds tables in stacks of rules of equal width, split at running text and where another table begins. `drawn` holds
 * all rules outside other tables, as drawn.
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

/** Returns the table between the first and the last rule of a run. */
function tableBetween(run: readonly Rule[], words: readonly Word[], drawn: readonly Rule[]): Table | undefined {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const ruled = { x0: first.from - 4, x1: first.to + 4, y0: first.at, y1: last.at };
  const region = withLabels({ ...ruled, y0: headingAbove(ruled, words) ?? ruled.y0 }, words);
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

/** Maximum distance, in font sizes, of a bold heading above the first rule, as in printed web pages. */
const HEADING_DISTANCE = 2;

/** Returns the top of a heading above the rules that has as many segments as the first row. */
function headingAbove(ruled: Box, words: readonly Word[]): number | undefined {
  const level = words.filter((word) => word.x0 > ruled.x0 && word.x1 < ruled.x1 && word.y1 < ruled.y0 + 2);
  const size = median(level.map((word) => word.size));
  const heading = textRows(
    level.filter((word) => word.baseline > ruled.y0 - HEADING_DISTANCE * size),
    SEGMENT_GAP,
  ).at(-1);
  const [row] = textRows(wordsInside(words, ruled), SEGMENT_GAP);
  if (heading === undefined || row === undefined || heading.segments.length < 2) return undefined;
  if (heading.segments.length !== row.segments.length || row.segments.every(isBoldSegment)) return undefined;
  if (heading.segments.some((segment) => looksNumeric(segment.words))) return undefined;
  const isHeading = heading.segments.every(isBoldSegment) || isAlignedAbove(heading, row);
  return isHeading ? heading.y0 - 1 : undefined;
}

const SAME_EDGE = 2;

/** Checks that at least three segments share an edge or the centre with the segment below. */
const isAlignedAbove = (heading: TextRow, row: TextRow): boolean =>
  heading.segments.length >= 3 &&
  heading.segments.every(({ x0, x1 }, index) => {
    const below = row.segments[index];
    return (
      below !== undefined &&
      [x0 - below.x0, x1 - below.x1, (x0 + x1 - below.x0 - below.x1) / 2].some((off) => Math.abs(off) < SAME_EDGE)
    );
  });

const isBoldSegment = (segment: RowSegment): boolean => segment.words.every((word) => word.style.bold);

const sameWidth = (a: Rule, b: Rule): boolean =>
  Math.abs(a.from - b.from) <= SAME_END && Math.abs(a.to - b.to) <= SAME_END;

/** Returns runs of adjacent rules with table rows between them. */
function tabularRuns(stack: readonly Rule[], words: readonly Word[]): Rule[][] {
  const runs: Rule[][] = [];
  let run: Rule[] = [];
  let bands: RuleBand[] = [];
  const start = (...rules: Rule[]): void => {
    runs.push(run);
    run = rules;
    bands = [];
  };
  stack.forEach((rule, index) => {
    const above = stack[index - 1];
    if (above !== undefined) {
      const band = ruleBand(above, rule, words);
      const text = textBelowFigures(band);
      if (text !== undefined) {
        run.push({ ...rule, at: text });
        start();
      } else if (!isTabular(band)) start();
      else if (startsTable(bands, band)) start(above);
      bands.push(band);
    }
    run.push(rule);
  });
  return [...runs, run];
}
