/**
 * The analyser converts text to terms, for the index, queries, stored sparse vectors and highlighting. Words are cut by
 * pattern, normalised, stemmed by language and folded; stop words are dropped. Han, kana and Hangul give overlapping
 * pairs and single characters; Thai, Lao, Khmer and Burmese are cut by dictionary. Codes are found whole and in parts.
 * No term contains white space.
 */
import { WordTable } from '@quire/shared/word-table';
import { Beginnings } from './beginnings.ts';
import { expandWord, type WordPart } from './expand-word.ts';
import { foldAccents, normaliseWord } from './fold.ts';
import { stem } from './stem.ts';
import { isStopWord } from './stop-words.ts';
import { tokenise, visitTokens, type Token } from './tokenise.ts';

export interface TermSpan {
  /** `[start, end)` in UTF-16 units of the text. */
  start: number;
  end: number;
  term: string;
}

/** Returns the terms of a chunk in text order, repeated as often as they occur, as the index stores them. */
export function analyse(text: string, language: string | null): string[] {
  const terms: string[] = [];
  const known = plainTermsOf(language);
  visitTokens(text, {
    plainWord: (units, start, end) => {
      let own = known.get(units, start, end);
      if (own === undefined) {
        own = wordTerms(text.slice(start, end), language).map(({ term }) => term);
        known.set(units, start, end, own);
      }
      for (const term of own) terms.push(term);
    },
    other: (token) => {
      for (const { term } of spansOf(token, language)) terms.push(term);
    },
  });
  return terms;
}

/**
 * Maximum number of languages with a table; each takes about a megabyte, and documents of one language come in groups.
 */
const PLAIN_LANGUAGES = 2;
const plainTerms = new Map<string | null, WordTable<readonly string[]>>();

function plainTermsOf(language: string | null): WordTable<readonly string[]> {
  const known = plainTerms.get(language);
  if (known !== undefined) return known;
  if (plainTerms.size >= PLAIN_LANGUAGES) plainTerms.clear();
  const table = new WordTable<readonly string[]>();
  plainTerms.set(language, table);
  return table;
}

/** Returns the terms of `analyse` with their places. */
export function analyseSpans(text: string, language: string | null): TermSpan[] {
  const spans: TermSpan[] = [];
  for (const token of tokenise(text)) {
    for (const { start, end, term } of spansOf(token, language)) {
      spans.push({ start: token.start + start, end: token.start + end, term });
    }
  }
  return spans;
}

/** Languages in which the stemmer may remove the first letter of a word (a prefix or mutation). */
const CHANGED_INITIALS: ReadonlySet<string> = new Set(['ga', 'id', 'ms']);

/** Languages whose stemmer keeps the first letters of a word (see `Beginnings`). Other languages were not checked. */
const KEEPS_LETTERS: ReadonlySet<string | null> = new Set([null, 'en']);

/**
 * Finds given terms in texts of one language. Skips plain words whose first letters match none of the terms, which are
 * most of a chunk.
 */
export class TermFinder {
  readonly #wanted: ReadonlySet<string>;
  readonly #language: string | null;
  readonly #beginnings: Beginnings | undefined;

  constructor(wanted: ReadonlySet<string>, language: string | null) {
    this.#wanted = wanted;
    this.#language = language;
    const maySkip = language === null || !CHANGED_INITIALS.has(language);
    this.#beginnings = maySkip ? new Beginnings(wanted, KEEPS_LETTERS.has(language)) : undefined;
  }

