/** Finds known phrases in labels and field names. A longer phrase hides the shorter ones inside it. */
import { foldAccents, normaliseWord } from '@quire/text/language/fold';
import { CONCEPTS } from '../lexicon/vocabulary.ts';

export interface PhraseMatch {
  /** A concept of the vocabulary, or what `add` was given. */
  target: string;
  /** Places of its first and behind its last word. */
  start: number;
  end: number;
  /** 1, less for weak phrases and for words that are only nearly the same. */
  weight: number;
}

interface Phrase {
  words: readonly string[];
  /** Other words may stand between the first and the rest. */
  gap: boolean;
  target: string;
  weight: number;
}

const WEAK = 0.72;
const LESS_EXACT = 0.93;
const MAX_GAP = 3;
const NEARLY = 0.85;
/** Below this length a wrong letter makes another word. */
const FUZZY_LENGTH = 5;

/** Folded words of a property's name: camelCase and snake_case do not count. */
export function wordsOfName(name: string): string[] {
  const spaced = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu}(?:\p{Ll}|\p{Lu}))/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return wordsOf(spaced);
}

/** Folded words of a text: case, accents and punctuation do not count. `TotalAmount` is two words, `MwSt` one. */
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
    for (const [target, { phrases }] of Object.entries(CONCEPTS))
      for (const phrase of phrases.split('|')) {
        const weight = phrase.startsWith('~') ? WEAK : phrase.startsWith('-') ? LESS_EXACT : 1;
        this.add(phrase.replace(/^[~-]/, ''), target, weight);
      }
  }

  /** A fresh name for a target that is not of the vocabulary. */
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

  /** The matches that no longer match covers. */
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
    const exact = this.#byFirst.get(word) ?? [];
    for (const phrase of exact) found.push(...matchPhrase(phrase, words, start, 1));
    if (exact.length > 0 || word.length < FUZZY_LENGTH - 1) return found;
    for (const near of this.#nearlySame(word))
      for (const phrase of this.#byFirst.get(near) ?? []) found.push(...matchPhrase(phrase, words, start, NEARLY));
    return found;
  }

  /** First words of phrases that a misread word may be. */
  #nearlySame(word: string): readonly string[] {
    const known = this.#near.get(word);
    if (known !== undefined) return known;
    const lengths = [word.length - 1, word.length, word.length + 1];
    const near = lengths.flatMap((length) => (this.#lengths.get(length) ?? []).filter((one) => nearlySame(one, word)));
    this.#near.set(word, near);
    return near;
  }
}

function matchPhrase(phrase: Phrase, words: readonly string[], start: number, factor: number): PhraseMatch[] {
  let at = start + 1;
  let weight = phrase.weight * factor;
  for (const [index, expected] of phrase.words.entries()) {
    if (index === 0) continue;
    const reach = phrase.gap && index === 1 ? MAX_GAP : 0;
    const window = words.slice(at, at + reach + 1);
    const hit = window.findIndex((word) => word === expected);
    if (hit >= 0) at += hit + 1;
    else if (reach === 0 && window[0] !== undefined && nearlySame(expected, window[0])) {
      weight *= NEARLY;
      at += 1;
    } else return [];
  }
  return [{ target: phrase.target, start, end: at, weight }];
}

/** One letter replaced, left out or added behind the first, in words long enough to stay themselves. */
function nearlySame(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < FUZZY_LENGTH - 1 || Math.max(a.length, b.length) < FUZZY_LENGTH) return false;
  // Another first letter makes another word: `height`, `weight`.
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}
