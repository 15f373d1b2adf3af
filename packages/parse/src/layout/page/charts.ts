/**
 * Finds charts that consist of straight rules and filled bars: axes, whose labels are at positions proportional to
 * their values, and rows of bars. Curves and slanted lines are found as drawings.
 */
import { boundsOf, centreX, centreY, grow, height, intersects, width, type Box } from '../geometry.ts';
import type { Line } from '../lines/line.ts';
import type { FilledArea, PageContent, Rule, Word } from './page-content.ts';
import { groupBy } from '../statistics.ts';

const NUMBER = /^[-−–+]?\d{1,9}(?:[.,]\d{1,6})?%?$/u;
/** Minimum number of labels of an axis, and maximum error of their positions as a share of its length. */
const MIN_LABELS = 3;
const MAX_ERROR = 0.03;
/** Step, in points, within which the labels of an axis have one edge or baseline. */
const EDGE_STEP = 2;
/** Maximum distance of an axis and its labels, in sizes of the labels. */
const AXIS_GAP = 2;

/** Minimum number of bars, and of different heights among them. */
const MIN_BARS = 4;
const MIN_HEIGHTS = 3;
/** Maximum distance, in points, between the parts of one chart. */
const PART_GAP = 14;
/** Maximum distance of a chart and its labels, in sizes of the label, and maximum number of words of a label. */
const LABEL_GAP = 1.5;
const MAX_LABEL_WORDS = 2;

/** Returns the areas of the charts of a page, with their labels. */
export function findCharts(page: PageContent, lines: readonly Line[]): Box[] {
  if (page.rules.length === 0) return [];
  const numbers = lines.filter(({ words }) => words.every(({ text, angle }) => angle === 0 && NUMBER.test(text)));
  const axes = axesOf(
    numbers.flatMap(({ words }) => words),
    page.rules,
  );
  const found: Box[] = [];
  for (const part of axes.length === 0 ? [] : [...axes, ...rowsOfBars(page.fills)]) {
    const near = found.filter((other) => intersects(grow(other, PART_GAP), part));
    for (const other of near) found.splice(found.indexOf(other), 1);
    found.push(boundsOf([part, ...near]));
  }
  return found.map((chart) => boundsOf([chart, ...lines.filter((line) => isLabel(line, chart))]));
}

function axesOf(labels: readonly Word[], rules: readonly Rule[]): Box[] {
  const columns = groupBy(labels, ({ x1 }) => Math.round(x1 / EDGE_STEP));
  const rows = groupBy(labels, ({ baseline }) => Math.round(baseline / EDGE_STEP));
  return [
    ...[...columns.values()].flatMap((column) => axisOf(column, rules, false) ?? []),
    ...[...rows.values()].flatMap((row) => axisOf(row, rules, true) ?? []),
  ];
}

/** Returns the area of an axis and its labels if their positions are proportional to their values. */
function axisOf(labels: readonly Word[], rules: readonly Rule[], horizontal: boolean): Box | undefined {
  const placed = labels
    .map((word) => ({ at: horizontal ? centreX(word) : centreY(word), value: valueOf(word) }))
    .toSorted((a, b) => a.at - b.at);
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined || placed.length < MIN_LABELS || first.value === last.value)
    return undefined;
  const isProportional = placed.every(({ at, value }) => {
    const expected = (value - first.value) / (last.value - first.value);
    return Math.abs((at - first.at) / (last.at - first.at) - expected) < MAX_ERROR;
  });
  const box = boundsOf(labels);
  const size = Math.max(...labels.map((word) => word.size));
  const rule = rules.find(
    (other) =>
      other.horizontal === horizontal &&
      other.from < first.at + size / 2 &&
      other.to > last.at - size / 2 &&
      (horizontal
        ? other.at < box.y1 && other.at > box.y0 - AXIS_GAP * size
        : other.at > box.x0 && other.at < box.x1 + AXIS_GAP * size),
  );
  return isProportional && rule !== undefined ? boundsOf([box, areaOf(rule)]) : undefined;
}

const valueOf = ({ text }: Word): number =>
  Number(text.replace('%', '').replace(',', '.').replace(/^[−–]/u, '-').replace('+', ''));

const areaOf = ({ horizontal, at, from, to }: Rule): Box =>
  horizontal ? { x0: from, x1: to, y0: at, y1: at } : { x0: at, x1: at, y0: from, y1: to };

/** Returns the areas of bars of one width and different heights that begin on one line. */
function rowsOfBars(fills: readonly FilledArea[]): Box[] {
  const rows = groupBy(fills, (fill) => `${Math.round(fill.y1)}:${Math.round(width(fill))}`);
  return [...rows.values()]
    .filter(
      (bars) => bars.length >= MIN_BARS && new Set(bars.map((bar) => Math.round(height(bar)))).size >= MIN_HEIGHTS,
    )
    .map((bars) => boundsOf(bars));
}

/** Checks for a number, slanted text or one or two words beside a chart. */
function isLabel(line: Line, chart: Box): boolean {
  if (line.words.length > MAX_LABEL_WORDS && line.words.some(({ angle, text }) => angle === 0 && !NUMBER.test(text)))
    return false;
  return intersects(grow(chart, LABEL_GAP * line.size), line) && centreX(line) > chart.x0 - 3 * line.size;
}
