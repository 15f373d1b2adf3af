/**
 * Finds display formulas and converts them to LaTeX. Font names, symbols and drawing order are all unreliable, so a
 * cluster of fragments becomes a formula only if no running text is beside it, every symbol is known and every atom
 * has a position. Otherwise it stays text in drawing order.
 */
import { boundsOf, centreX, grow, holdsCentre, intersects, overlapX, overlapY, type Box } from '../geometry.ts';
import { textOf, type Line } from '../lines/line.ts';
import { startsListItem } from '../lines/list-marker.ts';
import type { Rule, Word } from '../page/page-content.ts';
import { atomsOf } from './atoms.ts';
import { withFractions } from './fractions.ts';
import { hasMathSign, hasRelation, isExtensionFont, isMathFont, isTextLine, isTextWord } from './math-words.ts';
import { typeset, typesetLines, type FormulaLine } from './typeset.ts';

export interface Formula extends Box {
  latex: string;
  lines: Line[];
}

/** Maximum horizontal and vertical distance within a formula, in font sizes. */
const MAX_GAP_X = 2.6;
const MAX_GAP_Y = 0.35;
/** Maximum number of fragments; a page with more is a drawing. */
const MAX_FRAGMENTS = 600;
/** Minimum length of a formula, in characters. */
const MIN_CHARACTERS = 3;
const EQUATION_NUMBER = /^\(?([A-Z]?\.?\d{1,3}(?:\.\d{1,3}){0,2}[a-z]?)\)$/;

/** A line segment with the box of its letters, because the font height says little about the symbols' extent. */
interface Fragment extends Box {
  line: Line;
  em: number;
}

export function findFormulas(lines: readonly Line[], rules: readonly Rule[]): Formula[] {
  const upright = lines.filter((line) => line.words[0]?.angle === 0);
  if (!upright.some(isSeed)) return [];
  const text: Fragment[] = [];
  const fragments: Fragment[] = [];
  for (const line of upright) (isTextLine(line) ? text : fragments).push(fragmentOf(line));
  if (fragments.length > MAX_FRAGMENTS) return [];
  const found = clusters(fragments, rules).flatMap((cluster) => formulaOf(cluster, { fragments, text, rules }) ?? []);
  return joined(found.toSorted((a, b) => a.y0 - b.y0));
}

/** Joins a formula that begins with a relation to the one directly above. */
function joined(formulas: readonly Formula[]): Formula[] {
  const result: Formula[] = [];
  for (const formula of formulas) {
    const above = result.findLast((other) => overlapX(other, formula) > 0 && other.y1 <= formula.y0 + 4);
    const size = formula.lines[0]?.size ?? 0;
    if (above === undefined || !continues(formula.latex) || formula.y0 - above.y1 > 1.5 * size) {
      result.push(formula);
      continue;
    }
    const whole = { latex: `${above.latex}\n${formula.latex}`, lines: [...above.lines, ...formula.lines] };
    result[result.indexOf(above)] = { ...boundsOf([above, formula]), ...whole };
  }
  return result;
}

/** Detects a segment that is certainly mathematical. */
const isSeed = (line: Line): boolean =>
  line.words.some((word) => isMathFont(word) || hasMathSign(word.text)) && !isTextLine(line);

/** Distance, in font sizes, from a baseline to the bottom of the next line's letters. */
const END_PITCH = 1.7;

/** Letter extent above and below the baseline, in font sizes. */
const ASCENT = 0.75;
const DESCENT = 0.22;

function fragmentOf(line: Line): Fragment {
  const em = line.words.reduce((most, word) => Math.max(most, word.em ?? 0), 0) || line.size;
  const y0 = Math.min(...line.words.map(topOf));
  const y1 = Math.max(...line.words.map(bottomOf));
  return { x0: line.x0, x1: line.x1, y0, y1, line, em };
}

