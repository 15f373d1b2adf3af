/**
 * Formulas within running text, as `$LaTeX$`. Only what plain text cannot say is worth it, and only what is certain is
 * right: a stretch of signs, variables and numbers with at least one raised or lowered part on a base that is a
 * variable, a sign or a bracket. Words with raised figures are notes, upright letters with lowered ones chemistry.
 */
import { OPERATORS } from '../../latex/symbols.ts';
import { boundsOf } from '../geometry.ts';
import { textOf, type Line } from '../line.ts';
import type { Word } from '../page-content.ts';
import { atomsOf } from './atoms.ts';
import { hasMathSign, hasRelation, isMathFont } from './math-words.ts';
import { typesetLines } from './typeset.ts';

/** Smaller than this share of the line's size is a script, when it stands this far off the baseline (font sizes). */
const SCRIPT_SIZE = 0.86;
const SHIFT = 0.08;
/** White space in a formula, in font sizes. */
const WIDEST_SPACE = 0.65;
/** Longer stretches (words) are something else. */
const MAX_WORDS = 120;

/** The line with its formulas, each a single word; the line itself when there is none. */
export function withInlineFormulas(line: Line): Line {
  const em = emOf(line);
  if (em === undefined || !line.words.some((word) => isScript(word, line, em))) return line;
  if (line.words.some((word) => word.text.includes('$') || word.angle !== 0)) return line;
  const words: Word[] = [];
  let from = 0;
  while (from < line.words.length) {
    const end = runEnd(line, em, from);
    const run = trimmed(line.words, from, end, (word) => isScript(word, line, em));
    const formula = run === undefined ? undefined : formulaOf(line, em, run);
    if (run === undefined || formula === undefined) {
      words.push(...line.words.slice(from, Math.max(end, from + 1)));
    } else {
      words.push(...line.words.slice(from, run.from), formula);
      // What closes the sentence was a space away from a raised sign.
      const rest = line.words.slice(run.to, Math.max(end, run.to + 1));
      words.push(
        ...rest.map((word, index) => (index === 0 && CLOSING.test(word.text) ? { ...word, glued: true } : word)),
      );
    }
    from = Math.max(end, from + 1, run === undefined || formula === undefined ? 0 : run.to + 1);
  }
  return { ...line, words };
}

/** The nominal size of most of the line; undefined when it is not known. */
function emOf({ words, size }: Line): number | undefined {
  return words.find((word) => Math.abs(word.size - size) < 0.3 && word.em !== undefined)?.em;
}

const isScript = (word: Word, line: Line, em: number): boolean =>
  (word.em ?? em) < SCRIPT_SIZE * em && Math.abs(word.baseline - line.baseline) > SHIFT * em;

