/**
 * The analyser: text → terms, for the index, for queries, for stored sparse vectors and for highlighting alike.
 * Words are cut by pattern, normalised, stemmed by language and folded; stop words are left out. Han, kana and Hangul give
 * overlapping pairs and single characters; Thai, Lao, Khmer and Burmese are cut by dictionary. Codes are found whole and in
 * parts. No term holds white space.
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

/** Terms of a passage in the order of the text, repeated as often as they occur: what the index holds. */
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

/** Two languages at a time: more would be as many megabytes, and documents of one come together. */
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

/** As `analyse`, with the place of each term. */
export function analyseSpans(text: string, language: string | null): TermSpan[] {
  const spans: TermSpan[] = [];
  for (const token of tokenise(text)) {
    for (const { start, end, term } of spansOf(token, language)) {
      spans.push({ start: token.start + start, end: token.start + end, term });
    }
  }
  return spans;
}

/** The initial of these languages' words may be a prefix or a mutation that the stemmer takes off. */
const CHANGED_INITIALS: ReadonlySet<string> = new Set(['ga', 'id', 'ms']);

/** The stemmer leaves a word's first letters as they are (see `Beginnings`). Others were not looked at. */
const KEEPS_LETTERS: ReadonlySet<string | null> = new Set([null, 'en']);

/**
 * The spans of `analyseSpans` whose term is wanted. Plain words that begin otherwise than all of those are not looked at:
 * that spares most of a passage.
 */
export function spansOfTerms(text: string, language: string | null, wanted: ReadonlySet<string>): TermSpan[] {
  const maySkip = language === null || !CHANGED_INITIALS.has(language);
  const beginnings = maySkip ? new Beginnings(wanted, KEEPS_LETTERS.has(language)) : undefined;
  const spans: TermSpan[] = [];
  for (const token of tokenise(text, beginnings)) {
    for (const { start, end, term } of spansOf(token, language)) {
      if (wanted.has(term)) spans.push({ start: token.start + start, end: token.start + end, term });
    }
  }
  return spans;
}

/**
 * Terms of a passage under its headings: what is indexed of a chunk. Headings count twice, for they say what the passage
 * is about (nDCG@10 with a title twice instead of once: CACM .454 → .465, JSQuAD .933 → .938, Cranfield .383 → .384).
 */
function analysePassage(headings: readonly string[], text: string, language: string | null): string[] {
  const title = headings.flatMap((heading) => analyse(heading, language));
  return [...title, ...title, ...analyse(text, language)];
}

/** Terms from the beginning of a text that are put in the place of a missing heading. */
const LEAD_TERMS = 32;

/**
 * Terms of the passages of one document, in order. A later passage that stands under no heading gets the first terms of
 * the document, which say whom or what it is about (nDCG@10: CMRC .981 → .986; with 16 .985, with 64 .987, but within long
 * documents 48 and more hide which passage it is: .846 → .834).
 */
export function analysePassages(
  passages: readonly { headings: readonly string[]; text: string }[],
  language: string | null,
): string[][] {
  const terms = passages.map(({ headings, text }) => analysePassage(headings, text, language));
  const lead = terms[0]?.slice(0, LEAD_TERMS) ?? [];
  return terms.map((own, index) => (index > 0 && passages[index]?.headings.length === 0 ? [...own, ...lead] : own));
}

/**
 * The terms that a query's token stands for, with their places in it: pairs alone, where there are any, for they say more
 * than their characters.
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

/** No more than the scripts have characters. */
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

/** `Intl.Segmenter` falls from a million words a second to some thousand on long input. */
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

/** Few words make most of any text: with their terms kept, a passage costs a look-up a word. */
const CACHE_SIZE = 50_000;
const CACHED_LENGTH = 40;
/** By language, then by word. */
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
