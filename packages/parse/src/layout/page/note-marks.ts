/**
 * Ties footnotes to their marks: `[1]` is written at the reference and before the note, as in other formats. Both must
 * be on the page; a raised number without a note may be an exponent.
 */
import type { Word } from './page-content.ts';
import type { TextElement } from './page-layout.ts';
import { lineOf, type Line } from '../lines/line.ts';
import { startsRaised } from './footnotes.ts';

const MARK = /^(?:\d{1,3}|[a-z]|[*∗†‡§¶]{1,3})$/u;
/** Ends of text that a mark follows; after a short word or a number, a raised digit may be an exponent. */
const BASE = /(?:\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[.,;:!?)\]"'”’»。，）」])$/u;
const CLOSING = /^[.,;:!?)\]”»]/u;
/** Maximum size of a mark, as a share of the line's size, and its minimum rise. */
const MAX_SIZE = 0.86;
const MIN_RISE = 0.1;

/** Marks the references and the notes among the elements of a page, in place. */
export function tieNotes(elements: readonly TextElement[]): void {
  const text = elements.filter(({ kind }) => kind !== 'footnote' && kind !== 'code');
  for (const note of elements) {
    const [line] = note.group.lines;
    const mark = note.kind === 'footnote' && line !== undefined && startsRaised(line) ? line.words[0] : undefined;
    if (line === undefined || mark === undefined || !MARK.test(mark.text)) continue;
    const isReferred = text.map((element) => markReferences(element, mark.text)).includes(true);
    if (!isReferred) continue;
    const [, next, ...rest] = line.words;
    if (next === undefined) continue;
    replaceLine(note, line, [marked(mark, next), { ...next, glued: false }, ...rest]);
  }
}

/** Writes the references to a note in brackets; returns false if the element has none. */
function markReferences(element: TextElement, mark: string): boolean {
  let found = false;
  for (const line of element.group.lines) {
    const isReference = (word: Word, index: number): boolean =>
      word.text === mark && isRaised(word, line) && BASE.test(line.words[index - 1]?.text ?? '');
    if (!line.words.some(isReference)) continue;
    found = true;
    const base = line.words.find((word) => !isRaised(word, line)) ?? line.words[0];
    if (base === undefined) continue;
    const words = line.words.map((word, index) => (isReference(word, index) ? marked(word, base) : word));
    // The change of the baseline reads as a space before the punctuation.
    replaceLine(
      element,
      line,
      words.map((word, index) =>
        words[index - 1] !== line.words[index - 1] && CLOSING.test(word.text) ? { ...word, glued: true } : word,
      ),
    );
  }
  return found;
}

const isRaised = (word: Word, { size, baseline }: Line): boolean =>
  word.size < MAX_SIZE * size && word.baseline < baseline - MIN_RISE * size;

/** Returns the mark in brackets, in the size of the text around it. */
const marked = (mark: Word, { size, em, baseline, style }: Word): Word => ({
  ...mark,
  text: `[${mark.text}]`,
  size,
  baseline,
  style,
  ...(em === undefined ? {} : { em }),
});

function replaceLine(element: TextElement, line: Line, words: Word[]): void {
  const lines = element.group.lines.map((other) => (other === line ? lineOf(words, line.order) : other));
  element.group = { ...element.group, lines };
}