/** Signs, numbers and brackets belong to the formula that they stand in. */
const NEUTRAL = /^[\d.,:;()[\]{}|/!*+\-–−'′…]+$/;
const CLOSING = /^[.,;:)\]]+$/;
const NAME = /^[([/]*([A-Za-z]{2,8})[([]?$/;

/** The end of the stretch of words from `from` that may be a formula. */
function runEnd({ words, ...line }: Line, em: number, from: number): number {
  let end = from;
  while (end < words.length && end - from < MAX_WORDS) {
    const [word, last, next] = [words[end], words[end - 1], words[end + 1]];
    if (word === undefined || !mayBePart(word, next, { words, ...line }, em)) break;
    if (end > from && last !== undefined && gapBetween(last, word) > WIDEST_SPACE * em) break;
    end++;
  }
  return end;
}

/** Scripts stand above each other, so the next word may begin further left. */
const gapBetween = (last: Word, word: Word): number => Math.max(word.x0 - last.x1, last.x0 - word.x1);

function mayBePart(word: Word, next: Word | undefined, line: Line, em: number): boolean {
  if (isMathFont(word) || isScript(word, line, em) || NEUTRAL.test(word.text)) return true;
  if (isVariable(word) || isSigns(word.text)) return true;
  const name = NAME.exec(word.text)?.[1];
  if (name === undefined) return false;
  if (OPERATORS.has(name)) return true;
  // The name of a function: its index or its bracket follows at once.
  return next?.glued === true && (isScript(next, line, em) || /^[([]/.test(next.text));
}

const isVariable = (word: Word): boolean => word.style.italic && /^[\p{L}\p{M}]{1,2}[,.;:]?$/u.test(word.text);
const isSigns = (text: string): boolean => !/\p{L}{2}/u.test(text) && hasMathSign(text);

interface Run {
  from: number;
  to: number;
}

/** Without the punctuation around it, and without brackets that open or close outside. */
function trimmed(words: readonly Word[], start: number, end: number, script: (word: Word) => boolean): Run | undefined {
  let [from, to] = [start, end];
  const text = (index: number): string => words[index]?.text ?? '';
  for (;;) {
    const first = words[from];
    const last = words[to - 1];
    if (first === undefined || last === undefined || from >= to) return undefined;
    const balance = balanceOf(words.slice(from, to));
    if (/^[.,:;!'*]+$/.test(text(to - 1)) && !script(last)) to--;
    else if (/^[.,:;!)\]'*]+$/.test(text(from)) || script(first)) from++;
    else if (/^[([]$/.test(text(from)) && balance > 0) from++;
    else if (/^[)\].,;:]+$/.test(text(to - 1)) && balance < 0 && !script(last)) to--;
    else return { from, to };
  }
}

const balanceOf = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => {
    const [open, close] = [text.match(/[([{]/g) ?? [], text.match(/[)\]}]/g) ?? []];
    return sum + open.length - close.length;
  }, 0);

function formulaOf(line: Line, em: number, { from, to }: Run): Word | undefined {
  const words = line.words.slice(from, to);
  const [first] = words;
  const before = line.words[from - 1];
  const after = line.words[to];
  if (first === undefined || balanceOf(words) !== 0 || !isCertain(words, line, em)) return undefined;
  // Dollars beside a letter or a figure begin no formula.
  if (first.glued && /[\p{L}\p{N}$\\]$/u.test(before?.text ?? '')) return undefined;
  if (after?.glued === true && /^[\p{L}\p{N}]/u.test(after.text)) return undefined;
  const atoms = atomsOf(words);
  const typeset = atoms && typesetLines(atoms);
  const latex = typeset?.length === 1 ? typeset[0]?.latex : undefined;
  if (latex === undefined || latex === '' || !/[_^]/.test(latex)) return undefined;
  return { ...first, ...boundsOf(words), text: `$${tidy(latex)}$`, size: line.size, baseline: line.baseline };
}

/** As it would be typed: no spaces inside of brackets, nor between a figure and its variable. */
const tidy = (latex: string): string =>
  latex
    .replace(/([([]) +/g, '$1')
    .replace(/ +(?=[)\],.;])/g, '')
    .replace(/([\p{L}\d})]) (?=[([])/gu, '$1')
    .replace(/(\d) (?=[A-Za-z])/g, '$1');

/** Each script has a base that takes one. */
function isCertain(words: readonly Word[], line: Line, em: number): boolean {
  const text = textOf(words);
  const mathematical = words.some(
    (word, index) =>
      isMathFont(word) ||
      hasMathSign(word.text) ||
      isIndexed(word, words[index + 1], (part) => isScript(part, line, em)),
  );
  let base: Word | undefined;
  for (const word of words) {
    if (!isScript(word, line, em)) {
      base = word;
      continue;
    }
    if (base === undefined || !takesScript(base, word, mathematical)) return false;
  }
  return mathematical || hasRelation(text) || words.length > 1;
}

/** A variable with a variable for its index. */
const isIndexed = (word: Word, next: Word | undefined, script: (word: Word) => boolean): boolean =>
  isLetter(word) && !script(word) && next !== undefined && isLetter(next) && script(next) && next.glued;

const isLetter = (word: Word): boolean => word.style.italic && /^[\p{L}\p{M}]$/u.test(word.text);

function takesScript(base: Word, script: Word, mathematical: boolean): boolean {
  if (isMathFont(base) || isSigns(base.text)) return true;
  if (isLetter(base)) return true;
  if (!mathematical) return false;
  // A figure on a figure is a note, unless it has a sign or is a letter.
  if (/\d$/.test(base.text)) return script.style.italic || /^[+−–-]/.test(script.text);
  return /[)\]|}]$/.test(base.text) || isVariable(base) || NAME.test(base.text);
}
