/** Lines into running text: words divided at line ends are put together again. */
import { textOf, type Line } from './line.ts';
import type { Word } from './page-content.ts';

/** The words of the document that are not divided: they tell a divided word from a hyphenated one. */
export class Vocabulary {
  private readonly words = new Set<string>();

  add(line: Line): void {
    line.words.forEach((word, index) => {
      const last = index === line.words.length - 1;
      const text = lettersOf(word.text);
      if (text.length > 2 && !(last && /[-‐]$/.test(word.text))) this.words.add(text);
    });
  }

  /** True when the hyphen between the two halves belongs to the word. */
  keepsHyphen(before: string, after: string): boolean {
    const [head, tail] = [lettersOf(before), lettersOf(after)];
    if (this.words.has(head.replace(/-$/, '') + tail)) return false;
    return this.words.has(`${head.replace(/-$/, '')}-${tail}`);
  }
}

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/‐/g, '-')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}-]+$/gu, '');

const DIVIDED = /\p{L}[-‐\u00ad]$/u;
/** Scripts written without spaces: lines join without one. */
const NO_SPACES = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u0e00-\u0e7f]/u;

/** `text` and what follows it. */
export function joinText(text: string, next: string, vocabulary: Vocabulary): string {
  if (text === '') return next;
  if (DIVIDED.test(text) && /^\p{Ll}/u.test(next)) {
    const [before = ''] = /\S+$/.exec(text) ?? [];
    const [after = ''] = /^\S+/.exec(next) ?? [];
    return (vocabulary.keepsHyphen(before, after) ? text : text.slice(0, -1)) + next;
  }
  if (
    /[\p{L}\p{N}][-‐–—/]$/u.test(text) &&
    /^[\p{L}\p{N}]/u.test(next) &&
    !/\s[-–—]$/.test(text) &&
    /[-‐/]$/.test(text)
  )
    return text + next;
  const tight = NO_SPACES.test(text.at(-1) ?? '') && NO_SPACES.test(next.charAt(0));
  return tight ? text + next : `${text} ${next}`;
}

/** A stretch of the text that came from one word, for links. */
export interface WordSpan {
  word: Word;
  start: number;
  end: number;
}

/** The running text of lines, and where each word stands in it. */
export function runningText(lines: readonly Line[], vocabulary: Vocabulary): { text: string; spans: WordSpan[] } {
  let text = '';
  const spans: WordSpan[] = [];
  for (const line of lines) {
    const own = textOf(line.words);
    const joined = joinText(text, own, vocabulary);
    let at = joined.length - own.length;
    text = joined;
    line.words.forEach((word, index) => {
      if (index > 0 && !word.glued) at++;
      spans.push({ word, start: at, end: at + word.text.length });
      at += word.text.length;
    });
  }
  return { text, spans };
}