  /** Returns the spans of `analyseSpans` that have one of the terms. */
  spansIn(text: string): TermSpan[] {
    const spans: TermSpan[] = [];
    const add = (at: number, found: readonly TermSpan[]): void => {
      for (const { start, end, term } of found)
        if (this.#wanted.has(term)) spans.push({ start: at + start, end: at + end, term });
    };
    visitTokens(text, {
      plainWord: (units, start, end) => {
        if (this.#beginnings?.has(units, start, end) === false) return;
        add(start, wordTerms(text.slice(start, end), this.#language));
      },
      other: (token) => add(token.start, spansOf(token, this.#language)),
    });
    return spans;
  }
}

/**
 * Returns the terms that are indexed for a chunk. Headings count twice, as they name the topic (nDCG@10 with the title
 * twice instead of once: CACM .454 → .465, JSQuAD .933 → .938, Cranfield .383 → .384).
 */
function analyseChunk(headings: readonly string[], text: string, language: string | null): string[] {
  const title = headings.flatMap((heading) => analyse(heading, language));
  return [...title, ...title, ...analyse(text, language)];
}

/** Number of terms from the start of a document that replace a missing heading. */
const LEAD_TERMS = 32;

/** The file name and the title of a document; queries name documents by either. */
export interface DocumentNames {
  name: string;
  title: string | null;
}

/** Three letters: other names ("0017", "a1b2") number a file and do not name it. */
const NAMING = /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;

/** Returns the distinct terms of a document's title and of its file name without the extension. */
export function nameTerms({ name, title }: DocumentNames, language: string | null): string[] {
  const stem = name.replace(/\.\p{L}[\p{L}\p{Nd}]{0,8}$/u, '');
  return [
    ...new Set([stem, title ?? ''].filter((each) => NAMING.test(each)).flatMap((each) => analyse(each, language))),
  ];
}

/**
 * Returns the terms of each chunk of one document, in order. A later chunk without headings gets the first terms of the
 * document, which name its topic (nDCG@10: CMRC .981 → .986; with 16 .985, with 64 .987; within long documents, 48 and
 * more make chunks less distinguishable: .846 → .834). The terms of the document's names that the headings lack count
 * once in every chunk.
 */
export function analyseChunks(
  chunks: readonly { headings: readonly string[]; text: string }[],
  language: string | null,
  names: DocumentNames = { name: '', title: null },
): string[][] {
  const named = nameTerms(names, language);
  const terms = chunks.map(({ headings, text }) => analyseChunk(headings, text, language));
  const lead = terms[0]?.slice(0, LEAD_TERMS) ?? [];
  return terms.map((own, index) => {
    const headings = chunks[index]?.headings ?? [];
    const inHeadings = new Set(headings.flatMap((heading) => analyse(heading, language)));
    const whole = index > 0 && headings.length === 0 ? [...own, ...lead] : own;
    return named.length === 0 ? whole : [...whole, ...named.filter((term) => !inHeadings.has(term))];
  });
}

/**
 * Returns the terms of a query's token with their places. If there are pairs of characters, returns only them, as they
 * are more specific than single characters.
 */
export function querySpansOf(token: Token, language: string | null): readonly TermSpan[] {
  const spans = token.kind === 'bigrams' ? pairs(characters(token.text)) : [];
  return spans.length > 0 ? spans : spansOf(token, language);
}

function spansOf(token: Token, language: string | null): readonly TermSpan[] {
  if (token.kind === 'bigrams') {
    const single = characters(token.text);
    return [...single, ...pairs(single)];
  }
  if (token.kind === 'dictionary') return dictionaryWords(token.text, language);
  return wordTerms(token.text, language);
}

function characters(run: string): TermSpan[] {
  const spans: TermSpan[] = [];
  for (let start = 0, end = 0; start < run.length; start = end) {
    end = characterEnd(run, start);
    spans.push({ start, end, term: characterTerm(run.slice(start, end)) });
  }
  return spans;
}

/** Sound marks belong to the kana before them. */
const SOUND_MARKS: ReadonlySet<number> = new Set([0x3099, 0x309a, 0xff9e, 0xff9f]);

function characterEnd(run: string, start: number): number {
  const end = start + ((run.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
  return SOUND_MARKS.has(run.charCodeAt(end)) ? end + 1 : end;
}

/** Bounded by the number of characters in the scripts. */
const characterTerms = new Map<string, string>();

function characterTerm(character: string): string {
  const known = characterTerms.get(character);
  if (known !== undefined) return known;
  const term = normaliseWord(character);
  characterTerms.set(character, term);
  return term;
}

function pairs(single: readonly TermSpan[]): TermSpan[] {
  const spans: TermSpan[] = [];
  let previous: TermSpan | undefined;
  for (const current of single) {
    if (previous !== undefined) {
      spans.push({ start: previous.start, end: current.end, term: previous.term + current.term });
    }
    previous = current;
  }
  return spans;
}

/** Maximum length of a piece: `Intl.Segmenter` drops from a million words a second to some thousands on long input. */
const DICTIONARY_PIECE = 300;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

function dictionaryWords(run: string, language: string | null): TermSpan[] {
  const spans: TermSpan[] = [];
  for (let offset = 0; offset < run.length; offset += DICTIONARY_PIECE) {
    for (const { segment, index, isWordLike } of segmenter.segment(run.slice(offset, offset + DICTIONARY_PIECE))) {
      const term = normaliseWord(segment);
      if (isWordLike !== true || term === '' || isStopWord(term, language)) continue;
      spans.push({ start: offset + index, end: offset + index + segment.length, term });
    }
  }
  return spans;
}

/** Number of words whose terms are cached; few distinct words make up most of any text. */
const CACHE_SIZE = 50_000;
const CACHED_LENGTH = 40;
/** Keyed by language, then by word. */
const cache = new Map<string | null, Map<string, readonly TermSpan[]>>();
let cached = 0;

function wordTerms(raw: string, language: string | null): readonly TermSpan[] {
  if (raw.length > CACHED_LENGTH) return expandWord(raw).flatMap((part) => termOf(part, language));
  const known = cache.get(language)?.get(raw);
  if (known !== undefined) return known;
  if (cached >= CACHE_SIZE) {
    cache.clear();
    cached = 0;
  }
  const spans = expandWord(raw).flatMap((part) => termOf(part, language));
  cache.set(language, (cache.get(language) ?? new Map<string, readonly TermSpan[]>()).set(raw, spans));
  cached += 1;
  return spans;
}

function termOf({ start, end, word, exact, capitals }: WordPart, language: string | null): TermSpan[] {
  if (capitals !== true && isStopWord(word, language)) return [];
  return [{ start, end, term: foldAccents(exact ? word : stem(word, language)) }];
}
