/** Joins lines to running text and undoes hyphenation at line ends. */
import { textOf, type Line } from './line.ts';
import type { LineSpan } from './line-map.ts';
import type { Word } from '../page/page-content.ts';

/** Unhyphenated words of the document, which distinguish line-end hyphenation from hyphenated words. */
export class Vocabulary {
  private readonly words = new Set<string>();

  add(line: Line): void {
    line.words.forEach((word, index) => {
      const last = index === line.words.length - 1;
      const text = lettersOf(word.text);
      if (text.length > 2 && !(last && /[-‐]$/.test(word.text))) this.words.add(text);
    });
  }

  /** Checks whether the hyphen between two parts belongs to the word. */
  keepsHyphen(before: string, after: string): boolean {
    const [head, tail] = [lettersOf(before), lettersOf(after)];
    if (this.words.has(head.replace(/-$/, '') + tail)) return false;
    return this.words.has(`${head.replace(/-$/, '')}-${tail}`);
  }

  /** Checks whether the document contains the two parts as one word. */
  isWhole(before: string, after: string): boolean {
    return this.words.has(lettersOf(before).replace(/-$/, '') + lettersOf(after));
  }
}

function lettersOf(text: string): string {
  const lower = text.toLowerCase();
  if (/^[a-z]+$/.test(lower)) return lower;
  return lower.replace(/‐/g, '-').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}-]+$/gu, '');
}

/** In upper-case words most hyphens belong to the word. */
const CAPITALS_DIVIDED = /\p{Lu}{2}[-‐\u00ad]$/u;
const DIVIDED = /\p{L}[-‐\u00ad]$/u;
/** Maximum length, in characters, of a word that is looked up whole. */
const MAX_WORD = 200;
/** Scripts without spaces between words; their lines join without a space. */
const NO_SPACES = /[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\u0e00-\u0e7f]/u;

/** Appends `next` to `text`. */
export function joinText(text: string, next: string, vocabulary: Vocabulary): string {
  if (text === '') return next;
  // Only the end is tested: a pattern anchored at the end would scan the whole paragraph for each line.
  const end = text.slice(-4);
  if (DIVIDED.test(end) && /^\p{Ll}/u.test(next)) {
    const [before = ''] = /\S+$/.exec(text.slice(-MAX_WORD)) ?? [];
    const [after = ''] = /^\S+/.exec(next) ?? [];
    return (vocabulary.keepsHyphen(before, after) ? text : text.slice(0, -1)) + next;
  }
  if (CAPITALS_DIVIDED.test(end) && /^\p{Lu}{2}/u.test(next)) {
    const [before = ''] = /\S+$/.exec(text.slice(-MAX_WORD)) ?? [];
    const [after = ''] = /^\S+/.exec(next) ?? [];
    if (vocabulary.isWhole(before, after)) return text.slice(0, -1) + next;
  }
  if (/[\p{L}\p{N}][-‐/]$/u.test(end) && /^[\p{L}\p{N}]/u.test(next)) return text + next;
  const tight = NO_SPACES.test(text.at(-1) ?? '') && NO_SPACES.test(next.charAt(0));
  return tight ? text + next : `${text} ${next}`;
}

/** The range of the text that one word occupies. */
export interface WordSpan {
  word: Word;
  start: number;
  end: number;
}

/** Lists that receive the ranges of words and lines in a running text. */
export interface TextSpans {
  words?: WordSpan[] | undefined;
  lines?: LineSpan[] | undefined;
}

/** Returns the running text of lines and fills the given lists of `spans`. */
export function runningText(lines: readonly Line[], vocabulary: Vocabulary, spans: TextSpans = {}): string {
  let text = '';
  for (const line of lines) {
    const own = textOf(line.words);
    text = joinText(text, own, vocabulary);
    const start = text.length - own.length;
    if (spans.words !== undefined) addSpans(spans.words, line, start);
    if (spans.lines !== undefined) addLine(spans.lines, { line, start, end: text.length });
  }
  return text;
}

/** Adds the span of a line; the previous line may have lost its hyphen. */
function addLine(spans: LineSpan[], span: LineSpan): void {
  const last = spans.at(-1);
  if (last !== undefined) last.end = Math.min(last.end, span.start);
  spans.push(span);
}

function addSpans(spans: WordSpan[], line: Line, start: number): void {
  let at = start;
  line.words.forEach((word, index) => {
    if (index > 0 && !word.glued) at++;
    spans.push({ word, start: at, end: at + word.text.length });
    at += word.text.length;
  });
}
