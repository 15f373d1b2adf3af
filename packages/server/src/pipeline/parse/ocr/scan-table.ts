/**
 * Tables in scans, from the words' boxes alone: rows whose words stand in groups with wide gaps between them, at least
 * three under one another, with columns that no group crosses. Two columns of prose are told apart by their long,
 * full lines.
 */
import type { TableCell } from '../../../content/block.ts';
import type { OcrWord } from './ocr-engine.ts';

export type PixelBox = readonly [number, number, number, number];

export interface ScanTable {
  rows: TableCell[][];
  words: OcrWord[];
  box: PixelBox;
}

/** Words without a wide gap between them. */
interface Segment {
  words: OcrWord[];
  box: PixelBox;
}

interface Row {
  segments: Segment[];
  box: PixelBox;
}

/** In heights of a line: word spaces are 0.3 to 0.6 of it, the gaps between columns rarely under one. */
const COLUMN_GAP = 1.1;
/** Space between two rows of one table, in heights of a line. */
const ROW_GAP = 2.2;
const FEWEST_ROWS = 3;

export function findTables(words: readonly OcrWord[]): ScanTable[] {
  const height = median(words.map(({ bbox }) => bbox[3] - bbox[1]));
  if (height === 0) return [];
  const tables: ScanTable[] = [];
  for (const run of runsOf(rowsOf(words, height), height)) {
    const table = toTable(run, height);
    if (table !== null) tables.push(table);
  }
  return tables;
}

function rowsOf(words: readonly OcrWord[], height: number): Row[] {
  const rows: OcrWord[][] = [];
  for (const word of words.toSorted((a, b) => centreY(a.bbox) - centreY(b.bbox))) {
    const row = rows.at(-1);
    const middle = row === undefined ? Number.NEGATIVE_INFINITY : median(row.map((member) => centreY(member.bbox)));
    if (row !== undefined && centreY(word.bbox) - middle < 0.5 * height) row.push(word);
    else rows.push([word]);
  }
  return rows.map((members) => {
    const segments = segmentsOf(members, height);
    return { segments, box: boxOf(segments.map((segment) => segment.box)) };
  });
}

function segmentsOf(words: readonly OcrWord[], height: number): Segment[] {
  const groups: OcrWord[][] = [];
  let right = 0;
  for (const word of words.toSorted((a, b) => a.bbox[0] - b.bbox[0])) {
    const group = groups.at(-1);
    if (group !== undefined && word.bbox[0] - right <= COLUMN_GAP * height) group.push(word);
    else groups.push([word]);
    right = Math.max(group === undefined ? 0 : right, word.bbox[2]);
  }
  return groups.map((group) => ({ words: group, box: boxOf(group.map((word) => word.bbox)) }));
}

/** Rows that follow closely on one another; single-segment rows stay inside as wrapped cells, not at the ends. */
function runsOf(rows: readonly Row[], height: number): Row[][] {
  const runs: Row[][] = [];
  let run: Row[] = [];
  const flush = (): void => {
    while (run.at(-1)?.segments.length === 1) run.pop();
    if (run.filter((row) => row.segments.length > 1).length >= FEWEST_ROWS) runs.push(run);
    run = [];
  };
  for (const row of rows) {
    const last = run.at(-1);
    const far = last !== undefined && row.box[1] - last.box[3] > ROW_GAP * height;
    const proseLine = row.segments.length === 1 && (last === undefined || !isWrappedCell(row, run, height));
    if (far || proseLine) flush();
    if (!proseLine) run.push(row);
  }
  flush();
  return runs;
}

/** A narrow group of words close below the row it belongs to; at most three in a row. */
function isWrappedCell(row: Row, run: readonly Row[], height: number): boolean {
  const [left, , right] = boxOf(run.map((member) => member.box));
  const last = run.at(-1);
  const singles = run.slice(-3).filter((member) => member.segments.length === 1).length;
  const close = last !== undefined && row.box[1] - last.box[3] < 0.8 * height;
  return close && singles < 3 && row.box[2] - row.box[0] <= (right - left) / 2;
}

