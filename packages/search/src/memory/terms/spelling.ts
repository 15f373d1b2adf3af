/**
 * Replaces query words that occur in no row: by their stems in other languages, or else by terms that differ by one
 * inserted, deleted, replaced or swapped letter after the first. All terms are in memory, grouped by first character
 * and length.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import { isOneEditAway, MAX_EXPANSIONS, MAX_LOOKED_UP, MISSPELT_WORD } from '../../misspelt.ts';
import type { Vocabulary } from './vocabulary.ts';

export class Spelling {
  readonly #vocabulary: Vocabulary;
  readonly #rowsWith: (term: number) => number;
  /** Numbers of the terms with the same first character and length. */
  readonly #classes = new Map<string, number[]>();
  #classified = 0;

  /** @param rowsWith returns the number of rows with a term. */
  constructor(vocabulary: Vocabulary, rowsWith: (term: number) => number) {
    this.#vocabulary = vocabulary;
    this.#rowsWith = rowsWith;
  }

  /** Returns the numbers of the terms to search for, those of a repeated word repeatedly. */
  numbersOf(query: readonly QueryTerm[]): number[] {
    const found: number[] = [];
    const resolved = new Map<string, number[]>();
    let unknown = 0;
    for (const entry of query) {
      const terms = typeof entry === 'string' ? [entry] : entry.terms;
      const word = [...terms, '', ...(typeof entry === 'string' ? [] : entry.otherwise)].join(' ');
      const before = resolved.get(word);
      if (before !== undefined) {
        found.push(...before);
        continue;
      }
      let known = this.#known(terms);
      if (known.length === 0 && typeof entry !== 'string') known = this.#known(entry.otherwise);
      if (known.length === 0 && terms.some((term) => MISSPELT_WORD.test(term)) && ++unknown <= MAX_LOOKED_UP)
        known = terms.filter((term) => MISSPELT_WORD.test(term)).flatMap((term) => this.#neighbours(term));
      resolved.set(word, known);
      found.push(...known);
    }
    return found;
  }

  #known(terms: readonly string[]): number[] {
    return terms.flatMap((term) => this.#vocabulary.find(term) ?? []);
  }

  /** Returns the most frequent terms within one edit of the word. */
  #neighbours(word: string): number[] {
    this.#classify();
    const letters = Array.from(word);
    const near: number[] = [];
    for (const length of [letters.length - 1, letters.length, letters.length + 1]) {
      for (const number of this.#classes.get(`${letters[0] ?? ''}${length}`) ?? []) {
        if (isOneEditAway(word, this.#vocabulary.term(number))) near.push(number);
      }
    }
    return near.toSorted((a, b) => this.#rowsWith(b) - this.#rowsWith(a)).slice(0, MAX_EXPANSIONS);
  }

  /** Groups the terms that were added since the last call. */
  #classify(): void {
    for (; this.#classified < this.#vocabulary.size; this.#classified += 1) {
      const letters = Array.from(this.#vocabulary.term(this.#classified));
      const name = `${letters[0] ?? ''}${letters.length}`;
      const numbers = this.#classes.get(name);
      if (numbers === undefined) this.#classes.set(name, [this.#classified]);
      else numbers.push(this.#classified);
    }
  }
}
