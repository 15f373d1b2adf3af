/** Finds the gutters between side-by-side columns of running text. */
import type { Box } from '../../geometry.ts';
import { characterCount, type Line } from '../../lines/line.ts';

export interface Gutter {
  x: number;
  y0: number;
  y1: number;
}

/** Minimum words and characters of a line of running text. */
const PROSE_WORDS = 4;
const PROSE_CHARACTERS = 18;
const EDGE_TOLERANCE = 4;
const MIN_LINES = 5;
const MIN_COLUMN_WIDTH = 70;

export const isProse = (line: Line): boolean =>
  line.words.length >= PROSE_WORDS &&
  characterCount(line.words) >= PROSE_CHARACTERS &&
  line.words.filter((word) => /\d/.test(word.text)).length < 0.5 * line.words.length;

/** Finds gutters with at least five lines of running text on each side at the same height. */
export function findGutters(lines: readonly Line[]): Gutter[] {
  const prose = lines.filter(isProse);
  const gutters: Gutter[] = [];
  for (const edge of leftEdges(prose)) {
    const right = prose.filter((line) => Math.abs(line.x0 - edge) <= EDGE_TOLERANCE);
    const y0 = Math.min(...right.map((line) => line.y0));
    const y1 = Math.max(...right.map((line) => line.y1));
    const level = prose.filter((line) => line.y1 > y0 && line.y0 < y1);
    const left = level.filter((line) => line.x1 < edge + 1 && line.x0 < edge - MIN_COLUMN_WIDTH);
    const crossing = level.filter((line) => line.x0 < edge - EDGE_TOLERANCE && line.x1 > edge + EDGE_TOLERANCE);
    if (left.length < MIN_LINES || crossing.length > 0.15 * (left.length + right.length)) continue;
    const leftBox = { y0: Math.min(...left.map((line) => line.y0)), y1: Math.max(...left.map((line) => line.y1)) };
    const x = (edge + Math.max(...left.map((line) => line.x1))) / 2;
    gutters.push({ x, y0: Math.max(y0, leftBox.y0), y1: Math.min(y1, leftBox.y1) });
  }
  return gutters.filter((gutter) => gutter.y1 > gutter.y0);
}

/** Returns the left edges that at least five lines of running text share. */
function leftEdges(prose: readonly Line[]): number[] {
  const edges: number[] = [];
  const sorted = prose.map((line) => line.x0).toSorted((a, b) => a - b);
  let start = 0;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && (sorted[i] ?? 0) - (sorted[i - 1] ?? 0) <= EDGE_TOLERANCE / 2) continue;
    if (i - start >= MIN_LINES) edges.push(sorted[start] ?? 0);
    start = i;
  }
  return edges;
}

/** Returns the column index of a box: the number of gutters left of it at its height. */
export function columnIndexOf(box: Box, gutters: readonly Gutter[]): number {
  const y = (box.y0 + box.y1) / 2;
  const x = (box.x0 + box.x1) / 2;
  return gutters.filter((gutter) => y >= gutter.y0 && y <= gutter.y1 && x > gutter.x).length;
}
