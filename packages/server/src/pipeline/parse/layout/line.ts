/** Lines of text and what can be said about their look. */
import { copyBox, include, type Box } from './geometry.ts';
import type { Word } from './page-content.ts';
import { mostFrequent } from './statistics.ts';

export interface Line extends Box {
  words: Word[];
  baseline: number;
  /** The size most of its characters have. */
  size: number;
  bold: boolean;
  italic: boolean;
  monospace: boolean;
  /** Position of its first word in the page's drawing order. */
  order: number;
}

/** The words with a space between them, except where they are glued together. */
export function textOf(words: readonly Word[]): string {
  let text = '';
  for (const word of words) text += text === '' || word.glued ? word.text : ` ${word.text}`;
  return text;
}

export const characterCount = (words: readonly Word[]): number =>
  words.reduce((sum, word) => sum + word.text.length, 0);

/** A line of at least one word; `order` is the position of the first one. */
export function lineOf(words: Word[], order: number): Line {
  const [first] = words;
  if (first === undefined) throw new RangeError('a line needs a word');
  const box = copyBox(first);
  const sizes = new Map<number, number>();
  let [bold, italic, monospace, total] = [0, 0, 0, 0];
  for (const word of words) {
    include(box, word);
    const length = word.text.length;
    total += length;
    sizes.set(word.size, (sizes.get(word.size) ?? 0) + length);
    if (word.style.bold) bold += length;
    if (word.style.italic) italic += length;
    if (word.style.monospace) monospace += length;
  }
  const size = mostFrequent(sizes) ?? first.size;
  const baseline = words.find((word) => word.size === size)?.baseline ?? first.baseline;
  const most = total * 0.6;
  return {
    ...box,
    words,
    baseline,
    size,
    bold: bold > most,
    italic: italic > most,
    monospace: monospace > most,
    order,
  };
}
