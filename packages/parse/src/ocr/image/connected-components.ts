/** Finds the connected components of the ink, which are mostly letters and show their size and position. */
import { include, type Box } from '../../layout/geometry.ts';
import type { GreyPicture, Background } from './grey-picture.ts';

/** A connected component, in pixels; right and lower edges are exclusive. */
export interface Component extends Box {
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
  component: number;
}

/** Returns the components, unordered, with 8-connectivity. */
export function connectedComponents(picture: GreyPicture, background: Background): Component[] {
  const components: Component[] = [];
  const parents: number[] = [];
  let above: Run[] = [];
  let count = 0;
  for (let y = 0; y < picture.height; y += 1) {
    const runs = runsOf(picture, background, y);
    count += runs.length;
    if (count > MAX_RUNS) return [];
    let start = 0;
    for (const run of runs) {
      while (start < above.length && (above[start]?.to ?? 0) < run.from) start += 1;
      for (let index = start; index < above.length; index += 1) {
        const other = above[index];
        if (other === undefined || other.from > run.to) break;
        const root = rootOf(parents, other.component);
        if (run.component === -1) run.component = root;
        else parents[root] = rootOf(parents, run.component);
      }
      if (run.component === -1) {
        run.component = components.length;
        parents.push(run.component);
        components.push({ x0: run.from, y0: y, x1: run.to, y1: y + 1, area: 0 });
      }
      grow(components[run.component], run, y);
    }
    above = runs;
  }
  return joined(components, parents);
}

function grow(component: Component | undefined, { from, to }: Run, y: number): void {
  if (component === undefined) return;
  component.x0 = Math.min(component.x0, from);
  component.x1 = Math.max(component.x1, to);
  component.y1 = y + 1;
  component.area += to - from;
}

function joined(components: readonly Component[], parents: number[]): Component[] {
  const roots = new Map<number, Component>();
  components.forEach((component, index) => {
    const root = rootOf(parents, index);
    const known = roots.get(root);
    if (known === undefined) {
      roots.set(root, component);
      return;
    }
    include(known, component);
    known.area += component.area;
  });
  return [...roots.values()];
}

function rootOf(parents: number[], component: number): number {
  let root = component;
  for (let parent = parents[root]; parent !== undefined && parent !== root; parent = parents[root]) {
    // Path halving keeps the union-find paths short.
    parents[root] = parents[parent] ?? parent;
    root = parent;
  }
  return root;
}

function runsOf({ pixels, width }: GreyPicture, background: Background, y: number): Run[] {
  const runs: Run[] = [];
  let from = -1;
  let limit = 0;
  for (let x = 0; x <= width; x += 1) {
    if (x % 16 === 0) limit = INK * background.at(Math.min(x, width - 1), y);
    const dark = x < width && (pixels[y * width + x] ?? 255) < limit;
    if (dark && from === -1) from = x;
    else if (!dark && from !== -1) {
      runs.push({ from, to: x, component: -1 });
      from = -1;
    }
  }
  return runs;
}
