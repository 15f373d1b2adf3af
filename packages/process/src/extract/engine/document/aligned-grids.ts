/** Finds rows of tables that the parser did not recognise: segments side by side, line under line. */
import type { Grid, Segment } from './segments.ts';

/** Minimum number of segments on a line; a label and its value are two. */
const MIN_SEGMENTS = 3;
/** Sizes in page heights. */
const MAX_SEGMENT_HEIGHT = 0.05;
const MAX_GAP = 0.09;

interface Line {
  page: number;
  top: number;
  bottom: number;
  pieces: Segment[];
}

export function alignedGrids(segments: readonly Segment[]): Grid[] {
  const rows = linesOf(segments).filter(({ pieces }) => pieces.length >= MIN_SEGMENTS);
  const groups: Line[][] = [];
  for (const row of rows) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && last.page === row.page && row.top - last.bottom < MAX_GAP) groups.at(-1)?.push(row);
    else groups.push([row]);
  }
  return groups.filter((group) => group.some(holdsAmount)).map(gridOf);
}

const holdsAmount = ({ pieces }: Line): boolean =>
  pieces.some(({ spans }) => spans.some((span) => span.kind === 'amount' && span.certainty >= 0.9));

/**
 * Groups segments into lines. Segments of a line share most of their height; tall ones are text blocks beside a table.
 */
function linesOf(segments: readonly Segment[]): Line[] {
  const pages = new Map<number, Line[]>();
  for (const segment of segments) {
    const { page, bbox } = segment;
    if (page === null || bbox === null || segment.cell !== null || bbox[3] - bbox[1] > MAX_SEGMENT_HEIGHT) continue;
    const lines = pages.get(page) ?? [];
    pages.set(page, lines);
    const middle = (bbox[1] + bbox[3]) / 2;
    const line = lines.find((one) => middle > one.top && middle < one.bottom);
    if (line === undefined) lines.push({ page, top: bbox[1], bottom: bbox[3], pieces: [segment] });
    else line.pieces.push(segment);
  }
  return [...pages.values()].flatMap((lines) => lines.toSorted((a, b) => a.top - b.top));
}

/** Builds a grid whose columns are the ranges of the page width that the segments cover. */
function gridOf(lines: readonly Line[]): Grid {
  const spans = lines
    .flatMap(({ pieces }) => pieces.flatMap(({ bbox }) => (bbox === null ? [] : [[bbox[0], bbox[2]] as const])))
    .toSorted((a, b) => a[0] - b[0]);
  const columns: { from: number; to: number }[] = [];
  for (const [from, to] of spans) {
    const last = columns.at(-1);
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
    else columns.push({ from, to });
  }
  const rows = lines.map(({ pieces }) => {
    const row: (Segment | undefined)[] = columns.map(() => undefined);
    for (const piece of pieces) {
      const left = piece.bbox?.[0] ?? 0;
      const at = columns.findIndex(({ from, to }) => left >= from && left <= to);
      if (at >= 0) row[at] ??= piece;
    }
    return row;
  });
  return { rows, bbox: null, page: lines[0]?.page ?? null, headerRows: 0 };
}
