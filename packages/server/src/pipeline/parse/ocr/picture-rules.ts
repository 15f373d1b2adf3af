/**
 * The lines that are drawn in a picture of a page: long thin runs of pixels darker than the paper around them. They
 * hold tables together as the lines of a PDF do.
 */
import type { GreyPicture, Paper } from './grey-picture.ts';

/** In pixels. */
export interface PictureRule {
  horizontal: boolean;
  at: number;
  from: number;
  to: number;
}

/** How much darker than the paper a line is at least; light grey ones of tables are 30, grain of JPEG below 15. */
const CONTRAST = 24;
/** In heights of a line of text: dashes are one long, stems of letters one high. */
const SHORTEST = 2.5;
/** Thicker ones are bars and pictures. */
const THICKEST = 0.5;
/** Pixels by which a run may be interrupted, and by which a slanted line moves on between two of its runs. */
const BREAK = 3;
/** Above and below a line there is paper: letters that stand close together make runs of ink too. */
const FREE_SIDES = 0.6;

interface Run {
  from: number;
  to: number;
}

interface Stroke extends Run {
  first: number;
  last: number;
  /** Pixels of all its runs. */
  ink: number;
}

/** `lineHeight` is that of the text, in pixels. */
export function findRules(picture: GreyPicture, paper: Paper, lineHeight: number): PictureRule[] {
  if (lineHeight < 4) return [];
  const ink = inkOf(picture, paper);
  return [
    ...rulesAlong(ink, picture.width, picture.height, lineHeight, true),
    ...rulesAlong(transposed(ink, picture.width, picture.height), picture.height, picture.width, lineHeight, false),
  ];
}

function inkOf({ pixels, width, height }: GreyPicture, paper: Paper): Uint8Array {
  const ink = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    let limit = 0;
    for (let x = 0; x < width; x += 1) {
      if (x % 16 === 0) limit = paper.at(x, y) - CONTRAST;
      const index = y * width + x;
      if ((pixels[index] ?? 255) < limit) ink[index] = 1;
    }
  }
  return ink;
}

function transposed(ink: Uint8Array, width: number, height: number): Uint8Array {
  const turned = new Uint8Array(ink.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (ink[y * width + x] === 1) turned[x * height + y] = 1;
  }
  return turned;
}

/** Rules along the rows of `ink`. */
function rulesAlong(
  ink: Uint8Array,
  width: number,
  height: number,
  lineHeight: number,
  horizontal: boolean,
): PictureRule[] {
  const shortest = Math.max(16, SHORTEST * lineHeight);
  const thickest = Math.max(4, THICKEST * lineHeight);
  const done: Stroke[] = [];
  let open: Stroke[] = [];
  for (let y = 0; y < height; y += 1) {
    const runs = runsOf(ink.subarray(y * width, (y + 1) * width), shortest);
    open = open.filter((stroke) => {
      if (y - stroke.last <= 2) return true;
      done.push(stroke);
      return false;
    });
    for (const run of runs) joinStroke(open, run, y);
  }
  return [...done, ...open]
    .filter((stroke) => isThin(stroke, thickest) && standsFree(stroke, ink, width, height))
    .map((stroke) => ({ horizontal, at: (stroke.first + stroke.last + 1) / 2, from: stroke.from, to: stroke.to }));
}

/** Runs of ink of at least `shortest` pixels, gaps of a few pixels left out of account. */
function runsOf(row: Uint8Array, shortest: number): Run[] {
  const runs: Run[] = [];
  let from = row.indexOf(1);
  while (from !== -1) {
    let to = from;
    for (let next = from; next !== -1 && next - to <= BREAK; next = row.indexOf(1, to)) {
      to = row.indexOf(0, next);
      if (to === -1) to = row.length;
    }
    if (to - from >= shortest) runs.push({ from, to });
    from = row.indexOf(1, to);
  }
  return runs;
}

function joinStroke(open: Stroke[], run: Run, y: number): void {
  const stroke = open.find((other) => run.from <= other.to + BREAK && run.to >= other.from - BREAK);
  if (stroke === undefined) {
    open.push({ ...run, first: y, last: y, ink: run.to - run.from });
    return;
  }
  stroke.from = Math.min(stroke.from, run.from);
  stroke.to = Math.max(stroke.to, run.to);
  stroke.last = y;
  stroke.ink += run.to - run.from;
}

/** A slanted line is as high as it falls, so its ink counts, not its height. */
function isThin(stroke: Stroke, thickest: number): boolean {
  const length = stroke.to - stroke.from;
  return stroke.ink <= thickest * length && stroke.last - stroke.first <= Math.max(thickest, 0.03 * length);
}

/** A few pixels above and below there is mostly paper. */
function standsFree(stroke: Stroke, ink: Uint8Array, width: number, height: number): boolean {
  const [above, below] = [stroke.first - 3, stroke.last + 3];
  const share = (y: number): number => {
    if (y < 0 || y >= height) return 0;
    let dark = 0;
    for (let x = stroke.from; x < stroke.to; x += 1) dark += ink[y * width + x] ?? 0;
    return dark / (stroke.to - stroke.from);
  };
  return Math.min(share(above), share(below)) < 1 - FREE_SIDES;
}
