/** Converts positioned atoms to LaTeX: assigns superscripts, subscripts and limits to the atoms on the line. */
import { boundsOf, centreX, overlapX, type Box } from '../geometry.ts';
import { median } from '../statistics.ts';
import { sizeOf, type Atom } from './atoms.ts';

/** Maximum size of a script, as a share of the largest size. */
const SCRIPT_SIZE = 0.86;
/** Maximum baseline difference within a line, in font sizes. */
const SAME_LINE = 0.35;
/** Minimum distances of limits from the math axis, in font sizes; scripts are closer. */
const AXIS = 0.25;
const LIMIT_BELOW = 0.95;
const LIMIT_ABOVE = 0.75;
/** Minimum baseline shift of a script, in font sizes. */
const SHIFT = 0.08;
/** Maximum gap between atoms of one script, in its font sizes. */
const SCRIPT_GAP = 0.6;
const MAX_DEPTH = 6;

interface Placed {
  atom: Atom;
  above: Atom[];
  below: Atom[];
}

/** One line of a formula. */
export interface FormulaLine extends Box {
  latex: string;
}

/** Returns the lines of a formula from top to bottom; undefined if an atom has no valid position. */
export function typesetLines(atoms: readonly Atom[]): FormulaLine[] | undefined {
  const size = sizeOf(atoms);
  const baselines = lineBaselines(atoms, size);
  const lines = baselines.map((): Atom[] => []);
  for (const atom of atoms) lines[nearest(baselines, levelOf(atom))]?.push(atom);
  const found: FormulaLine[] = [];
  for (const [index, line] of lines.entries()) {
    const latex = typesetLine(line, baselines[index] ?? 0, size, 0);
    if (latex === undefined) return undefined;
    found.push({ ...boundsOf(line), latex });
  }
  return found;
}

/** Typesets a single line; undefined if the atoms form several. */
export function typeset(atoms: readonly Atom[], depth = 0): string | undefined {
  if (atoms.length === 0) return '';
  const size = sizeOf(atoms);
  const baselines = lineBaselines(atoms, size);
  // Nested scripts share one size, so the first atom defines the line.
  const baseline = depth === 0 ? baselines[0] : firstLevel(atoms, size);
  const isSingle = baselines.length === 1 || (depth > 0 && (baselines.at(-1) ?? 0) - (baselines[0] ?? 0) < size);
  return isSingle && baseline !== undefined && depth < MAX_DEPTH
    ? typesetLine(atoms, baseline, size, depth)
    : undefined;
}

function firstLevel(atoms: readonly Atom[], size: number): number | undefined {
  const full = atoms.filter((atom) => atom.kind === 'plain' && atom.em >= SCRIPT_SIZE * size);
  const first = full.reduce<Atom | undefined>(
    (best, atom) => (best === undefined || atom.x0 < best.x0 ? atom : best),
    undefined,
  );
  return first?.baseline;
}

/** Returns the level of an atom. Operators and brackets hang below their baseline and are centred on the axis. */
const levelOf = (atom: Atom): number =>
  atom.kind === 'operator' || atom.kind === 'delimiter' ? (atom.y0 + atom.y1) / 2 + AXIS * atom.em : atom.baseline;