const topOf = (word: Word): number =>
  isExtensionFont(word.style.name) ? word.y0 : Math.max(word.y0, word.baseline - ASCENT * (word.em ?? word.size));
const bottomOf = (word: Word): number =>
  isExtensionFont(word.style.name) ? word.y1 : Math.min(word.y1, word.baseline + DESCENT * (word.em ?? word.size));

interface Page {
  fragments: readonly Fragment[];
  text: readonly Fragment[];
  rules: readonly Rule[];
}

function clusters(fragments: readonly Fragment[], rules: readonly Rule[]): Fragment[][] {
  const bars = rules.filter((rule) => rule.horizontal);
  let groups: Fragment[][] = [];
  for (const fragment of fragments) {
    if (EQUATION_NUMBER.test(textOf(fragment.line.words))) continue;
    const touching = groups.filter((group) => group.some((other) => areClose(fragment, other, bars)));
    groups = [...groups.filter((group) => !touching.includes(group)), [...touching.flat(), fragment]];
  }
  return groups.filter((group) => group.some(({ line }) => isSeed(line)));
}

/** Checks whether two fragments are side by side, directly below each other, or on both sides of a bar. */
function areClose(a: Fragment, b: Fragment, bars: readonly Rule[]): boolean {
  const size = Math.max(a.em, b.em);
  const [across, down] = [overlapX(a, b), overlapY(a, b)];
  if (down > 0.15 * Math.min(a.y1 - a.y0, b.y1 - b.y0)) return across > -MAX_GAP_X * size;
  if (down <= -size) return false;
  if (across <= 0) return across > -0.5 * size && down > -MAX_GAP_Y * size && Math.min(a.em, b.em) < 0.86 * size;
  if (down > -MAX_GAP_Y * size) return true;
  return bars.some(
    (bar) =>
      bar.at > Math.min(a.y0, b.y0) &&
      bar.at < Math.max(a.y1, b.y1) &&
      bar.from < Math.min(a.x1, b.x1) &&
      bar.to > Math.max(a.x0, b.x0),
  );
}

function formulaOf(cluster: Fragment[], page: Page): Formula | undefined {
  if (cluster.some(({ line }) => startsListItem(line))) return undefined;
  const box = boundsOf(cluster);
  const column = columnOf(box, page.text);
  if (page.text.some((line) => isBeside(line, box, column) || isEndOf(line, box))) return undefined;
  const words = cluster.flatMap(({ line }) => line.words);
  const bars = page.rules.filter((rule) => isBar(rule, box, words));
  if (!isMathematics(words, bars)) return undefined;
  const atoms = atomsOf(words);
  const composed = atoms && withFractions(atoms, bars, (part) => typeset(part));
  const lines = composed && typesetLines(composed);
  if (lines === undefined || lines.length === 0 || lines.some(isNoFormula)) return undefined;
  const number = page.fragments.find((fragment) => isNumberOf(fragment, box, column));
  const members = number === undefined ? cluster : [...cluster, number];
  return { ...boundsOf(members), latex: latexOf(lines) + tagOf(number), lines: members.map(({ line }) => line) };
}

/** Rejects vertical dots and words set letter by letter in a font of their own. */
const isNoFormula = ({ latex }: FormulaLine): boolean =>
  !/[\p{L}\d]/u.test(latex) || /(?:\\mathbf\{[A-Z]\} ?){4}|(?:\b[A-Z] ){5}/.test(latex);

/** Requires a relation, sum or bar, and at least one letter set as a variable. */
function isMathematics(words: readonly Word[], bars: readonly Rule[]): boolean {
  const text = words.map((word) => word.text).join('');
  if (!hasRelation(text) && !/[∑∏∫]/u.test(text) && bars.length === 0) return false;
  const isVariable = (word: Word): boolean => word.style.italic && /^\p{L}{1,3}$/u.test(word.text);
  if (!/\p{L}/u.test(text) || !words.some((word) => isMathFont(word) || isVariable(word))) return false;
  // Ends of paragraphs look like formulas too: they contain words or unbalanced brackets, or are very short.
  const isBalanced = countOf(text, '(') === countOf(text, ')') && countOf(text, '{') === countOf(text, '}');
  return (
    isBalanced && text.length >= MIN_CHARACTERS && !words.some((word, index) => isLoneWord(word, words[index + 1]))
  );
}