function toTable(run: readonly Row[], height: number): ScanTable | null {
  const columns = columnsOf(run, height);
  const full = run.filter((row) => row.segments.length > 1);
  if (columns.length < 2 || isProse(full, columns)) return null;
  const grid = mergeWraps(run.map((row) => columns.map((column) => cellText(row, column))));
  const filled = grid.filter((cells) => cells.filter((text) => text !== '').length >= 2);
  if (filled.length < FEWEST_ROWS || filled.length < 0.6 * grid.length) return null;
  const words = run.flatMap((row) => row.segments.flatMap((segment) => segment.words));
  const named = isHeader(grid);
  const rows = grid.map((cells, index) =>
    cells.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: named && index === 0 })),
  );
  return { rows, words, box: boxOf(run.map((row) => row.box)) };
}

/** A row with a single cell continues that cell of the row above. */
function mergeWraps(grid: readonly string[][]): string[][] {
  const merged: string[][] = [];
  for (const cells of grid) {
    const above = merged.at(-1);
    const filled = cells.flatMap((text, index) => (text === '' ? [] : [index]));
    const [only] = filled;
    if (above === undefined || filled.length !== 1 || only === undefined || above[only] === '') merged.push(cells);
    else above[only] = `${above[only]} ${cells[only]}`;
  }
  return merged;
}

/** Ranges of x between which at most one row in eight has anything (a heading over several columns). */
function columnsOf(run: readonly Row[], height: number): (readonly [number, number])[] {
  const step = Math.max(1, height / 8);
  const [left, , right] = boxOf(run.map((row) => row.box));
  const coverage = new Uint16Array(Math.ceil((right - left) / step) + 1);
  for (const row of run) {
    for (const { box } of row.segments) {
      for (let at = Math.floor((box[0] - left) / step); at * step + left < box[2]; at += 1)
        coverage[at] = (coverage[at] ?? 0) + 1;
    }
  }
  const allowed = Math.floor(run.length / 8);
  const columns: (readonly [number, number])[] = [];
  let start: number | null = null;
  coverage.forEach((count, at) => {
    if (count > allowed) start ??= at;
    if (start === null || (count > allowed && at < coverage.length - 1)) return;
    columns.push([left + start * step, left + (at + 1) * step]);
    start = null;
  });
  return columns;
}

/** Long groups of words that fill their column in most rows are lines of text. */
function isProse(rows: readonly Row[], columns: readonly (readonly [number, number])[]): boolean {
  const segments = rows.flatMap((row) => row.segments);
  const words = median(segments.map((segment) => segment.words.length));
  const fullest = segments.filter(({ box }) => {
    const column = columns.find(([from, to]) => (box[0] + box[2]) / 2 >= from && (box[0] + box[2]) / 2 <= to);
    return column !== undefined && box[2] - box[0] > 0.8 * (column[1] - column[0]);
  });
  return words >= 4 && fullest.length > 0.4 * segments.length;
}

function cellText(row: Row, [from, to]: readonly [number, number]): string {
  const within = row.segments
    .flatMap((segment) => segment.words)
    .filter(({ bbox }) => {
      const middle = (bbox[0] + bbox[2]) / 2;
      return middle >= from && middle < to;
    });
  return within.map((word) => word.text).join(' ');
}

/** A first row without figures above rows with figures. */
function isHeader(grid: readonly (readonly string[])[]): boolean {
  const [first, ...rest] = grid.map((cells) => cells.some((text) => /\d/.test(text)));
  return first === false && rest.filter(Boolean).length * 2 > rest.length;
}

const centreY = (box: PixelBox): number => (box[1] + box[3]) / 2;

export function boxOf(boxes: readonly PixelBox[]): PixelBox {
  return [
    Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ];
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
