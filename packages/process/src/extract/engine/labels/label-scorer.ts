/** Scores how well the words of a label name a field, 0..1. */
import type { LabelSimilarity } from '../../extraction.ts';
import type { Field } from '../fields/fields.ts';
import type { Label } from './labels.ts';
import type { PhraseBook } from './phrase-book.ts';
import { isNoName } from '../parties/no-names.ts';
import { CONCEPTS, type ValueKind } from '../lexicon/concepts.ts';
import { GENERIC_WORDS } from '../lexicon/lexicon.ts';

/** Maximum score of a label that only shares words with the field. */
const SHARED_WORDS = 0.72;

/** Minimum weight of a phrase that is a label for sure, and the kinds of numbers and dates. */
const NAMED = 0.9;
const OF_NUMBERS: ReadonlySet<ValueKind> = new Set<ValueKind>(['id', 'vat', 'date', 'iban']);

export class LabelScorer {
  readonly #phrases: PhraseBook;
  readonly #known = new Map<string, ReadonlyMap<string, number>>();
  /** Scores by field and label. */
  readonly #similarities: ReadonlyMap<string, number>;

  constructor(phrases: PhraseBook, similarities: readonly LabelSimilarity[]) {
    this.#phrases = phrases;
    this.#similarities = new Map(
      similarities.map(({ label, field, cosine }) => [`${field} ${label}`, cosine * SHARED_WORDS]),
    );
  }

  /** Returns whether a part of the text is no name, although it is in the place of one. */
  isNoName(text: string, start: number, end: number): boolean {
    return isNoName(text, start, end, this.#phrases);
  }

  /** Returns whether the label of a party belongs to one of its numbers or dates: `Customer VAT number`. */
  namesNumber(words: readonly string[]): boolean {
    return this.#phrases.find(words).some(({ target, weight }) => {
      const kind = CONCEPTS[target]?.[0];
      return weight > NAMED && kind !== undefined && OF_NUMBERS.has(kind);
    });
  }

  score(label: Label, field: Field): number {
    const scores = this.#targets(label.words, label.distance);
    let best = 0;
    for (const [target, affinity] of field.targets) best = Math.max(best, (scores.get(target) ?? 0) * affinity);
    if (best < SHARED_WORDS) best = Math.max(best, SHARED_WORDS * this.#shared(label, field));
    if (this.#similarities.size > 0)
      best = Math.max(best, this.#similarities.get(`${field.nameTarget} ${label.words.join(' ')}`) ?? 0);
    return best * label.weight;
  }

  /** Returns the scores of the label's meanings by target. */
  #targets(words: readonly string[], distance: number): ReadonlyMap<string, number> {
    const key = `${distance} ${words.join(' ')}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const scores = new Map<string, number>();
    for (const match of this.#phrases.find(words)) {
      const inside = match.end - match.start;
      const others = words.filter(
        (word, at) => (at < match.start || at >= match.end) && !GENERIC_WORDS.has(word),
      ).length;
      const coverage = inside / (inside + Math.min(5, others));
      const after = words.slice(match.end).length;
      const near = Math.max(0.4, 1 - distance * after);
      const score = match.weight * near * (0.7 + 0.3 * Math.min(1, coverage));
      scores.set(match.target, Math.max(scores.get(match.target) ?? 0, score));
    }
    this.#known.set(key, scores);
    return scores;
  }

  #shared(label: Label, field: Field): number {
    const words = label.words.filter((word) => !GENERIC_WORDS.has(word) && word.length > 1).slice(-6);
    if (words.length === 0 || field.nameWords.size === 0) return 0;
    const inName = words.filter((word) => field.nameWords.has(word)).length;
    const inDescription = words.filter((word) => !field.nameWords.has(word) && field.descriptionWords.has(word)).length;
    if (inName + inDescription === 0) return 0;
    const precision = (inName + 0.5 * inDescription) / words.length;
    const recall = inName > 0 ? inName / field.nameWords.size : Math.min(1, inDescription / 2) * 0.6;
    return Math.sqrt(precision * recall);
  }
}
