/** Resolves the rules of a formula: fraction bars and the bars of roots. */
import { boundsOf, centreX, type Box } from '../geometry.ts';
import type { Rule } from '../page/page-content.ts';
import { sizeOf, type Atom } from './atoms.ts';

/** Maximum distance, in font sizes, from the bar to the baselines of numerator and denominator. */
const ABOVE = 1.3;
const BELOW = 1.4;
/** Height of the math axis above the baseline, in font sizes. */
const AXIS = 0.25;

type Typeset = (atoms: readonly Atom[]) => string | undefined;

/**
 * Joins the atoms above and below each bar, inner bars first. Undefined if a bar separates nothing, which makes the
 * whole formula doubtful.
 */
export function withFractions(atoms: readonly Atom[], rules: readonly Rule[], typeset: Typeset): Atom[] | undefined {
  let left = [...atoms];
  const size = sizeOf(atoms);
  for (const rule of rules.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const radical = left.find((atom) => atom.kind === 'radical' && isRootOf(atom, rule));
    const over = radical === undefined ? left.filter((atom) => isOver(atom, rule, size)) : [];
    const under = left.filter((atom) => atom !== radical && isUnder(atom, rule, size));
    const joined = joinedAt(rule, over, under, radical, typeset);
    if (joined === undefined) return undefined;
    const used = new Set([...over, ...under, radical]);
    left = [...left.filter((atom) => !used.has(atom)), joined];
  }
  return left;
}

const isRootOf = (atom: Atom, rule: Rule): boolean =>
  Math.abs(atom.x1 - rule.from) < 0.35 * atom.em && rule.at > atom.y0 - atom.em && rule.at < atom.y1;

const within = (atom: Box, rule: Rule): boolean => centreX(atom) > rule.from - 1 && centreX(atom) < rule.to + 1;

const isOver = (atom: Atom, rule: Rule, size: number): boolean =>
  within(atom, rule) && atom.baseline < rule.at && rule.at - atom.baseline < ABOVE * size;

const isUnder = (atom: Atom, rule: Rule, size: number): boolean =>
  within(atom, rule) && atom.baseline > rule.at && atom.baseline - rule.at < BELOW * size;

function joinedAt(
  rule: Rule,
  over: readonly Atom[],
  under: readonly Atom[],
  radical: Atom | undefined,
  typeset: Typeset,
): Atom | undefined {
  if (under.length === 0 || (radical === undefined && over.length === 0)) return undefined;
  const [top, bottom] = [typeset(over), typeset(under)];
  if (bottom === undefined || (radical === undefined && top === undefined)) return undefined;
  const em = Math.max(...[...over, ...under].map((atom) => atom.em));
  const box = boundsOf([...over, ...under, ...(radical === undefined ? [] : [radical])]);
  const baseline = radical === undefined ? rule.at + AXIS * em : commonBaseline(under);
  const latex = radical === undefined ? `\\frac{${top}}{${bottom}}` : `\\sqrt{${bottom}}`;
  return { ...box, x0: Math.min(box.x0, rule.from), x1: Math.max(box.x1, rule.to), latex, baseline, em, kind: 'plain' };
}

/** Returns the baseline of the largest atom. */
const commonBaseline = (atoms: readonly Atom[]): number =>
  atoms.reduce<Atom | undefined>((best, atom) => (best === undefined || atom.em > best.em ? atom : best), undefined)
    ?.baseline ?? 0;
