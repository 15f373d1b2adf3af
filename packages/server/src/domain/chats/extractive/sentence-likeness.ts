/**
 * Adds to the scores of sentences how alike they are to the question: all of them by a static model, and the best ones
 * by a transformer, where one supports the language.
 */
import type { Likenesses } from '../../search/likeness.ts';
import { analyse } from './reading.ts';
import { refersBack } from './reference.ts';
import { titleOf, type ChunkText, type Quote } from './sentence-scores.ts';

/** Weight of the likeness of question and sentence in English, by the static model and by the transformer. */
const LIKENESS_WEIGHT = 1;
const PRECISE_WEIGHT = 1.3;
/**
 * The same in other languages. Their static model is less certain, so it counts for the part of the question that no
 * sentence holds: if its words are found, they decide.
 */
const OTHER_LIKENESS_WEIGHT = 2.5;
const OTHER_PRECISE_WEIGHT = 2;
/** Number of sentences that the transformer reads, the best by words and static model; each takes 5 to 15 ms. */
const PRECISE_COUNT = 6;

interface Compared {
  /** Chunks of the sentences. */
  chunks: readonly ChunkText[];
  /** Positions of the chunks whose sentences are compared. */
  quoted: ReadonlySet<number>;
  question: string;
  language: string | null;
}

/** Adds the likeness to the scores of the sentences that are compared. */
export async function byMeaning(
  quotes: readonly Quote[],
  { chunks, quoted, question, language }: Compared,
  likenesses: Likenesses,
  signal: AbortSignal,
): Promise<readonly Quote[]> {
  const compared = quotes.filter(({ chunk }) => quoted.has(chunk));
  const texts = compared.map(({ text }) => text);
  const likeness = await likenesses.of(language)?.ofTexts(question, texts, signal);
  if (likeness === undefined) return quotes;
  const rated = withLikeness(quotes, likeness, language);
  const precise = await likenesses.preciseOf(language);
  if (precise === null) return rated;
  const best = rated.filter(({ chunk }) => quoted.has(chunk)).toSorted((a, b) => b.score - a.score);
  // Sentences of the same chunk and text are the same.
  const keyOf = ({ chunk, text }: Quote): string => `${chunk} ${text}`;
  const read = new Map<string, string>();
  const readTexts = new Set<string>();
  for (const quote of best) {
    if (readTexts.size === PRECISE_COUNT) break;
    const text = titled(quote, chunks[quote.chunk], language);
    read.set(keyOf(quote), text);
    readTexts.add(text);
  }
  const precisely = await precise.ofTexts(question, [...readTexts], signal);
  const weight = language === 'en' ? PRECISE_WEIGHT : OTHER_PRECISE_WEIGHT;
  return quotes.map((quote, at) => {
    const value = precisely.get(read.get(keyOf(quote)) ?? '');
    return value === undefined
      ? (rated[at] ?? quote)
      : { ...quote, score: quote.score + weight * value, likeness: value };
  });
}

/** Adds to the scores of all quotes how alike they are to the question by the static model. */
export function withLikeness(
  quotes: readonly Quote[],
  likeness: ReadonlyMap<string, number>,
  language: string | null,
): Quote[] {
  const open = 1 - quotes.reduce((most, { coverage }) => Math.max(most, coverage), 0);
  const weight = language === 'en' ? LIKENESS_WEIGHT : OTHER_LIKENESS_WEIGHT * open;
  return quotes.map((quote) => ({ ...quote, score: quote.score + weight * (likeness.get(quote.text) ?? 0) }));
}

/** Returns a sentence behind its title, unless it holds the words of the title. */
function titled({ text }: Quote, chunk: ChunkText | undefined, language: string | null): string {
  const title = titleOf(chunk);
  const held = new Set(analyse(text, language));
  return analyse(title, language).every((term) => held.has(term)) ? text : `${title}: ${text}`;
}

/**
 * Returns the highest likeness of a reading of the question and a quote, null without a model. A quote that refers back
 * is read behind its title; others are not, since a title that repeats the question would make each of its sentences
 * alike.
 */
export async function likenessTo(
  readings: readonly string[],
  { text }: Pick<Quote, 'text'>,
  chunk: ChunkText,
  language: string | null,
  likenesses: Likenesses,
  signal: AbortSignal,
): Promise<number | null> {
  const likeness = (await likenesses.preciseOf(language)) ?? likenesses.of(language);
  if (likeness === null) return null;
  const title = titleOf(chunk);
  const read = title !== '' && refersBack(text, language) ? `${title}: ${text}` : text;
  const values = await Promise.all(readings.map((reading) => likeness.ofTexts(reading, [read], signal)));
  return Math.max(...values.map((value) => value.get(read) ?? 0));
}
