/** Signals from which the engine decides whether quotes answer a question. */
import { analyse } from './reading.ts';
import type { Likenesses } from '../../search/likeness.ts';
import type { ExpectedKind } from './expected-kind.ts';
import { holdsAsked } from './asked-value.ts';
import { holdsTerm, termsAbout, type Question } from './question.ts';
import { quotables } from './quotables.ts';
import { refersBack } from './reference.ts';
import type { Selection } from './select.ts';
import { likenessTo } from './sentence-likeness.ts';
import { follows, REFERRED_TERM_WEIGHT, type ChunkText, type Quote } from './sentence-scores.ts';

export interface AnswerSignals {
  /** Share (0..1) of the question's terms, by weight, in the best sentence, its titles and what it names. */
  coverage: number;
  /** Share (0..1) of the question's terms that occur anywhere in the chunk of the best sentence. */
  chunkCoverage: number;
  /** Whether the best sentence, and what it names, lack a value of the expected kind. */
  lacksKind: boolean;
  /** Whether the expected kind is a sum of money, a measure, a date or a number. */
  isFirm: boolean;
  /** Share (0..1) of names and numbers in the question, by weight, that sentence, titles and what it names lack. */
  missingNames: number;
  /** Likeness of question and sentence; null if no model supports their language. */
  likeness: number | null;
  /** Likeness (0..1) of the question's least matched word to a word of the sentence; null like `likeness`. */
  leastLike: number | null;
}

const WORDS = /[\p{L}\p{Nd}]+/gu;
const FIRM_KINDS: ReadonlySet<ExpectedKind> = new Set(['money', 'measure', 'date', 'count']);

interface Judged {
  query: string;
  /** The question by itself, and with an earlier one that it may refer to. */
  readings: readonly string[];
  question: Question;
  selection: Selection;
  best: Quote;
  chunk: ChunkText;
  language: string | null;
}

export async function signalsOf(
  { query, readings, question, selection, best, chunk, language }: Judged,
  likenesses: Likenesses,
  signal: AbortSignal,
): Promise<AnswerSignals> {
  const titles = [...chunk.headings, ...chunk.titles].join(' ');
  const whole = withHeader(best);
  const held = new Set([...analyse(titles, language), ...termsAbout(whole, question, language)]);
  const { support, weights } = selection;
  const supported = new Set(support.flatMap(({ covers, titled }) => [...covers, ...titled]));
  const words = (query.match(WORDS) ?? []).filter((word) =>
    analyse(word, language).some((term) => question.terms.includes(term)),
  );
  const isHeld = (term: string): boolean => supported.has(term) || holdsTerm(held, term, question);
  const referred = new Set(analyse(sentenceBefore(best, chunk, language), language));
  const missing = question.names.filter((term) => !isHeld(term) && !holdsTerm(referred, term, question));
  const open = words.filter((word) => !analyse(word, language).some(isHeld));
  const sumOf = (terms: Iterable<string>): number =>
    [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const nearest = await likenesses.of(language)?.ofWords(lowerCase(open), lowerCase(whole.match(WORDS) ?? []), signal);
  return {
    coverage:
      sumOf(supported) +
      REFERRED_TERM_WEIGHT *
        sumOf(question.terms.filter((term) => !supported.has(term) && holdsTerm(referred, term, question))),
    chunkCoverage: selection.chunkCoverage,
    lacksKind: ![best, ...support].some((quote) => holdsAsked(withHeader(quote), question, language)),
    isFirm: question.expects !== null && FIRM_KINDS.has(question.expects),
    missingNames: sumOf(missing),
    likeness: await likenessTo(readings, best, chunk, language, likenesses, signal),
    leastLike: nearest === undefined ? null : Math.min(1, ...nearest),
  };
}

/** Returns the sentence that a pronoun at the start of the quote refers to; empty if there is none. */
const sentenceBefore = (quote: Quote, chunk: ChunkText, language: string | null): string =>
  refersBack(quote.text, language)
    ? (quotables(chunk.text, language).find((other) => follows(quote, other))?.text ?? '')
    : '';

const withHeader = ({ header, text }: Quote): string => (header === null ? text : `${header} ${text}`);

const lowerCase = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase());
