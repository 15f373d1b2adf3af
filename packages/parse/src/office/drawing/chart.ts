/** Reads charts from their cached numbers: a figure with the title, and a table of the data. */
import type { BlockDraft, TableCell } from '@quire/blocks/block';
import type { OfficePackage } from '../package/office-package.ts';
import {
  child,
  childrenNamed,
  descend,
  descendants,
  firstDescendant,
  integerAttribute,
  textOf,
} from '../xml/xml-element.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { formatNumber } from '../sheet/number-format.ts';

/** Maximum number of points over all series; larger charts are drawn from a sheet that contains the data. */
const MAX_POINTS = 5_000;

export interface ChartSeries {
  name: string;
  categories: Map<number, string>;
  values: Map<number, string>;
}

export function readChart(officePackage: OfficePackage, partName: string | undefined): BlockDraft[] {
  const chart = child(officePackage.optionalTree(partName), 'c:chart');
  if (!chart) return [];
  const title = chartTitle(chart);
  const series = Array.from(descendants(child(chart, 'c:plotArea'), 'c:ser'), readSeries);
  return chartBlocks(title, series);
}

/** Returns a figure with the chart's title, and a table with one row per category and one column per series. */
export function chartBlocks(title: string, series: readonly ChartSeries[]): BlockDraft[] {
  const figure: BlockDraft = { type: 'figure', text: title };
  const rows = chartRows(series);
  return rows ? [figure, { type: 'table', rows }] : title === '' ? [] : [figure];
}

function chartTitle(chart: XmlElement): string {
  const title = child(chart, 'c:title');
  const rich = Array.from(descendants(title, 'a:t'), textOf).join('');
  return (rich === '' ? textOf(firstDescendant(title, 'c:v')) : rich).trim();
}

function readSeries(series: XmlElement): ChartSeries {
  return {
    name: textOf(firstDescendant(child(series, 'c:tx'), 'c:v')),
    categories: readPoints(child(series, 'c:cat') ?? child(series, 'c:xVal')),
    values: readPoints(child(series, 'c:val') ?? child(series, 'c:yVal')),
  };
}

function readPoints(source: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>();
  const levels = descend(source, 'c:multiLvlStrRef', 'c:multiLvlStrCache');
  if (levels) return leveledPoints(childrenNamed(levels, 'c:lvl'));
  if (source) addPoints(points, source, shownIn(source));
  return points;
}

/**
 * Joins the labels of all levels: "2025 / Q1". The innermost level comes first; an outer label applies until the next
 * one.
 */
function leveledPoints(levels: readonly XmlElement[]): Map<number, string> {
  const points = new Map<number, string>();
  const [inner, ...outer] = levels;
  if (inner) addPoints(points, inner);
  for (const level of outer) {
    const labels = new Map<number, string>();
    addPoints(labels, level);
    let current = '';
    for (const index of [...points.keys()].toSorted((a, b) => a - b)) {
      current = labels.get(index) ?? current;
      if (current !== '') points.set(index, `${current} / ${points.get(index) ?? ''}`);
    }
  }
  return points;
}

/**
 * Returns the formatter of a cache's numbers, which applies the format of their cells, for example for dates and
 * percentages.
 */
function shownIn(source: XmlElement): (text: string) => string {
  const code = textOf(firstDescendant(source, 'c:formatCode')).trim();
  if (code === '' || /general/i.test(code)) return trimNumber;
  return (text) => {
    const value = Number(text.trim() === '' ? NaN : text);
    return Number.isFinite(value) ? formatNumber(value, code, false) : trimNumber(text);
  };
}

function addPoints(points: Map<number, string>, source: XmlElement, shown = trimNumber): void {
  for (const point of descendants(source, 'c:pt')) {
    const index = integerAttribute(point, 'idx');
    if (index !== undefined && points.size < MAX_POINTS) points.set(index, shown(textOf(child(point, 'c:v'))));
  }
}

/** Rounds binary noise such as 0.30000000000000004 to 15 digits, as the program displays it. */
function trimNumber(text: string): string {
  const trimmed = text.trim();
  return /^-?\d*\.\d{12,}(?:e[-+]?\d+)?$/i.test(trimmed) ? String(Number(Number(trimmed).toPrecision(15))) : trimmed;
}

const cell = (text: string, header: boolean): TableCell => ({ text, rowSpan: 1, colSpan: 1, header });

function chartRows(series: readonly ChartSeries[]): TableCell[][] | undefined {
  const indices = new Set<number>();
  for (const each of series) for (const index of each.values.keys()) indices.add(index);
  if (indices.size === 0 || indices.size * series.length > MAX_POINTS) return undefined;
  const rows = [[cell('', true), ...series.map((each) => cell(each.name, true))]];
  for (const index of [...indices].toSorted((a, b) => a - b)) {
    const category = series.map((each) => each.categories.get(index)).find((text) => text !== undefined);
    rows.push([
      cell(category ?? String(index + 1), false),
      ...series.map((each) => cell(each.values.get(index) ?? '', false)),
    ]);
  }
  return rows;
}
