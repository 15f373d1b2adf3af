/** Finds the lines of a page that share a height at its top or bottom edge. */
import type { Box } from '../geometry.ts';
import type { Line } from '../lines/line.ts';

/** Returns the lines on the outermost baseline. */
export function outermostBand(lines: readonly Line[], top: boolean): Line[] {
  const edge = lines.reduce(
    (y, line) => (top ? Math.min(y, line.baseline) : Math.max(y, line.baseline)),
    top ? Infinity : -Infinity,
  );
  return lines.filter((line) => Math.abs(line.baseline - edge) <= 0.5 * line.size);
}

/** Number of bands used to estimate the row spacing of a table. */
const SPACING_BANDS = 6;
const SAME_EDGE = 2;

/** Maximum ratio of the sizes of the rows of a table. */
const SAME_SIZE = 1.12;

/** Detects a table row at a page edge: its pieces align with the rows next to it at the same spacing and size. */
export function isTableRow(band: readonly Line[], inner: readonly Line[], top: boolean): boolean {
  if (band.length < 2) return false;
  const bands: Line[][] = [];
  for (
    let rest = inner.filter(({ words }) => words[0]?.angle === 0);
    rest.length > 0 && bands.length < SPACING_BANDS;
  ) {
    const next = outermostBand(rest, top);
    bands.push(next);
    rest = rest.filter((line) => !next.includes(line));
  }
  const levels = [band, ...bands].map((lines) => lines[0]?.baseline ?? 0);
  const [gap = Infinity, ...pitches] = levels.slice(1).map((level, index) => Math.abs(level - (levels[index] ?? 0)));
  const model = bands.find((lines) => lines.length >= 2 && haveOneSize(lines, band)) ?? [];
  const aligned = band.filter((line) => model.some((other) => sharesEdge(line, other))).length;
  return aligned >= Math.max(2, 0.6 * band.length) && pitches.length > 0 && gap <= 1.3 * Math.max(...pitches);
}

function haveOneSize([a]: readonly Line[], [b]: readonly Line[]): boolean {
  const sizes = [a?.size ?? 0, b?.size ?? 0];
  return Math.max(...sizes) <= SAME_SIZE * Math.min(...sizes);
}

const sharesEdge = (a: Box, b: Box): boolean =>
  Math.abs(a.x0 - b.x0) < SAME_EDGE ||
  Math.abs(a.x1 - b.x1) < SAME_EDGE ||
  Math.abs(a.x0 + a.x1 - b.x0 - b.x1) < 2 * SAME_EDGE;
