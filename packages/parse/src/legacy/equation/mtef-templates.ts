/** Names and variations of formula templates, for both versions in the notation of version 5. */
export type TemplateName =
  | 'angle'
  | 'parenthesis'
  | 'brace'
  | 'bracket'
  | 'bar'
  | 'doubleBar'
  | 'floor'
  | 'ceiling'
  | 'openBracket'
  | 'interval'
  | 'root'
  | 'fraction'
  | 'underBar'
  | 'overBar'
  | 'arrow'
  | 'integral'
  | 'sum'
  | 'product'
  | 'coproduct'
  | 'union'
  | 'intersection'
  | 'integralOperator'
  | 'sumOperator'
  | 'limit'
  | 'horizontalBrace'
  | 'horizontalBracket'
  | 'longDivision'
  | 'scripts'
  | 'dirac'
  | 'vector'
  | 'tilde'
  | 'hat'
  | 'arc'
  | 'plain'
  | 'box';

export interface Template {
  name: TemplateName;
  variation: number;
}

/** Fences: left and right. */
export const [LEFT, RIGHT] = [1, 2];
/** Scripts that precede their base. */
export const PRECEDES = 1;
export const SLASHED = 2;
/** Directions of arrows. */
export const [TO_LEFT, TO_RIGHT] = [0x10, 0x20];
/** Integrals: the number of signs, and whether they have a loop. */
export const [SIGNS, LOOPED] = [0x03, 0x0c];
/** Vectors. */
export const UNDER = 4;
/** Horizontal braces and brackets above the content. */
export const ON_TOP = 1;

const MODERN: readonly TemplateName[] = [
  'angle',
  'parenthesis',
  'brace',
  'bracket',
  'bar',
  'doubleBar',
  'floor',
  'ceiling',
  'openBracket',
  'interval',
  'root',
  'fraction',
  'underBar',
  'overBar',
  'arrow',
  'integral',
  'sum',
  'product',
  'coproduct',
  'union',
  'intersection',
  'integralOperator',
  'sumOperator',
  'limit',
  'horizontalBrace',
  'horizontalBracket',
  'longDivision',
  'scripts',
  'scripts',
  'scripts',
  'dirac',
  'vector',
  'tilde',
  'hat',
  'arc',
  'plain',
  'plain',
  'box',
];

const both = (): number => LEFT | RIGHT;
/** Version 3 enumerates variations: both sides, left, right. */
const sides = (variation: number): number => [LEFT | RIGHT, LEFT, RIGHT][variation] ?? LEFT | RIGHT;
const kept = (variation: number): number => variation;
const always = (variation: number) => (): number => variation;
const integral =
  (signs: number) =>
  (variation: number): number =>
    variation >= 3 ? signs | LOOPED : signs;
/** The left and right fence as digits: 0 `(`, 1 `)`, 2 `[`, 3 `]`. */
const interval = (left: number, right: number): (() => number) => always(left | (right << 4));
const directions = (variation: number): number => [LEFT, RIGHT, LEFT | RIGHT][variation] ?? RIGHT;

/** Templates by the selectors of version 3. */
const OLD: readonly (readonly [name: TemplateName, variation: (variation: number) => number])[] = [
  ['angle', sides],
  ['parenthesis', sides],
  ['brace', sides],
  ['bracket', sides],
  ['bar', sides],
  ['doubleBar', sides],
  ['floor', both],
  ['ceiling', both],
  ['interval', interval(2, 2)],
  ['interval', interval(3, 3)],
  ['interval', interval(3, 2)],
  ['interval', interval(2, 1)],
  ['interval', interval(0, 3)],
  ['root', kept],
  ['fraction', always(0)],
  ['scripts', always(0)],
  ['underBar', kept],
  ['overBar', kept],
  ['arrow', always(TO_LEFT)],
  ['arrow', always(TO_RIGHT)],
  ['arrow', always(TO_LEFT | TO_RIGHT)],
  ['integral', integral(1)],
  ['integral', integral(2)],
  ['integral', integral(3)],
  ['integral', integral(1)],
  ['integral', integral(2)],
  ['integral', integral(3)],
  ['horizontalBrace', always(ON_TOP)],
  ['horizontalBrace', always(0)],
  ['sum', kept],
  ['sum', kept],
  ['product', kept],
  ['product', kept],
  ['coproduct', kept],
  ['coproduct', kept],
  ['union', kept],
  ['union', kept],
  ['intersection', kept],
  ['intersection', kept],
  ['limit', kept],
  ['longDivision', kept],
  ['fraction', always(SLASHED)],
  ['integralOperator', kept],
  ['sumOperator', kept],
  ['scripts', always(PRECEDES)],
  ['dirac', sides],
  ['vector', (variation) => directions(variation) | UNDER],
  ['vector', directions],
  ['arc', kept],
];

/** Returns the template; unknown ones consist of their slots only. */
export function templateOf(version: 3 | 5, selector: number, variation: number): Template {
  if (version === 5) return { name: MODERN[selector] ?? 'plain', variation };
  const old = OLD[selector];
  return old ? { name: old[0], variation: old[1](variation) } : { name: 'plain', variation };
}
