/**
 * Converts formulas within running text to `$LaTeX$`. Only ranges that plain text cannot express and that are certain
 * are converted: symbols, variables and numbers with at least one superscript or subscript on a variable, symbol or
 * bracket. Words with raised digits are notes; upright letters with lowered digits are chemical formulas.
 */
import { OPERATORS } from '../../latex/symbols.ts';
import { boundsOf } from '../geometry.ts';
import { textOf, type Line } from '../lines/line.ts';
import type { Word } from '../page/page-content.ts';
import { atomsOf } from './atoms.ts';
import { hasMathSign, hasRelation, isMathFont } from './math-words.ts';
import { typesetLines } from './typeset.ts';

/** Maximum size of a script, as a share of the line's size, and its minimum baseline shift, in font sizes. */
const SCRIPT_SIZE = 0.86;
const SHIFT = 0.08;
/** Maximum gap in a formula, in font sizes. */
const WIDEST_SPACE = 0.65;
/** Maximum length of a formula, in words. */
const MAX_WORDS = 120;

/** Replaces each formula of the line by a single word; returns the line itself if there is none. */
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
      // Closing punctuation was a space away from a superscript.
      const rest = line.words.slice(run.to, Math.max(end, run.to + 1));
      words.push(
        ...rest.map((word, index) => (index === 0 && CLOSING.test(word.text) ? { ...word, glued: true } : word)),
      );
    }
    from = Math.max(end, from + 1, run === undefined || formula === undefined ? 0 : run.to + 1);
  }
  return { ...line, words };
}

/** Returns the nominal size of most of the line; undefined if unknown. */
function emOf({ words, size }: Line): number | undefined {
  return words.find((word) => Math.abs(word.size - size) < 0.3 && word.em !== undefined)?.em;
}

const isScript = (word: Word, line: Line, em: number): boolean =>
  (word.em ?? em) < SCRIPT_SIZE * em && Math.abs(word.baseline - line.baseline) > SHIFT * em;

/** Symbols, numbers and brackets that join an adjacent formula. */
const NEUTRAL = /^[\d.,:;()[\]{}|/!*+\-–−'′…]+$/;
const CLOSING = /^[.,;:)\]]+$/;
const NAME = /^[([/]*([A-Za-z]{2,8})[([]?$/;

/** Returns the end of the range of words from `from` that may be a formula. */
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

/** Returns the gap between words; it may be on the left because scripts stack vertically. */
const gapBetween = (last: Word, word: Word): number => Math.max(word.x0 - last.x1, last.x0 - word.x1);

function mayBePart(word: Word, next: Word | undefined, line: Line, em: number): boolean {
  if (isMathFont(word) || isScript(word, line, em) || NEUTRAL.test(word.text)) return true;
  if (isVariable(word) || isSigns(word.text)) return true;
  const name = NAME.exec(word.text)?.[1];
  if (name === undefined) return false;
  if (OPERATORS.has(name)) return true;
  // A function name is followed directly by an index or a bracket.
  return next?.glued === true && (isScript(next, line, em) || /^[([]/.test(next.text));
}

const isVariable = (word: Word): boolean => word.style.italic && /^[\p{L}\p{M}]{1,2}[,.;:]?$/u.test(word.text);
const isSigns = (text: string): boolean => !/\p{L}{2}/u.test(text) && hasMathSign(text);

interface Run {
  from: number;
  to: number;
}

/** Removes surrounding punctuation and unbalanced brackets from a run. */
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
  // A dollar sign beside a letter or digit does not begin a formula.
  if (first.glued && /[\p{L}\p{N}$\\]$/u.test(before?.text ?? '')) return undefined;
  if (after?.glued === true && /^[\p{L}\p{N}]/u.test(after.text)) return undefined;
  const atoms = atomsOf(words);
  const typeset = atoms && typesetLines(atoms);
  const latex = typeset?.length === 1 ? typeset[0]?.latex : undefined;
  if (latex === undefined || latex === '' || !/[_^]/.test(latex)) return undefined;
  return { ...first, ...boundsOf(words), text: `$${tidy(latex)}$`, size: line.size, baseline: line.baseline };
}

/** Removes the spaces inside brackets and between a number and its variable. */
const tidy = (latex: string): string =>
  latex
    .replace(/([([]) +/g, '$1')
    .replace(/ +(?=[)\],.;])/g, '')
    .replace(/([\p{L}\d})]) (?=[([])/gu, '$1')
    .replace(/(\d) (?=[A-Za-z])/g, '$1');

/** Checks that each script has a suitable base. */
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

/** Detects a variable whose index is a variable. */
const isIndexed = (word: Word, next: Word | undefined, script: (word: Word) => boolean): boolean =>
  isLetter(word) && !script(word) && next !== undefined && isLetter(next) && script(next) && next.glued;

const isLetter = (word: Word): boolean => word.style.italic && /^[\p{L}\p{M}]$/u.test(word.text);

function takesScript(base: Word, script: Word, mathematical: boolean): boolean {
  if (isMathFont(base) || isSigns(base.text)) return true;
  if (isLetter(base)) return true;
  if (!mathematical) return false;
  // A digit on a digit is a note reference unless it has a sign or is a letter.
  if (/\d$/.test(base.text)) return script.style.italic || /^[+−–-]/.test(script.text);
  return /[)\]|}]$/.test(base.text) || isVariable(base) || NAME.test(base.text);
}
