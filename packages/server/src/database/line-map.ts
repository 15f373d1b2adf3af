/** Stores the line map of a chunk as a flat array of integers, which takes a fifth of the space of JSON. */
import type { TextLine } from '@quire/blocks/block';

/** Integers per line: start, end, page, x0, y0, x1, y1. */
const LINE_LENGTH = 7;
/** Steps of a box edge, which is in 0..1 of the page. */
const BOX_SCALE = 100_000;

/** Returns null for a chunk without a line map. */
export function encodeLineMap(lines: readonly TextLine[] | undefined): number[] | null {
  if (lines === undefined || lines.length === 0) return null;
  return lines.flatMap(({ start, end, page, box }) => [
    start,
    end,
    page,
    ...box.map((edge) => Math.round(edge * BOX_SCALE)),
  ]);
}

export function decodeLineMap(values: readonly number[] | null): TextLine[] {
  const lines: TextLine[] = [];
  const stored = values ?? [];
  for (let at = 0; at + LINE_LENGTH <= stored.length; at += LINE_LENGTH) {
    const [start = 0, end = 0, page = 0, ...edges] = stored.slice(at, at + LINE_LENGTH);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = edges.map((edge) => edge / BOX_SCALE);
    lines.push({ start, end, page, box: [x0, y0, x1, y1] });
  }
  return lines;
}
