import type { Idiom } from './idioms.ts';

/** One line of prose with its position in a file, without comment markers. */
export interface ProseLine {
  readonly line: number;
  readonly text: string;
}

export interface Finding {
  readonly file: string;
  readonly line: number;
  /** The words as written, or a measure such as `131 columns`. */
  readonly words: string;
  readonly suggestion: string;
}

/** Blanks out code spans, quoted words, link targets and addresses: the rules apply to the author's own words only. */
function ownWords(text: string): string {
  return text
    .replace(/`[^`]*`/g, (span) => 'x'.repeat(span.length))
    .replace(/"[^"]*"|“[^”]*”/g, (span) => 'x'.repeat(span.length))
    .replace(/\]\([^)]*\)/g, (span) => 'x'.repeat(span.length))
    .replace(/https?:\/\/\S+/g, (span) => 'x'.repeat(span.length));
}

/** Returns the idioms in a paragraph. Lines are joined first, so that a phrase over a line end is found. */
export function findIdioms(file: string, lines: readonly ProseLine[], idioms: readonly Idiom[]): Finding[] {
  const starts: number[] = [];
  let joined = '';
  for (const { text } of lines) {
    if (joined) joined += ' ';
    starts.push(joined.length);
    joined += text.trim();
  }
  const text = ownWords(joined);
  const found: Finding[] = [];
  for (const { pattern, suggestion } of idioms) {
    for (const match of text.matchAll(pattern)) {
      const index = starts.findLastIndex((start) => start <= match.index);
      found.push({ file, line: lines[index]?.line ?? 0, words: match[0], suggestion });
    }
  }
  return found.toSorted((one, other) => one.line - other.line);
}
