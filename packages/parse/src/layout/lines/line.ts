/** Lines of text and their typographic properties. */
import type { Box } from '../geometry.ts';
import type { Word } from '../page/page-content.ts';
import { mostFrequent } from '../statistics.ts';

export interface Line extends Box {
  words: Word[];
  baseline: number;
  /** Font size of most of its characters. */
  size: number;
  /** Nominal size of most of its characters; undefined if that of a word is unknown. */
  em: number | undefined;
  bold: boolean;
  italic: boolean;
  monospace: boolean;
  /** Index of its first word in the page's drawing order. */
  order: number;
}

/** Joins words with spaces, except glued words. */
export function textOf(words: readonly Word[]): string {
  let text = '';
  for (const word of words) text += text === '' || word.glued ? word.text : ` ${word.text}`;
  return text;
}

export const characterCount = (words: readonly Pick<Word, 'text'>[]): number =>
  words.reduce((sum, word) => sum + word.text.length, 0);

/** Counts letters and digits of all scripts. */
export const letterCount = (words: readonly Pick<Word, 'text'>[]): number =>
  words.reduce((sum, word) => sum + (word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

/** Checks whether most words are written from right to left. */
export function isRightToLeft(words: readonly Word[]): boolean {
  const rightToLeft = words.filter((word) => RIGHT_TO_LEFT.test(word.text)).length;
  return rightToLeft > 0.5 * words.length;
}

/** Builds a line from at least one word; `order` is the drawing index of the first one. */
export function lineOf(words: Word[], order: number): Line {
  const [first] = words;
  if (first === undefined) throw new RangeError('a line needs a word');
  let { x0, y0, x1, y1, baseline, size } = first;
  const { size: firstSize } = first;
  let em = nominalSize(first);
  let [bold, italic, monospace, total] = [0, 0, 0, 0];
  let [mixed, mixedEm] = [false, false];
  for (const word of words) {
    if (word.x0 < x0) x0 = word.x0;
    if (word.y0 < y0) y0 = word.y0;
    if (word.x1 > x1) x1 = word.x1;
    if (word.y1 > y1) y1 = word.y1;
    const length = word.text.length;
    total += length;
    if (word.size !== firstSize) mixed = true;
    if (word.em !== em) mixedEm = true;
    if (word.style.bold) bold += length;
    if (word.style.italic) italic += length;
    if (word.style.monospace) monospace += length;
  }
  if (mixed) {
    const common = mostCommon(words, (word) => word.size) ?? size;
    size = common;
    baseline = words.find((word) => word.size === common)?.baseline ?? baseline;
  }
  if (mixedEm) em = words.every((word) => nominalSize(word) !== undefined) ? mostCommon(words, nominalSize) : undefined;
  const most = total * 0.6;
  const look = { bold: bold > most && !endsRegular(words), italic: italic > most, monospace: monospace > most };
  return { x0, y0, x1, y1, words, baseline, size, em, ...look, order };
}

/** Two letters of a script with capitals, whose fonts have a bold style. */
const LETTERS = /[\p{Lu}\p{Ll}]{2}/u;

/** Minimum size of running text after a bold term, as a share of the size of the term: fonts have different heights. */
const MIN_SIZE = 0.85;

/** Checks for a bold term at the start of running text: the first word is bold, the last one is not. */
function endsRegular(words: readonly Word[]): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (first?.style.bold !== true || last === undefined || !LETTERS.test(last.text)) return false;
  return !last.style.bold && !last.style.monospace && !last.style.italic && last.size > MIN_SIZE * first.size;
}

/** Returns the nominal size. Fonts without a name are drawings of letters, whose nominal size may be any. */
const nominalSize = ({ em, style }: Word): number | undefined => (style.name === '' ? undefined : em);

/** Returns the value of most characters. */
function mostCommon<Value>(words: readonly Word[], valueOf: (word: Word) => Value): Value | undefined {
  const counts = new Map<Value, number>();
  for (const word of words) counts.set(valueOf(word), (counts.get(valueOf(word)) ?? 0) + word.text.length);
  return mostFrequent(counts);
}