const countOf = (text: string, character: string): number => text.split(character).length - 1;

/** Detects a word that is not a function name: neither a bracket nor an index follows. */
function isLoneWord(word: Word, next: Word | undefined): boolean {
  if (!isTextWord(word) || !/\p{L}{4}/u.test(word.text) || /\p{L}{4}[([]/u.test(word.text)) return false;
  const isIndex = next !== undefined && (next.em ?? next.size) < 0.86 * (word.em ?? word.size);
  return next?.glued !== true || !(isIndex || /^[([]/.test(next.text));
}

function tagOf(number: Fragment | undefined): string {
  const tag = number === undefined ? undefined : EQUATION_NUMBER.exec(textOf(number.line.words))?.[1];
  return tag === undefined ? '' : ` \\tag{${tag}}`;
}

/** Joins lines; a line that begins with a relation continues the previous one. */
const latexOf = (lines: readonly FormulaLine[]): string =>
  lines.map(({ latex }, index) => (index === 0 ? '' : continues(latex) ? '\n' : ' \\\\\n') + latex).join('');

const continues = (latex: string): boolean =>
  /^(?:[=<>+-]|\\(?:leq?|geq?|approx|equiv|sim|in|times|cdot)\b)/.test(latex);

/** Returns true for a bar of the formula. Bars of roots are above the letters. */
function isBar(rule: Rule, box: Box, words: readonly Word[]): boolean {
  if (!rule.horizontal || rule.from < box.x0 - 3 || rule.to > box.x1 + 3 || rule.at > box.y1) return false;
  return rule.at > box.y0 - (words.some((word) => word.text === '√') ? 6 : 0);
}

/** Returns the horizontal range of the running text directly above and below. */
function columnOf(box: Box, text: readonly Fragment[]): Box | undefined {
  const around = text.filter((line) => overlapX(line, box) > 0);
  const above = around.filter((line) => line.y1 <= box.y0 + 2).toSorted((a, b) => b.y1 - a.y1)[0];
  const below = around.filter((line) => line.y0 >= box.y1 - 2).toSorted((a, b) => a.y0 - b.y0)[0];
  const ends = [above, below].filter((line) => line !== undefined);
  return ends.length === 0 ? undefined : boundsOf([...ends, box]);
}

function isBeside(line: Fragment, box: Box, column: Box | undefined): boolean {
  if (intersects(line, grow(box, -1)) || holdsCentre(box, line)) return true;
  if (overlapY(line, box) < 0.35 * (line.y1 - line.y0)) return false;
  if (column !== undefined && (centreX(line) < column.x0 || centreX(line) > column.x1)) return false;
  return overlapX(line, box) > -60;
}

/** Detects that the formula is the last line of a paragraph: it begins directly below `line`, at its left edge. */
function isEndOf({ line }: Fragment, box: Box): boolean {
  const pitch = box.y1 - line.baseline;
  if (Math.abs(line.x0 - box.x0) > 1 || pitch <= 0 || pitch > END_PITCH * line.size) return false;
  return box.x1 < line.x1 && !/[.:]$/.test(line.words.at(-1)?.text ?? '');
}

const isNumberOf = ({ line, ...place }: Fragment, box: Box, column: Box | undefined): boolean =>
  EQUATION_NUMBER.test(textOf(line.words)) &&
  overlapY(place, box) > 0 &&
  line.x0 > box.x1 &&
  line.x1 < (column?.x1 ?? Infinity) + 30;
