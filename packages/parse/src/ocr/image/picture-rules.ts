/**
 * Finds drawn lines in the picture of a page: long thin runs of pixels darker than the surrounding background. They
 * delimit tables as the lines of a PDF do.
 */
import type { GreyPicture, Background } from './grey-picture.ts';

/** A drawn line, in pixels. */
export interface PictureRule {
  horizontal: boolean;
  at: number;
  from: number;
  to: number;
}

/** Minimum contrast of a line with the background; light grey table lines have 30, JPEG grain less than 15. */
const CONTRAST = 24;
/** Minimum length, in text line heights; dashes and letter stems have at most one. */
const MIN_LENGTH = 2.5;
/** Maximum thickness, in text line heights; thicker lines are bars and pictures. */
const MAX_THICKNESS = 0.5;
/** Maximum interruption of a run, and maximum offset between two runs of a slanted line, in pixels. */
const MAX_BREAK = 3;
/** Minimum share of background beside a line; closely spaced letters form runs of ink too. */
const MIN_FREE_SHARE = 0.6;

interface Run {
  from: number;
  to: number;
}

interface Stroke extends Run {
  first: number;
  last: number;
  /** Number of pixels in all its runs. */
  ink: number;
}

/** Returns the drawn lines; `lineHeight` is the height of a text line in pixels. */
export function findRules(picture: GreyPicture, background: Background, lineHeight: number): PictureRule[] {
  if (lineHeight < 4) return [];
  const ink = inkOf(picture, background);
  const { width, height } = picture;
  const shortest = Math.max(16, MIN_LENGTH * lineHeight);
  return [
    ...rulesOf(runsInRows(ink, width, height, shortest), { ink, width, height, lineHeight, horizontal: true }),
    ...rulesOf(runsInColumns(ink, width, height, shortest), { ink, width, height, lineHeight, horizontal: false }),
  ];
}

function inkOf({ pixels, width, height }: GreyPicture, background: Background): Uint8Array {
  const ink = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    let limit = 0;
    for (let x = 0; x < width; x += 1) {
      if (x % 16 === 0) limit = background.at(x, y) - CONTRAST;
      const index = y * width + x;
      if ((pixels[index] ?? 255) < limit) ink[index] = 1;
    }
  }
  return ink;
}

/** Returns the runs of at least `shortest` pixels by row, ignoring small gaps. */
function runsInRows(ink: Uint8Array, width: number, height: number, shortest: number): Run[][] {
  return Array.from({ length: height }, (_, y) => {
    const row = ink.subarray(y * width, (y + 1) * width);
    const runs: Run[] = [];
    let from = row.indexOf(1);
    while (from !== -1) {
      let to = from;
      for (let next = from; next !== -1 && next - to <= MAX_BREAK; next = row.indexOf(1, to)) {
        to = row.indexOf(0, next);
        if (to === -1) to = width;
      }
      if (to - from >= shortest) runs.push({ from, to });
      from = row.indexOf(1, to);
    }
    return runs;
  });
}

/** Returns the same runs by column, in one pass along the rows for memory locality. */
function runsInColumns(ink: Uint8Array, width: number, height: number, shortest: number): Run[][] {
  const runs = Array.from({ length: width }, (): Run[] => []);
  const from = new Int32Array(width).fill(-1);
  const to = new Int32Array(width).fill(-1);
  const end = (x: number): void => {
    const [start, stop] = [from[x] ?? 0, to[x] ?? 0];
    if (start >= 0 && stop - start >= shortest) runs[x]?.push({ from: start, to: stop });
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (ink[y * width + x] === 0) continue;
      if (y - (to[x] ?? -1) > MAX_BREAK) {
        end(x);
        from[x] = y;
      }
      to[x] = y + 1;
    }
  }
  for (let x = 0; x < width; x += 1) end(x);
  return runs;
}

interface Side {
  ink: Uint8Array;
  width: number;
  height: number;
  lineHeight: number;
  horizontal: boolean;
}

/** Joins touching runs of adjacent rows (or columns) to strokes; thin strokes beside background are rules. */
function rulesOf(rows: readonly Run[][], side: Side): PictureRule[] {
  const done: Stroke[] = [];
  let open: Stroke[] = [];
  rows.forEach((runs, at) => {
    if (runs.length === 0 && open.length === 0) return;
    open = open.filter((stroke) => {
      if (at - stroke.last <= 2) return true;
      done.push(stroke);
      return false;
    });
    for (const run of runs) joinStroke(open, run, at);
  });
  const thickest = Math.max(4, MAX_THICKNESS * side.lineHeight);
  return [...done, ...open]
    .filter((stroke) => isThin(stroke, thickest) && hasFreeSide(stroke, side))
    .map(({ first, last, from, to }) => ({ horizontal: side.horizontal, at: (first + last + 1) / 2, from, to }));
}

function joinStroke(open: Stroke[], run: Run, at: number): void {
  const stroke = open.find((other) => run.from <= other.to + MAX_BREAK && run.to >= other.from - MAX_BREAK);
  if (stroke === undefined) {
    open.push({ ...run, first: at, last: at, ink: run.to - run.from });
    return;
  }
  stroke.from = Math.min(stroke.from, run.from);
  stroke.to = Math.max(stroke.to, run.to);
  stroke.last = at;
  stroke.ink += run.to - run.from;
}

/** Checks the ink instead of the height, because the height of a slanted line includes its slope. */
function isThin(stroke: Stroke, thickest: number): boolean {
  const length = stroke.to - stroke.from;
  return stroke.ink <= thickest * length && stroke.last - stroke.first <= Math.max(thickest, 0.03 * length);
}

/** Checks for background a few pixels away on at least one side. */
function hasFreeSide(stroke: Stroke, side: Side): boolean {
  const share = Math.min(inkBeside(stroke, stroke.first - 3, side), inkBeside(stroke, stroke.last + 3, side));
  return share < 1 - MIN_FREE_SHARE;
}

function inkBeside({ from, to }: Stroke, at: number, { ink, width, height, horizontal }: Side): number {
  if (at < 0 || at >= (horizontal ? height : width)) return 0;
  let dark = 0;
  for (let along = from; along < to; along += 1) dark += ink[horizontal ? at * width + along : along * width + at] ?? 0;
  return dark / (to - from);
}
