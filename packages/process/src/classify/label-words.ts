/**
 * Scores labels by their words in a text, weighted by their rarity among the siblings (as in BM25). The words of a
 * label are analysed once for all texts, and the work is divided into turns: a taxonomy may have 10,000 labels, and is
 * scored for 40 parts of a document.
 */
import { analyse } from '@quire/text/language/analyse';
import type { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { meaningsOf, type Label } from './taxonomy.ts';

/** The words of a meaning, with their weights among the siblings. */
interface WeightedWords {
  weights: ReadonlyMap<string, number>;
  sum: number;
}

/** For each label, the words of each of its meanings. */
type Siblings = readonly (readonly WeightedWords[])[];

export class LabelWords {
  readonly #language: string | null;
  readonly #turns: EventLoopTurns;
  readonly #analysed = new Map<string, ReadonlySet<string>>();
  readonly #siblings = new Map<readonly Label[], Siblings>();

  constructor(language: string | null, turns: EventLoopTurns) {
    this.#language = language;
    this.#turns = turns;
  }

  /** Returns the scores of siblings for a text with these terms, in the order of the labels. */
  async scores(labels: readonly Label[], terms: ReadonlySet<string>): Promise<number[]> {
    const siblings = await this.#read(labels);
    const scores: number[] = [];
    for (const meanings of siblings) {
      scores.push(Math.max(...meanings.map((words) => score(words, terms))));
      await this.#turns.pass();
    }
    return scores;
  }

  async #read(labels: readonly Label[]): Promise<Siblings> {
    const known = this.#siblings.get(labels);
    if (known !== undefined) return known;
    const own: (readonly ReadonlySet<string>[])[] = [];
    const holders = new Map<string, number>();
    for (const label of labels) {
      const meanings: ReadonlySet<string>[] = [];
      for (const { meaning } of meaningsOf(label)) {
        meanings.push(this.#analyse(meaning));
        await this.#turns.pass();
      }
      own.push(meanings);
      for (const term of new Set(meanings.flatMap((set) => [...set]))) holders.set(term, (holders.get(term) ?? 0) + 1);
    }
    const siblings: WeightedWords[][] = [];
    for (const meanings of own) {
      siblings.push(meanings.map((meaning) => weighted(meaning, holders, labels.length)));
      await this.#turns.pass();
    }
    this.#siblings.set(labels, siblings);
    return siblings;
  }

  /** A member's text is read with its group and once more by itself. */
  #analyse(text: string): ReadonlySet<string> {
    const known = this.#analysed.get(text);
    if (known !== undefined) return known;
    const terms = new Set(analyse(text, this.#language));
    this.#analysed.set(text, terms);
    return terms;
  }
}

function weighted(terms: ReadonlySet<string>, holders: ReadonlyMap<string, number>, siblings: number): WeightedWords {
  const weights = new Map<string, number>();
  let sum = 0;
  for (const term of terms) {
    const weight = Math.log(1 + siblings / (holders.get(term) ?? 1));
    weights.set(term, weight);
    sum += weight;
  }
  return { weights, sum };
}

function score({ weights, sum }: WeightedWords, terms: ReadonlySet<string>): number {
  let found = 0;
  for (const [term, weight] of weights) if (terms.has(term)) found += weight;
  // Normalises by length, so that neither long nor short descriptions have an advantage.
  return sum === 0 ? 0 : found / Math.sqrt(sum);
}
