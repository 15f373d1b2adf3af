/** Finds grids of crossing rules and the cells between them. */
import type { Box } from '../../geometry.ts';
import type { Rule } from '../../page/page-content.ts';

export interface LatticeCell {
  row: number;
  column: number;
  rowSpan: number;
  colSpan: number;
}

export interface Lattice extends Box {
  /** Positions of the column and row borders, ascending. */
  xs: number[];
  ys: number[];
  cells: LatticeCell[];
}

/** Maximum gap, in points, between rules that still count as crossing. */
const CROSSING_TOLERANCE = 4;
/** Distance, in points, up to which two borders are one. */
const SAME_BORDER = 4;
/** Share of a cell's side that a rule must cover to separate the cell from its neighbour. */
const MIN_COVER = 0.6;

/** Returns the lattices of a page: groups of crossing rules, at least two in each direction. */
export function findLattices(horizontal: readonly Rule[], vertical: readonly Rule[]): Lattice[] {
  const groups = connected(horizontal, vertical);
  return groups.flatMap((group) => latticeOf(group) ?? []);
}

/** Groups rules connected by crossings (union-find). */
function connected(horizontal: readonly Rule[], vertical: readonly Rule[]): Rule[][] {
  const rules = [...horizontal, ...vertical];
  const parent = rules.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at;
      at = parent[at] ?? at;
    }
    return at;
  };
  horizontal.forEach((h, i) => {
    vertical.forEach((v, j) => {
      if (crosses(h, v)) parent[root(i)] = root(horizontal.length + j);
    });
  });
  const groups = new Map<number, Rule[]>();
  rules.forEach((rule, index) => {
    const key = root(index);
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  });
  return [...groups.values()];
}

const crosses = (h: Rule, v: Rule): boolean =>
  v.at >= h.from - CROSSING_TOLERANCE &&
  v.at <= h.to + CROSSING_TOLERANCE &&
  h.at >= v.from - CROSSING_TOLERANCE &&
  h.at <= v.to + CROSSING_TOLERANCE;

function latticeOf(rules: readonly Rule[]): Lattice | undefined {
  const horizontal = rules.filter((rule) => rule.horizontal);
  const vertical = rules.filter((rule) => !rule.horizontal);
  const xs = positions(vertical);
  const ys = positions(horizontal);
  // Rules often end without a border on the left and right, where the outermost columns are.
  openSides(xs, horizontal);
  openSides(ys, vertical);
  const [x0, x1, y0, y1] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  if (x0 === undefined || x1 === undefined || y0 === undefined || y1 === undefined) return undefined;
  if (xs.length < 2 || ys.length < 2 || (xs.length - 1) * (ys.length - 1) < 2) return undefined;
  return { x0, y0, x1, y1, xs, ys, cells: cellsOf(xs, ys, horizontal, vertical) };
}

function positions(rules: readonly Rule[]): number[] {
  const result: number[] = [];
  for (const { at } of rules.toSorted((a, b) => a.at - b.at)) {
    const last = result.at(-1);
    if (last === undefined || at - last > SAME_BORDER) result.push(at);
  }
  return result;
}

/**
 * Adds a border where at least two rules of the other direction extend past the outermost one, or a single rule that
 * crosses several borders.
 */
function openSides(borders: number[], across: readonly Rule[]): void {
  const [first, last] = [borders[0], borders.at(-1)];
  if (first === undefined || last === undefined) return;
  const before = across.filter((rule) => rule.from < first - 3 * CROSSING_TOLERANCE);
  const after = across.filter((rule) => rule.to > last + 3 * CROSSING_TOLERANCE);
  const needed = first < last ? Math.min(2, across.length) : 2;
  if (before.length >= needed) borders.unshift(Math.min(...before.map((rule) => rule.from)));
  if (after.length >= needed) borders.push(Math.max(...after.map((rule) => rule.to)));
}

/** Merges grid squares that no rule separates; each merged group becomes one cell. */
function cellsOf(xs: number[], ys: number[], horizontal: Rule[], vertical: Rule[]): LatticeCell[] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const taken = new Uint8Array(rows * columns);
  const separated = (rules: Rule[], at: number, from: number, to: number): boolean => {
    let covered = 0;
    for (const rule of rules) {
      if (Math.abs(rule.at - at) <= SAME_BORDER)
        covered += Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from));
    }
    return covered >= MIN_COVER * (to - from);
  };
  const openRight = (row: number, column: number): boolean =>
    column + 1 < columns && !separated(vertical, xs[column + 1] ?? 0, ys[row] ?? 0, ys[row + 1] ?? 0);
  const openBelow = (row: number, column: number): boolean =>
    row + 1 < rows && !separated(horizontal, ys[row + 1] ?? 0, xs[column] ?? 0, xs[column + 1] ?? 0);
  const cells: LatticeCell[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column] === 1) continue;
      let colSpan = 1;
      while (openRight(row, column + colSpan - 1) && taken[row * columns + column + colSpan] === 0) colSpan++;
      let rowSpan = 1;
      while (spanIsOpen(openBelow, row + rowSpan - 1, column, colSpan)) rowSpan++;
      for (let r = row; r < row + rowSpan; r++) taken.fill(1, r * columns + column, r * columns + column + colSpan);
      cells.push({ row, column, rowSpan, colSpan });
    }
  }
  return cells;
}

function spanIsOpen(
  open: (row: number, column: number) => boolean,
  row: number,
  column: number,
  span: number,
): boolean {
  for (let c = column; c < column + span; c++) if (!open(row, c)) return false;
  return true;
}
