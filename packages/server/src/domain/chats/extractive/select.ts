/**
 * Selects the sentences that answer a question from retrieved chunks.
 *
 * The score of a sentence sums the weights of the question's terms in it (rare terms weigh more), half the weights of
 * terms that occur only in its chunk or headings, a bonus for the rank of its chunk, and one for the expected kind of
 * answer. Sentences are selected one after another by what each adds, so that a question about two things gets quotes
 * for both.
 */
import { analyse } from '@quire/text/language/analyse';
import { holdsExpected, type Question } from './question.ts';
import { quotables, type Quotable } from './quotables.ts';

export interface ChunkText {
  text: string;
  headings: readonly string[];
  /** Name of the document; its words count like those of headings. */
  documentName: string;
}

export interface Quote extends Quotable {
  /** Position of its chunk. */
  chunk: number;
  score: number;
  /** Terms of the question that the quote contains. */
  covers: readonly string[];
  /** Share (0..1) of these terms in the question, by weight. */
  coverage: number;
}

export interface Selection {
  /** Quotes in the order of the answer; empty if no chunk contains a term of the question. */
  quotes: Quote[];
  /** The quote with the highest score. */
  best: Quote | undefined;
  /** Share (0..1) of the question's terms, by weight, in the best quote and in quotes about things that it names. */
  coverage: number;
  /** Share (0..1) of the question's terms that occur anywhere in the chunk of the best quote. */
  chunkCoverage: number;
  /** Number of names and numbers of the question that occur in none of the quoted chunks. */
  missingNames: number;
}

const NOTHING: Selection = { quotes: [], best: undefined, coverage: 0, chunkCoverage: 0, missingNames: 0 };
/** Maximum number of quoted words, without headings and marks. With 115: SQuAD 2 .82 → .80, CLAPnq .78 → .73. */
const MAX_WORDS = 120;
const MAX_QUOTES = 5;
/** Weight of a term that occurs only in the sentence's chunk or headings. */
const NEIGHBOUR_TERM_WEIGHT = 0.5;
/** Bonus for a sentence with the expected kind of answer. */
const EXPECTED_KIND_BONUS = 0.25;
/** Bonus for the first chunk; that of the n-th is 1/n of it. */
const RANK_BONUS = 0.35;
/** Penalty for a line that looks like a heading. */
const HEADING_PENALTY = 0.5;
/** Minimum score of a further sentence, as a share of the best one's. */
const MIN_RELATIVE_SCORE = 0.5;
/** Share of a term's weight that is subtracted when an earlier quote contains the term. */
const COVERED_PENALTY = 0.25;
/** Bonus for the first quote of a chunk whose title the question or the best sentence mentions. */
const NAMED_BONUS = 0.5;
/** Maximum number of characters between two sentences of a paragraph. */
const MAX_SENTENCE_GAP = 2;
/** Number of chunks that are quoted from; the others only contribute to term weights. */
const QUOTED_CHUNKS = 5;

export function selectQuotes(question: Question, chunks: readonly ChunkText[], language: string | null): Selection {
  const weights = weigh(question, chunks, language);
  const quotes = chunks.flatMap((chunk, at) => scoreChunk(question, chunk, at, weights, language));
  const first = quotes.filter((quote) => quote.chunk < QUOTED_CHUNKS);
  const best = first.toSorted((a, b) => b.score - a.score)[0];
  if (best === undefined || quotes.every((quote) => quote.coverage === 0)) return NOTHING;
  const named = namedChunks([...question.all, ...analyse(best.text, language)], chunks, language);
  const others = quotes.filter((quote) => quote.chunk < QUOTED_CHUNKS || named.has(quote.chunk));
  const chosen = pick(others, best, weights, named);
  const title = titleOf(chunks[best.chunk]);
  const support = chosen.filter(
    (quote) => quote === best || (named.has(quote.chunk) && titleOf(chunks[quote.chunk]) !== title),
  );
  const around = new Set(support.flatMap(({ chunk }) => analyse(wholeText(chunks[chunk]), language)));
  return {
    quotes: inOrder(chosen, best),
    best,
    coverage: sumOf([...new Set(support.flatMap((quote) => quote.covers))], weights),
    chunkCoverage: shareIn(chunks[best.chunk], question.terms, language),
    missingNames: question.names.filter((term) => !around.has(term)).length,
  };
}

/** Returns each term's share of the question; terms in fewer chunks weigh more. */
function weigh(question: Question, chunks: readonly ChunkText[], language: string | null): Map<string, number> {
  const held = chunks.map((chunk) => new Set(analyse(wholeText(chunk), language)));
  const weights = question.terms.map((term) => {
    const count = held.filter((terms) => terms.has(term)).length;
    return [term, 1 + Math.log((chunks.length + 1) / (count + 1))] as const;
  });
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([term, weight]) => [term, weight / total]));
}

const wholeText = (chunk: ChunkText | undefined): string =>
  chunk === undefined ? '' : [chunk.documentName, ...chunk.headings, chunk.text].join('\n');

