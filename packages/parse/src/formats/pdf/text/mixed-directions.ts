/**
 * Orders the words of lines that mix directions, on pages of right-to-left text. PDFium reverses the words of names and
 * formulas in such lines, and keeps brackets as they are drawn.
 */
import type { Word } from '../../../layout/page/page-content.ts';

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/u;
const LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff]/u;
/** Minimum share of a page's words with right-to-left letters among the words with letters. */
const MIN_SHARE = 0.5;
/** Maximum gap of words of one line, and maximum baseline difference, in font sizes. */
const MAX_GAP = 1.6;
const SAME_LINE = 0.3;

/** Returns the words in reading order; words of pages in other directions are returned as they are. */
export function orderDirections(words: Word[]): Word[] {
  const rightToLeft = words.filter(isRightToLeft).length;
  if (rightToLeft === 0) return words;
  const others = words.filter(isLeftToRight).length;
  if (rightToLeft < MIN_SHARE * (rightToLeft + others)) return words;
  words.forEach((word, index) => {
    word.text = /^[()[\]{}]+$/.test(word.text)
      ? turnedSign(word, words[index - 1], words[index + 1])
      : withOpenBrackets(word.text);
  });
  return others === 0 ? words : linesOf(words).flatMap(ordered);
}

const TURNED = new Map([
  ['(', ')'],
  [')', '('],
  ['[', ']'],
  [']', '['],
  ['{', '}'],
  ['}', '{'],
]);
const turned = (signs: string): string => Array.from(signs, (sign) => TURNED.get(sign) ?? sign).join('');

/** Turns brackets that close before a right-to-left word or open after it. */
const withOpenBrackets = (text: string): string =>
  text
    .replace(/^[)\]}]+(?=[\u0590-\u08ff])/u, turned)
    .replace(/(?<=[\u0590-\u08ff][.,:;!?]{0,3})[([{]+(?=[.,:;!?]{0,3}$)/u, turned);

/** Turns a bracket that is a word of its own, glued to a right-to-left word on one side. */
function turnedSign({ text, glued }: Word, before: Word | undefined, after: Word | undefined): string {
  const isAfter = glued && before !== undefined && isRightToLeft(before);
  const isBefore = after?.glued === true && isRightToLeft(after);
  if (isAfter === isBefore) return text;
  return (isBefore ? /^[)\]}]/ : /^[([{]/).test(text) ? turned(text) : text;
}

/** Groups successive words of one line. */
function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    const last = lines.at(-1)?.at(-1);
    if (last !== undefined && areOnOneLine(last, word)) lines.at(-1)?.push(word);
    else lines.push([word]);
  }
  return lines;
}

const areOnOneLine = (a: Word, b: Word): boolean =>
  a.angle === 0 && b.angle === 0 && Math.abs(a.baseline - b.baseline) < SAME_LINE * Math.max(a.size, b.size);

/** Orders the words inside each run of one direction of a line that has both; the order of the runs is PDFium's. */
function ordered(line: Word[]): Word[] {
  const isMixed = line.some(isRightToLeft) && line.some(isLeftToRight);
  if (!isMixed || hasGap(line)) return line;
  const runs: Word[][] = [];
  for (const word of line) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && isRightToLeft(run[0]) === isRightToLeft(word)) run.push(word);
    else runs.push([word]);
  }
  return withGlue(line, runs.flatMap(orderedRun));
}

const isRightToLeft = ({ text }: Word): boolean => RIGHT_TO_LEFT.test(text);
const isLeftToRight = (word: Word): boolean => LEFT_TO_RIGHT.test(word.text) && !isRightToLeft(word);
/** Signs at the ends of a run belong to the line around it. */
const isSign = (word: Word | undefined): boolean => word !== undefined && !/[\p{L}\p{N}()[\]]/u.test(word.text);

/** Returns a run in reading order; runs of numbers stay as they are, because a date may be read from either side. */
function orderedRun(run: Word[]): Word[] {
  const [first] = run;
  if (first !== undefined && isRightToLeft(first)) return run.toSorted((a, b) => b.x0 - a.x0);
  if (!run.some(isLeftToRight)) return run;
  let [from, to] = [0, run.length];
  while (isSign(run[from])) from++;
  while (to > from && isSign(run[to - 1])) to--;
  const inner = run.slice(from, to).toSorted((a, b) => a.x0 - b.x0);
  return [...run.slice(0, from), ...inner, ...run.slice(to)];
}

/** Detects columns: a gap that is wider than spaces. */
function hasGap(line: readonly Word[]): boolean {
  const sorted = line.toSorted((a, b) => a.x0 - b.x0);
  let end = sorted[0]?.x1 ?? 0;
  for (const { x0, x1, size } of sorted) {
    if (x0 - end > MAX_GAP * size) return true;
    end = Math.max(end, x1);
  }
  return false;
}

/** Keeps words glued to the neighbour that they were glued to before, in either order. */
function withGlue(before: readonly Word[], after: readonly Word[]): Word[] {
  const pairs = new Map<Word, Word | undefined>();
  before.forEach((word, index) => {
    if (word.glued) pairs.set(word, before[index - 1]);
  });
  return after.map((word, index) => {
    const last = after[index - 1];
    const glued =
      last === undefined ? word.glued && word === before[0] : pairs.get(word) === last || pairs.get(last) === word;
    return glued === word.glued ? word : { ...word, glued };
  });
}
