/**
 * Misspelt words, as `lance-spelling.ts` treats them: a word that no row has is asked for with one letter more, less, changed or
 * swapped, from its second letter on. All terms are at hand here, sorted into classes by first character and length.
 */
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
  numbersOf(terms: readonly string[]): number[] {
    const found: number[] = [];
    let unknown = 0;
    for (const term of terms) {
      const number = this.#vocabulary.find(term);
      if (number !== undefined) found.push(number);
      else if (MISSPELT_WORD.test(term) && ++unknown <= MAX_LOOKED_UP) found.push(...this.#neighbours(term));
    }
    return found;
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
