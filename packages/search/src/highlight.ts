/** Locates the words of a chunk that match a query and picks the snippet that contains most of them. */
import { TermFinder, type TermSpan } from '@quire/text/language/analyse';

/** The range `[start, end)` in the text, in UTF-16 code units. */
export type Highlight = [start: number, end: number];

export interface Snippet {
  /** The range `[start, end)` of the text, at word boundaries. The snippet is verbatim, without ellipses. */
  start: number;
  end: number;
  text: string;
}

const SNIPPET_LENGTH = 240;
/** Maximum number of characters by which an edge of a snippet moves to reach a better boundary. */
const SLACK = 40;

/** Finds the words of texts that match the terms of one query (see `analyseQuery`), inflected forms included. */
export class QueryMatcher {
  readonly #terms: ReadonlySet<string>;
  readonly #finders = new Map<string | null, TermFinder>();

  constructor(terms: Iterable<string>) {
    this.#terms = new Set(terms);
  }

  /** Returns the matching words in text order. `language` is the document's. */
  matchesIn(text: string, language: string | null): TermSpan[] {
    return this.#finderFor(language)
      .spansIn(text)
      .toSorted((a, b) => a.start - b.start || a.end - b.end);
  }

  #finderFor(language: string | null): TermFinder {
    const known = this.#finders.get(language);
    if (known !== undefined) return known;
    const finder = new TermFinder(this.#terms, language);
    this.#finders.set(language, finder);
    return finder;
  }
}

/** Returns the window of about 240 characters with the most query terms, centred on them as far as the text allows. */
export function snippetOf(text: string, found: readonly TermSpan[], length: number = SNIPPET_LENGTH): Snippet {
  const [from, to] = bestWindow(found, length);
  const spare = Math.max(0, length - (to - from));
  const start = boundaryBefore(text, Math.max(0, Math.min(from - Math.floor(spare / 2), text.length - length)));
  const end = boundaryAfter(text, Math.max(to, Math.min(text.length, start + length)));
  return { start, end, text: text.slice(start, end) };
}

/** Merges overlapping and adjacent matches, such as those of CJK bigrams. */
export function highlightsOf(spans: readonly TermSpan[]): Highlight[] {
  const merged: Highlight[] = [];
  for (const { start, end } of spans) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** Returns the first to the last match of the window with the most distinct terms; ties go to the most matches. */
function bestWindow(spans: readonly TermSpan[], length: number): Highlight {
  let best: { score: number; window: Highlight } = { score: 0, window: [0, 0] };
  const counts = new Map<string, number>();
  let first = 0;
  for (const [last, span] of spans.entries()) {
    counts.set(span.term, (counts.get(span.term) ?? 0) + 1);
    for (
      let head = spans[first];
      head !== undefined && span.end - head.start > length && first < last;
      head = spans[first]
    ) {
      first += 1;
      const rest = (counts.get(head.term) ?? 0) - 1;
      if (rest > 0) counts.set(head.term, rest);
      else counts.delete(head.term);
    }
    const score = counts.size * 100 + Math.min(99, last - first);
    if (score > best.score) best = { score, window: [spans[first]?.start ?? 0, span.end] };
  }
  return best.window;
}

const SENTENCE_END = /[.!?…。！？\n]\s*$/u;
const SPACE = /\s/u;

/** Returns the start of a sentence at or before `at`, else of a word, else `at` itself (scripts without spaces). */
function boundaryBefore(text: string, at: number): number {
  const earliest = Math.max(0, at - SLACK);
  if (earliest === 0) return 0;
  let word: number | undefined;
  for (let place = at; place > earliest; place -= 1) {
    const before = text.charAt(place - 1);
    if (!SPACE.test(before) && !SENTENCE_END.test(before)) continue;
    word ??= place;
    if (SENTENCE_END.test(text.slice(Math.max(0, place - 3), place))) return place;
  }
  return word ?? wholeCharacter(text, at);
}

function boundaryAfter(text: string, at: number): number {
  const latest = Math.min(text.length, at + SLACK);
  if (latest === text.length) return latest;
  for (let place = at; place < latest; place += 1) {
    if (SPACE.test(text.charAt(place))) return place;
  }
  return wholeCharacter(text, at);
}

/** Moves `at` off the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
