/**
 * Finds the text to redact. Matching ignores what page layout does to words: different white space, hyphenation at line
 * ends, ligatures and case.
 */
import type { RE2JS } from 're2js';
import { isWholeWord } from '../../../replace/match-finder.ts';
import { occurrences } from '../../../replace/occurrences.ts';
import { requirePattern } from '../../../replace/pattern.ts';
import type { OperationOf } from '../../../operations.ts';

/** `[start, end)` in UTF-16 code units. */
export type TextRange = readonly [start: number, end: number];

/** Minimum length of a text that is searched without white space; shorter ones would match across words. */
const MIN_SPACELESS = 8;

interface Folded {
  text: string;
  /** For each code unit of the folded text, the start and end of its character in the original. */
  starts: number[];
  ends: number[];
}

/**
 * How a text is normalised: white space kept, collapsed or removed; hyphens at line ends kept or treated as
 * hyphenation.
 */
interface Folding {
  spaces: 'kept' | 'single' | 'none';
  hyphens: 'kept' | 'joined';
}

const LAID_OUT: readonly Folding[] = [
  { spaces: 'single', hyphens: 'joined' },
  { spaces: 'single', hyphens: 'kept' },
  { spaces: 'none', hyphens: 'joined' },
  { spaces: 'none', hyphens: 'kept' },
];
const PLAIN: Folding = { spaces: 'kept', hyphens: 'kept' };

export class RedactionFinder {
  /** The search texts in each folding. */
  readonly #texts: readonly (readonly string[])[];
  readonly #patterns: readonly RE2JS[];
  readonly #ignoreCase: boolean;
  readonly #wholeWord: boolean;

  constructor({ texts, patterns, ignoreCase, wholeWord }: Omit<OperationOf<'redact'>, 'type' | 'boxes'>) {
    this.#ignoreCase = ignoreCase;
    this.#wholeWord = wholeWord;
    this.#texts = LAID_OUT.map((folding) => texts.map((text) => fold(text, folding, ignoreCase).text.trim()));
    this.#patterns = patterns.map((pattern) => requirePattern(pattern, ignoreCase));
  }

  get isEmpty(): boolean {
    return (this.#texts[0] ?? []).length === 0 && this.#patterns.length === 0;
  }

  /** Returns the matching ranges in order; overlapping ranges are merged. */
  find(text: string): TextRange[] {
    if (text === '' || this.isEmpty) return [];
    const ranges: TextRange[] = [];
    for (const [index, folding] of LAID_OUT.entries()) this.#literals(text, folding, this.#texts[index] ?? [], ranges);
    if (this.#patterns.length === 0) return joined(ranges);
    for (const folding of [PLAIN, ...LAID_OUT.slice(0, 2)]) {
      const folded = fold(text, folding, false);
      for (const pattern of this.#patterns) {
        const matcher = pattern.matcher(folded.text);
        while (matcher.find()) addRange(folded, matcher.start(), matcher.end(), ranges);
      }
    }
    return joined(ranges);
  }

  /** Returns the text without the matches; undefined when nothing matched. */
  without(text: string): string | undefined {
    const ranges = this.find(text);
    if (ranges.length === 0) return undefined;
    let rest = '';
    let position = 0;
    for (const [start, end] of ranges) {
      rest += text.slice(position, start);
      position = end;
    }
    return rest + text.slice(position);
  }

  #literals(text: string, folding: Folding, texts: readonly string[], ranges: TextRange[]): void {
    const spaceless = folding.spaces === 'none';
    if (spaceless && this.#wholeWord) return;
    const wanted = texts.filter((each) => each.length >= (spaceless ? MIN_SPACELESS : 1));
    if (wanted.length === 0) return;
    const folded = fold(text, folding, this.#ignoreCase);
    for (const searchText of wanted) {
      for (const at of occurrences(folded.text, searchText, true)) {
        const end = at + searchText.length;
        if (!this.#wholeWord || isWholeWord(folded.text, at, end)) addRange(folded, at, end, ranges);
      }
    }
  }
}

function addRange({ starts, ends }: Folded, from: number, to: number, ranges: TextRange[]): void {
  const start = starts[from];
  const end = ends[to - 1];
  if (to > from && start !== undefined && end !== undefined) ranges.push([start, end]);
}

function joined(ranges: TextRange[]): TextRange[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** PDFium represents a hyphen with the line break after it as U+0002. */
const DIVISION = '\u0002';
const SOFT_HYPHEN = '\u00ad';
const HYPHENS = new Set(['-', SOFT_HYPHEN, '\u2010', DIVISION]);
const SPACE = /\s/;

/** Folds the text. Ligatures and compatibility forms become their letters in every folding. */
function fold(text: string, { spaces, hyphens }: Folding, lower: boolean): Folded {
  const folded: Folded = { text: '', starts: [], ends: [] };
  const parts: string[] = [];
  const add = (piece: string, start: number, end: number): void => {
    parts.push(piece);
    for (let unit = 0; unit < piece.length; unit += 1) {
      folded.starts.push(start);
      folded.ends.push(end);
    }
  };
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const gap = spaces === 'kept' ? undefined : gapAt(text, at, character);
    const end = gap?.end ?? at + character.length;
    if (gap === undefined) {
      const letters = character === DIVISION ? '-' : character < '\u0080' ? character : character.normalize('NFKC');
      add(lower ? letters.toLowerCase() : letters, at, end);
    } else if (gap.divided) {
      if (hyphens === 'kept' && character !== SOFT_HYPHEN) add('-', at, end);
    } else if (spaces === 'single') add(' ', at, end);
    at = end;
  }
  folded.text = parts.join('');
  return folded;
}

/**
 * Recognises white space from this position, or a hyphen with the line end after it (`divided`). Soft hyphens always
 * count as hyphenation.
 */
function gapAt(text: string, at: number, character: string): { end: number; divided: boolean } | undefined {
  const hyphen = HYPHENS.has(character);
  if (!hyphen && !SPACE.test(character)) return undefined;
  let end = at + 1;
  let breaks = character === DIVISION || character === SOFT_HYPHEN;
  for (; end < text.length && SPACE.test(text[end] ?? ''); end += 1)
    breaks ||= text[end] === '\n' || text[end] === '\r';
  if (!hyphen) return { end, divided: false };
  return breaks ? { end, divided: true } : undefined;
}
