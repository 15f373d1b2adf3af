/**
 * Finds the tables of one page: grids of rules first, then stacks of horizontal rules, then columns of text. Each step
 * sees only what the previous ones left, and each has its own acceptance test, because a paragraph shown as a table is
 * worse than a table shown as text.
 */
import { area, height, holdsCentre, intersects, overlapArea, width } from '../geometry.ts';
import type { Line } from '../lines/line.ts';
import type { PageContent, Rule, Word } from '../page/page-content.ts';
import { groupBy } from '../statistics.ts';
import { booktabs } from './ruled/booktabs.ts';
import { withHeadingSpans } from './cells/heading-spans.ts';
import { findLattices } from './ruled/lattice.ts';
import { ruledTable } from './ruled/ruled-table.ts';
import { withoutNestedGrids } from './ruled/nested-grids.ts';
import { mergedRules } from './ruled/rules.ts';
import type { Table } from './table.ts';
import { withRotatedHeadings } from './cells/rotated-headings.ts';
import { findCandidates } from './unruled/table-candidates.ts';
import { unruledTable } from './unruled/unruled-table.ts';
import { findGutters, columnIndexOf } from './unruled/column-gutters.ts';

export function findTables(page: PageContent, lines: readonly Line[]): Table[] {
  const horizontal = usableRules(page, true);
  const vertical = usableRules(page, false);
  const words = page.words.filter((word) => word.angle === 0);
  const rotated = page.words.filter((word) => word.angle !== 0);
  const tables: Table[] = [];
  const keep = (table: Table | undefined): void => {
    if (table === undefined || isDrawing(table, page)) return;
    if (!tables.some((other) => overlapArea(other, table) > 0.3 * Math.min(area(other), area(table))))
      tables.push(table);
  };
  const grids = withoutNestedGrids(horizontal, vertical);
  for (const lattice of findLattices(grids.horizontal, grids.vertical))
    keep(ruledTable(lattice, words, rotated, [...horizontal, ...vertical]));
  const free = (rule: Rule): boolean => !tables.some((table) => onTable(rule, table));
  const drawn = [...page.rules.filter(({ horizontal: across }) => across), ...vertical].filter(free);
  for (const table of booktabs(horizontal.filter(free), outside(words, tables), drawn)) keep(table);
  const left = outside(words, tables);
  const gutters = findGutters(lines.filter((line) => !tables.some((table) => holdsCentre(table, line))));
  const zones = gutters.length === 0 ? [left] : groupBy(left, (word) => columnIndexOf(word, gutters)).values();
  for (const zone of zones) {
    for (const candidate of findCandidates(zone))
      keep(unruledTable(candidate.words, { vertical: [], horizontal: [] }, false));
  }
  return tables
    .map((table) => withRotatedHeadings(withHeadingSpans(table, horizontal), lines))
    .toSorted((a, b) => a.y0 - b.y0);
}

/** Maximum number of rules per direction; a page with more is a drawing, and every pair would be compared. */
const MAX_RULES = 2000;

function usableRules(page: PageContent, horizontal: boolean): Rule[] {
  const rules = mergedRules(page.rules, horizontal);
  return rules.length > MAX_RULES ? [] : rules;
}

/** Detects charts: curves or slanted lines inside, or a picture behind. */
function isDrawing(table: Table, page: PageContent): boolean {
  const strokes = page.strokes.filter((stroke) => holdsCentre(table, stroke) && width(stroke) + height(stroke) > 6);
  if (strokes.length >= Math.max(3, 0.1 * table.cells.length)) return true;
  return page.images.some((image) => overlapArea(image, table) > 0.5 * area(table) && width(image) < 0.9 * page.width);
}

/** Returns the words whose centre is in no table. */
function outside(words: readonly Word[], tables: readonly Table[]): readonly Word[] {
  if (tables.length === 0) return words;
  return words.filter((word) => {
    const x = (word.x0 + word.x1) / 2;
    const y = (word.y0 + word.y1) / 2;
    return !tables.some((table) => x >= table.x0 && x <= table.x1 && y >= table.y0 && y <= table.y1);
  });
}

function onTable(rule: Rule, table: Table): boolean {
  const box = rule.horizontal
    ? { x0: rule.from, x1: rule.to, y0: rule.at - 1, y1: rule.at + 1 }
    : { x0: rule.at - 1, x1: rule.at + 1, y0: rule.from, y1: rule.to };
  return intersects(box, table);
}