function lineBaselines(atoms: readonly Atom[], size: number): number[] {
  const full = atoms.filter((atom) => atom.em >= SCRIPT_SIZE * size);
  const plain = full.filter((atom) => atom.kind === 'plain');
  const groups: number[][] = [];
  for (const level of (plain.length > 0 ? plain : full).map(levelOf).toSorted((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group !== undefined && level - (group.at(-1) ?? 0) < SAME_LINE * size) group.push(level);
    else groups.push([level]);
  }
  return groups.map(median);
}

function nearest(levels: readonly number[], level: number): number {
  const distances = levels.map((other) => Math.abs(other - level));
  return distances.indexOf(Math.min(...distances));
}

function typesetLine(atoms: readonly Atom[], baseline: number, size: number, depth: number): string | undefined {
  const sorted = atoms.toSorted((a, b) => a.x0 - b.x0);
  const isOnLine = (atom: Atom): boolean => {
    if (followsScript(atom, atoms, baseline, size)) return false;
    const shift = Math.abs(atom.baseline - baseline);
    if (atom.em < SCRIPT_SIZE * size) return shift < SHIFT * size;
    return atom.kind !== 'plain' || shift < SAME_LINE * size;
  };
  const line = sorted.filter(isOnLine).map((atom): Placed => ({ atom, above: [], below: [] }));
  for (const group of scriptGroups(sorted.filter((atom) => !isOnLine(atom)))) {
    if (!attach(group, line, baseline, size)) return undefined;
  }
  const parts: string[] = [];
  for (const placed of line) {
    const latex = withScripts(placed, depth);
    if (latex === undefined) return undefined;
    parts.push(latex);
  }
  return withDots(parts.join(' '));
}

/** Detects a script of a script at the height of the line, such as the prime of an index. */
const followsScript = (atom: Atom, atoms: readonly Atom[], baseline: number, size: number): boolean =>
  atoms.some(
    (script) =>
      script.em < SCRIPT_SIZE * size &&
      atom.em < SCRIPT_SIZE * script.em &&
      Math.abs(script.baseline - baseline) > SHIFT * size &&
      Math.abs(atom.x0 - script.x1) < 0.3 * script.em,
  );

const withDots = (latex: string): string =>
  latex.replaceAll('. . .', '\\ldots').replaceAll('\\cdot \\cdot \\cdot', '\\cdots');

/** Groups scripts side by side on one level, from left to right. */
function scriptGroups(atoms: readonly Atom[]): Atom[][] {
  const groups: Atom[][] = [];
  for (const atom of atoms) {
    const group = groups.find((candidate) => {
      const last = candidate.at(-1);
      const largest = Math.max(...candidate.map((other) => other.em));
      return (
        last !== undefined &&
        atom.x0 - last.x1 < SCRIPT_GAP * largest &&
        candidate.some((other) => Math.abs(other.baseline - atom.baseline) < 0.5 * largest)
      );
    });
    if (group === undefined) groups.push([atom]);
    else group.push(atom);
  }
  return groups;
}

/** Attaches a script as a limit to an operator, or to the atom before it; returns false if there is neither. */
function attach(group: Atom[], line: readonly Placed[], baseline: number, size: number): boolean {
  const box = boundsOf(group);
  const level = group.reduce((best, atom) => (atom.em > best.em ? atom : best)).baseline;
  const axis = baseline - AXIS * size;
  if (level > axis + LIMIT_BELOW * size || level < axis - LIMIT_ABOVE * size) {
    const operators = line.filter(({ atom }) => atom.kind === 'operator' && overlapX(atom, box) > -0.3 * size);
    const [closest] = operators.toSorted((a, b) => offCentre(a.atom, box) - offCentre(b.atom, box));
    if (closest !== undefined) {
      closest[level > axis ? 'below' : 'above'].push(...group);
      return true;
    }
  }
  const before = line.findLast(({ atom }) => atom.x0 < box.x0 && atom.x1 < box.x0 + 0.6 * size);
  if (before === undefined || box.x0 - before.atom.x1 > size) return false;
  before[level < baseline ? 'above' : 'below'].push(...group);
  return true;
}

const offCentre = (atom: Box, box: Box): number => Math.abs(centreX(atom) - centreX(box));

function withScripts({ atom, above, below }: Placed, depth: number): string | undefined {
  const [upper, lower] = [typeset(above, depth + 1), typeset(below, depth + 1)];
  if (upper === undefined || lower === undefined) return undefined;
  return atom.latex + (lower === '' ? '' : `_{${lower}}`) + (upper === '' ? '' : `^{${upper}}`);
}
