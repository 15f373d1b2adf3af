/** Finds the connected components of the ink, which are mostly letters and show their size and position. */
import { include, type Box } from '../layout/geometry.ts';
import type { GreyPicture, Paper } from './grey-picture.ts';

/** A connected component, in pixels; right and lower edges are exclusive. */
export interface InkPart extends Box {
  /** Number of ink pixels. */
  area: number;
}

/** Level below which a pixel is ink, as a share of the background level. */
const INK = 0.72;
/** Maximum number of ink runs; a picture with more is a photograph and yields no components. */
const MAX_RUNS = 2_000_000;

interface Run {
  from: number;
  to: number;
  part: number;
}

/** Returns the components, unordered, with 8-connectivity. */
export function inkParts(picture: GreyPicture, paper: Paper): InkPart[] {
  const parts: InkPart[] = [];
  const parents: number[] = [];
  let above: Run[] = [];
  let count = 0;
  for (let y = 0; y < picture.height; y += 1) {
    const runs = runsOf(picture, paper, y);
    count += runs.length;
    if (count > MAX_RUNS) return [];
    let start = 0;
    for (const run of runs) {
      while (start < above.length && (above[start]?.to ?? 0) < run.from) start += 1;
      for (let index = start; index < above.length; index += 1) {
        const other = above[index];
        if (other === undefined || other.from > run.to) break;
        const root = rootOf(parents, other.part);
        if (run.part === -1) run.part = root;
        else parents[root] = rootOf(parents, run.part);
      }
      if (run.part === -1) {
        run.part = parts.length;
        parents.push(run.part);
        parts.push({ x0: run.from, y0: y, x1: run.to, y1: y + 1, area: 0 });
      }
      grow(parts[run.part], run, y);
    }
    above = runs;
  }
  return joined(parts, parents);
}

function grow(part: InkPart | undefined, { from, to }: Run, y: number): void {
  if (part === undefined) return;
  part.x0 = Math.min(part.x0, from);
  part.x1 = Math.max(part.x1, to);
  part.y1 = y + 1;
  part.area += to - from;
}

function joined(parts: readonly InkPart[], parents: number[]): InkPart[] {
  const roots = new Map<number, InkPart>();
  parts.forEach((part, index) => {
    const root = rootOf(parents, index);
    const known = roots.get(root);
    if (known === undefined) {
      roots.set(root, part);
      return;
    }
    include(known, part);
    known.area += part.area;
  });
  return [...roots.values()];
}

function rootOf(parents: number[], part: number): number {
  let root = part;
  for (let parent = parents[root]; parent !== undefined && parent !== root; parent = parents[root]) {
    // Path halving keeps the union-find paths short.
    parents[root] = parents[parent] ?? parent;
    root = parent;
  }
  return root;
}

function runsOf({ pixels, width }: GreyPicture, paper: Paper, y: number): Run[] {
  const runs: Run[] = [];
  let from = -1;
  let limit = 0;
  for (let x = 0; x <= width; x += 1) {
    if (x % 16 === 0) limit = INK * paper.at(Math.min(x, width - 1), y);
    const dark = x < width && (pixels[y * width + x] ?? 255) < limit;
    if (dark && from === -1) from = x;
    else if (!dark && from !== -1) {
      runs.push({ from, to: x, part: -1 });
      from = -1;
    }
  }
  return runs;
}
