/**
 * Scores the sentences of a chunk by how well they answer a question. The score sums the weights of the question's
 * terms in the sentence (rare terms weigh more), smaller weights of terms that occur only in its headings, in the
 * sentence that its first word refers to, or elsewhere in its chunk, a bonus for the rank of its chunk, one for a value
 * of the expected kind, and one for a sentence built like an answer ("An abacus is …"). Its likeness to the question is
 * added by `byMeaning`.
 */
import { analyse } from './reading.ts';
import { countsAsked } from './new-values.ts';
import { holdsTerm, termsAbout, type Question } from './question.ts';
import { answersForm } from './question-form.ts';
import { quotables, type Quotable } from './quotables.ts';
import { refersBack } from './reference.ts';

export interface ChunkText {
  text: string;
  headings: readonly string[];
  /** Name and title of the document; their words count like those of headings. */
  titles: readonly string[];
}

export interface Quote extends Quotable {
  /** Position of its chunk. */
  chunk: number;
  score: number;
  /** Terms of the question that the quote contains. */
  covers: readonly string[];
  /** Terms of the question that occur only elsewhere in the quote's chunk, in its headings or the document's titles. */
  near: readonly string[];
  /** The part of `near` that occurs in the headings or the document's titles. */
  titled: readonly string[];
  /** Share (0..1) of the covered terms in the question, by weight. */
  coverage: number;
  /** Likeness of question and quote by the transformer, if it read the quote. */
  likeness?: number;
}

/** Weight of a term that occurs only elsewhere in the sentence's chunk. */
const NEIGHBOUR_TERM_WEIGHT = 0.5;
/** Weight of a term that occurs only in the sentence before one that refers to it ("It has four limbs."). */
export const REFERRED_TERM_WEIGHT = 0.8;
/** Weight of a term that occurs only in the headings or the title: all sentences below are about it. */
const TITLE_TERM_WEIGHT = 0.9;
/** Bonus for a sentence with a value of the expected kind. */
const EXPECTED_KIND_BONUS = 0.25;
/** Further bonus for a number with the things that the question counts behind it. */
const COUNTED_BONUS = 0.25;
/** Bonus for a sentence that is built like an answer to the form of the question. */
const FORM_BONUS = { definition: 0.4, membership: 0.6, abbreviation: 0.8, reason: 0.25, manner: 0.15 } as const;
/** Bonus for the first chunk; that of the n-th is 1/n of it. */
const RANK_BONUS = 0.15;
/** Penalty for a line that looks like a heading. */
const HEADING_PENALTY = 0.5;
/** Maximum number of characters between two sentences of a paragraph. */
const MAX_SENTENCE_GAP = 2;

export interface Scoring {
  question: Question;
  weights: ReadonlyMap<string, number>;
  holds: (quote: Quotable) => boolean;
  language: string | null;
}

/** `at` is the rank of the chunk, from 0. */
export function scoreChunk(chunk: ChunkText, at: number, { question, weights, holds, language }: Scoring): Quote[] {
  const around = new Set(analyse(wholeText(chunk), language));
  const titled = new Set(analyse([...chunk.titles, ...chunk.headings].join('\n'), language));
  const units = quotables(chunk.text, language);
  return units.map((each, index) => {
    const referred = new Set(analyse(referredBy(each, units[index - 1], language), language));
    const weightAround = (term: string): number => {
      if (holdsTerm(titled, term, question)) return TITLE_TERM_WEIGHT;
      return holdsTerm(referred, term, question) ? REFERRED_TERM_WEIGHT : NEIGHBOUR_TERM_WEIGHT;
    };
    const own = termsAbout(each.header === null ? each.text : `${each.header} ${each.text}`, question, language);
    const covers = [...weights.keys()].filter((term) => holdsTerm(own, term, question));
    const near = [...weights.keys()].filter((term) => !covers.includes(term) && holdsTerm(around, term, question));
    const coverage = sumOf(covers, weights);
    const expected = holds(each) ? EXPECTED_KIND_BONUS : 0;
    const counts = countsAsked(each.text, question, language) ? COUNTED_BONUS : 0;
    const { form } = question;
    const built = form !== null && answersForm(each.text, form, language) ? FORM_BONUS[form.kind] : 0;
    const score =
      coverage +
      sumOf(near, weights, weightAround) +
      expected +
      counts +
      built +
      RANK_BONUS / (1 + at) -
      (isHeadingLike(each) ? HEADING_PENALTY : 0);
    return {
      ...each,
      chunk: at,
      score,
      covers,
      near,
      titled: near.filter((term) => holdsTerm(titled, term, question)),
      coverage,
    };
  });
}

/** Returns the sentence before one that refers to it; empty if there is none. */
const referredBy = (sentence: Quotable, before: Quotable | undefined, language: string | null): string =>
  before !== undefined && follows(sentence, before) && refersBack(sentence.text, language) ? before.text : '';

/** Returns the sum of the terms' weights, each times its factor. */
export const sumOf = (
  terms: readonly string[],
  weights: ReadonlyMap<string, number>,
  factor: (term: string) => number = () => 1,
): number => terms.reduce((sum, term) => sum + factor(term) * (weights.get(term) ?? 0), 0);

/** Returns whether a line is a title or a label: few words without a final punctuation mark. */
function isHeadingLike({ text, header }: Quotable): boolean {
  return header === null && !/[.!?:。！？।؟]["'”’)\]]*$/u.test(text) && text.split(/\s+/u).length < 6;
}

/** Returns whether a sentence directly follows another one of its chunk. */
export const follows = (sentence: Extent, other: Extent): boolean =>
  sentence.start >= other.end && sentence.start - other.end <= MAX_SENTENCE_GAP;

type Extent = Pick<Quotable, 'start' | 'end'>;

/** Returns the text of a chunk with its titles and headings. */
export const wholeText = (chunk: ChunkText | undefined): string =>
  chunk === undefined ? '' : [...chunk.titles, ...chunk.headings, chunk.text].join('\n');

/** Returns the heading above a chunk, or else the title of its document; empty without both. */
export const titleOf = (chunk: ChunkText | undefined): string => chunk?.headings.at(-1) ?? chunk?.titles.at(-1) ?? '';
