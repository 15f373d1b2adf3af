/**
 * Words that no row has, as `lance-spelling.ts` treats them: asked for as other languages have them, or else with one letter
 * more, less, changed or swapped, from the second letter on. All terms are at hand here, sorted into classes by first
 * character and length.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import { MAX_EXPANSIONS, MAX_LOOKED_UP, MISSPELT_WORD } from '../misspelt.ts';
import type { Vocabulary } from './vocabulary.ts';

export class Spelling {
  readonly #vocabulary: Vocabulary;
  readonly #rowsWith: (term: number) => number;
  /** Numbers of the terms that begin with a character, by length in characters. */
  readonly #classes = new Map<string, number[]>();
  #classified = 0;

  /** @param rowsWith how many rows have a term. */
  constructor(vocabulary: Vocabulary, rowsWith: (term: number) => number) {
    this.#vocabulary = vocabulary;
    this.#rowsWith = rowsWith;
  }

  /** Numbers of the terms to search for. */
  numbersOf(query: readonly QueryTerm[]): number[] {
    const found: number[] = [];
    let unknown = 0;
    for (const asked of query) {
      const terms = typeof asked === 'string' ? [asked] : asked.terms;
      let known = this.#known(terms);
      if (known.length === 0 && typeof asked !== 'string') known = this.#known(asked.otherwise);
      if (known.length === 0 && terms.some((term) => MISSPELT_WORD.test(term)) && ++unknown <= MAX_LOOKED_UP)
        known = terms.filter((term) => MISSPELT_WORD.test(term)).flatMap((term) => this.#neighbours(term));
      found.push(...known);
    }
    return found;
  }

  #known(terms: readonly string[]): number[] {
    return terms.flatMap((term) => this.#vocabulary.find(term) ?? []);
  }

  /** The most frequent terms that the word may be meant to be. */
  #neighbours(word: string): number[] {
    this.#classify();
    const letters = Array.from(word);
    const near: number[] = [];
    for (const length of [letters.length - 1, letters.length, letters.length + 1]) {
      for (const number of this.#classes.get(`${letters[0] ?? ''}${length}`) ?? []) {
        if (isNeighbour(letters, Array.from(this.#vocabulary.term(number)))) near.push(number);
      }
    }
    return near.toSorted((a, b) => this.#rowsWith(b) - this.#rowsWith(a)).slice(0, MAX_EXPANSIONS);
  }

  /** Sorts in the terms that came since the last time. */
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

/** Whether one letter more, less, changed, or two neighbours swapped makes one of the other. They differ in length by at most 1. */
function isNeighbour(a: readonly string[], b: readonly string[]): boolean {
  let head = 0;
  while (head < a.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [restA, restB] = [a.length - head - tail, b.length - head - tail];
  if (restA <= 1 && restB <= 1) return true;
  return restA === 2 && restB === 2 && a[head] === b[head + 1] && a[head + 1] === b[head];
}
