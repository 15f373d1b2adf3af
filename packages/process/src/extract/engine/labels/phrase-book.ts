/** Finds known phrases in labels and field names. A longer phrase hides the shorter ones inside it. */
import { foldAccents, normaliseWord } from '@quire/text/language/fold';
import { LANGUAGES } from '../lexicon/languages.ts';
import { LABEL_PHRASES } from '../lexicon/lexicon.ts';
import { phrasesIn } from '../lexicon/phrase-lists.ts';
import { SIMILAR_WORD_WEIGHT } from '../lexicon/weights.ts';

export interface PhraseMatch {
  /** A concept of the lexicon, or the target passed to `add`. */
  target: string;
  /** Indexes of the first word and after the last word. */
  start: number;
  end: number;
  /** 1 for an exact match, less for weak phrases and for similar words. */
  weight: number;
}

interface Phrase {
  words: readonly string[];
  /** Whether other words may separate the first word from the rest. */
  gap: boolean;
  target: string;
  weight: number;
}

const MAX_GAP = 3;
const MIN_COMPOUND_PART = 3;
/** Minimum length of words that are compared with tolerance; in shorter words a wrong letter makes another word. */
const FUZZY_LENGTH = 5;

/** Returns the folded words of a property name in camelCase or snake_case. */
export function wordsOfName(name: string): string[] {
  const spaced = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu}(?:\p{Ll}|\p{Lu}))/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return wordsOf(spaced);
}

/**
 * Returns the folded words of a text, without case, accents and punctuation. `TotalAmount` is two words, `MwSt` one.
 */
export function wordsOf(text: string): string[] {
  const spaced = text.replace(/(\p{Ll})(\p{Lu}\p{Ll}{3})/gu, '$1 $2').replace(/(?<!\p{L})[nN]\s?[°º]/gu, 'n ');
  return (spaced.match(/[\p{L}\p{M}]+|\p{N}+|[#%]/gu) ?? []).map((word) => foldAccents(normaliseWord(word)));
}

export class PhraseBook {
  readonly #byFirst = new Map<string, Phrase[]>();
  readonly #lengths = new Map<number, string[]>();

  readonly #near = new Map<string, readonly string[]>();
  #targets = 0;

  constructor() {
    for (const { phrase, concept, weight } of LABEL_PHRASES) this.add(phrase, concept, weight);
  }

  /** Returns a new target for phrases outside the lexicon. */
  newTarget(): string {
    this.#targets += 1;
    return `field ${this.#targets}`;
  }

  add(phrase: string, target: string, weight: number): void {
    const [before = '', after] = phrase.split('…');
    const words = [...wordsOf(before), ...wordsOf(after ?? '')];
    const [first] = words;
    if (first === undefined) return;
    const entry: Phrase = { words, gap: after !== undefined, target, weight };
    const known = this.#byFirst.get(first);
    if (known === undefined) {
      this.#near.clear();
      this.#byFirst.set(first, [entry]);
      const same = this.#lengths.get(first.length) ?? [];
      this.#lengths.set(first.length, [...same, first]);
    } else known.push(entry);
  }

  /** Returns the matches that no longer match covers. */
  find(words: readonly string[]): PhraseMatch[] {
    const all = words.flatMap((word, start) => this.#at(words, word, start));
    return all.filter(
      (match) =>
        !all.some(
          (other) =>
            other.end - other.start > match.end - match.start && other.start <= match.start && other.end >= match.end,
        ),
    );
  }

  #at(words: readonly string[], word: string, start: number): PhraseMatch[] {
    const found: PhraseMatch[] = [];
    const exact = this.#byFirst.get(word) ?? this.#byFirst.get(compoundHead(word) ?? '') ?? [];
    for (const phrase of exact) found.push(...matchPhrase(phrase, words, start, 1));
    found.push(...this.#compound(word, words[start + 1] ?? '', start));
    if (exact.length > 0 || word.length < FUZZY_LENGTH - 1) return found;
    for (const near of this.#similarWords(word))
      for (const phrase of this.#byFirst.get(near) ?? [])
        found.push(...matchPhrase(phrase, words, start, SIMILAR_WORD_WEIGHT));
    return found;
  }

  /** Returns the phrases that are a compound spelled as two words, such as `Bestell-Datum`. */
  #compound(first: string, second: string, start: number): PhraseMatch[] {
    if (first.length < MIN_COMPOUND_PART || second.length < MIN_COMPOUND_PART) return [];
    const same = (this.#byFirst.get(first + second) ?? []).filter(({ words }) => words.length === 1);
    return same.map(({ target, weight }) => ({ target, start, end: start + 2, weight }));
  }

  /** Returns the first words of phrases that a misread word may be. */
  #similarWords(word: string): readonly string[] {
    const known = this.#near.get(word);
    if (known !== undefined) return known;
    const lengths = [word.length - 1, word.length, word.length + 1];
    const near = lengths.flatMap((length) => (this.#lengths.get(length) ?? []).filter((one) => areSimilar(one, word)));
    this.#near.set(word, near);
    return near;
  }
}

const COMPOUND_HEADS = LANGUAGES.flatMap(({ compoundHeads }) => phrasesIn(compoundHeads));

/** Returns the last part of a compound that means the same as a label. */
const compoundHead = (word: string): string | undefined =>
  COMPOUND_HEADS.find((head) => word.length > head.length && word.endsWith(head));

function matchPhrase(phrase: Phrase, words: readonly string[], start: number, factor: number): PhraseMatch[] {
  let at = start + 1;
  let weight = phrase.weight * factor;
  for (const [index, expected] of phrase.words.entries()) {
    if (index === 0) continue;
    const reach = phrase.gap && index === 1 ? MAX_GAP : 0;
    const window = words.slice(at, at + reach + 1);
    const hit = window.findIndex((word) => word === expected);
    if (hit >= 0) at += hit + 1;
    else if (reach === 0 && window[0] !== undefined && areSimilar(expected, window[0])) {
      weight *= SIMILAR_WORD_WEIGHT;
      at += 1;
    } else return [];
  }
  return [{ target: phrase.target, start, end: at, weight }];
}

/**
 * Returns whether the words differ by one replaced, missing or added letter after the first, and are long enough to
 * stay distinct.
 */
function areSimilar(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < FUZZY_LENGTH - 1 || Math.max(a.length, b.length) < FUZZY_LENGTH) return false;
  // A different first letter makes another word: `height`, `weight`.
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}