function shareIn(chunk: ChunkText | undefined, terms: readonly string[], language: string | null): number {
  const held = new Set(analyse(chunk?.text ?? '', language));
  return terms.filter((term) => held.has(term)).length / Math.max(1, terms.length);
}

const titleOf = (chunk: ChunkText | undefined): string => chunk?.headings.at(-1) ?? chunk?.documentName ?? '';

function scoreChunk(
  question: Question,
  chunk: ChunkText,
  at: number,
  weights: ReadonlyMap<string, number>,
  language: string | null,
): Quote[] {
  const around = new Set(analyse(wholeText(chunk), language));
  return quotables(chunk.text, language).map((each) => {
    const own = new Set(analyse(each.header === null ? each.text : `${each.header} ${each.text}`, language));
    const covers = [...weights.keys()].filter((term) => own.has(term));
    const near = [...weights.keys()].filter((term) => !own.has(term) && around.has(term));
    const coverage = sumOf(covers, weights);
    const expected = holdsExpected(each.text, question.expects) ? EXPECTED_KIND_BONUS : 0;
    const score =
      coverage +
      NEIGHBOUR_TERM_WEIGHT * sumOf(near, weights) +
      expected +
      RANK_BONUS / (1 + at) -
      (isHeadingLike(each) ? HEADING_PENALTY : 0);
    return { ...each, chunk: at, score, covers, coverage };
  });
}

const sumOf = (terms: readonly string[], weights: ReadonlyMap<string, number>): number =>
  terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);

/** Returns whether a line is a title or a label: few words without a final punctuation mark. */
function isHeadingLike({ text, header }: Quotable): boolean {
  return header === null && !/[.!?:。！？।؟]["'”’)\]]*$/u.test(text) && text.split(/\s+/u).length < 6;
}

/** Returns the chunks whose title the text mentions: they may hold the other half of the answer. */
function namedChunks(mentioned: readonly string[], chunks: readonly ChunkText[], language: string | null): Set<number> {
  const terms = new Set(mentioned);
  const isNamed = ({ headings, documentName }: ChunkText): boolean =>
    [documentName, headings.at(-1) ?? ''].some((title) => {
      const own = analyse(title.replace(/\(.*\)|,.*/u, ''), language);
      return own.length > 0 && own.every((term) => terms.has(term));
    });
  return new Set(chunks.flatMap((chunk, at) => (isNamed(chunk) ? [at] : [])));
}

/** Selects the best quote, then repeatedly the one that adds most, within the limits of words, quotes and score. */
function pick(
  quotes: readonly Quote[],
  best: Quote,
  weights: ReadonlyMap<string, number>,
  named: ReadonlySet<number>,
): Quote[] {
  const chosen = [best];
  let words = wordsIn(best);
  const isNamedElsewhere = ({ chunk }: Quote): boolean => named.has(chunk) && chunk !== best.chunk;
  // If a table row is the best quote, other rows must score at least as high.
  let left = quotes
    .filter((quote) => quote.header === null || best.header === null || quote.score >= best.score)
    .filter((quote) => quote.covers.length > 0 || isNext(quote, best) || isNamedElsewhere(quote));
  while (chosen.length < MAX_QUOTES) {
    const covered = new Set(chosen.flatMap((quote) => quote.covers));
    left = left.filter(
      (quote) => words + wordsIn(quote) <= MAX_WORDS && !chosen.some(({ text }) => text === quote.text),
    );
    const isNew = (quote: Quote): boolean =>
      named.has(quote.chunk) && !chosen.some(({ chunk }) => chunk === quote.chunk);
    const adds = (quote: Quote): number =>
      (isNew(quote) ? NAMED_BONUS : 0) +
      quote.score -
      COVERED_PENALTY *
        sumOf(
          quote.covers.filter((term) => covered.has(term)),
          weights,
        );
    const next = left.toSorted((a, b) => adds(b) - adds(a))[0];
    if (next === undefined || adds(next) < best.score * MIN_RELATIVE_SCORE) break;
    chosen.push(next);
    words += wordsIn(next);
  }
  return chosen;
}

/** Returns whether the quote directly follows the best sentence: it may continue it without repeating its terms. */
const isNext = (quote: Quote, best: Quote): boolean =>
  quote.chunk === best.chunk && quote.start >= best.end && quote.start - best.end <= MAX_SENTENCE_GAP;

const wordsIn = (quote: Quote): number => quote.text.split(/\s+/u).length;

/** Orders quotes by chunk, best first, and within a chunk by position, with a table row that answers first. */
function inOrder(chosen: readonly Quote[], best: Quote): Quote[] {
  const order = [...new Set(chosen.map((quote) => quote.chunk))];
  const place = (quote: Quote): number => (quote === best && best.header !== null ? -1 : quote.start);
  return chosen.toSorted((a, b) => order.indexOf(a.chunk) - order.indexOf(b.chunk) || place(a) - place(b));
}
