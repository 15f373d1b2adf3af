/**
 * Selects the sentences that answer a question from retrieved chunks: the best one by `sentence-scores.ts` is quoted
 * first. Further ones must answer a part of the question that is still open, so that a question about two things gets
 * quotes for both and a simple one gets a short answer. An unsure answer gets the sentence behind the best one and
 * sentences of its document that answer nearly as well (`withContext`).
 */
import { analyse } from './reading.ts';
import { holdsAsked } from './asked-value.ts';
import { holdsTerm, type Question } from './question.ts';
import { isConsequence } from './question-form.ts';
import type { Quotable } from './quotables.ts';
import { follows, scoreChunk, sumOf, titleOf, wholeText, type ChunkText, type Quote } from './sentence-scores.ts';

export interface Selection {
  /** Quotes in the order of the answer; empty if no chunk contains a term of the question. */
  quotes: Quote[];
  /** The quote with the highest score. */
  best: Quote | undefined;
  /** Share (0..1) of the question's terms, by weight, in the best quote and in quotes about things that it names. */
  coverage: number;
  /** The best quote, and those about things that it or the question names. */
  support: readonly Quote[];
  /** Each term's share (0..1) of the question. */
  weights: ReadonlyMap<string, number>;
  /** Share (0..1) of the question's terms that occur anywhere in the chunk of the best quote. */
  chunkCoverage: number;
  /** Number of names and numbers of the question that occur in none of the quoted chunks. */
  missingNames: number;
  /** Rows of the tables in the quoted chunks, in order of rank. */
  rows: readonly Quote[];
  /** Sentences of the best quote's document that answer nearly as well and are not quoted, the best first. */
  rivals: readonly Quote[];
  /** The best quote together with the next sentence of its paragraph, if there is one. */
  passage: Quote | undefined;
}

/** The information that an answer to a question needs, by which quotes are rated. */
interface Needs {
  weights: ReadonlyMap<string, number>;
  /** Chunks whose title the question or the best sentence mentions. */
  named: ReadonlySet<number>;
  /** Quotes of other documents that mention the title of the best one's. */
  linked: ReadonlySet<Quote>;
  /** Quotes with a value of the expected kind. */
  holds: (quote: Quotable) => boolean;
  titleOf: (chunk: number) => string;
  /** Returns the name of the chunk's document. */
  documentOf: (chunk: number) => string | undefined;
}

const NOTHING: Selection = {
  quotes: [],
  best: undefined,
  coverage: 0,
  support: [],
  weights: new Map(),
  chunkCoverage: 0,
  missingNames: 0,
  rows: [],
  rivals: [],
  passage: undefined,
};
/** Maximum number of quoted words, without headings and marks. */
const MAX_WORDS = 120;
const MAX_QUOTES = 5;
/** Weight of a term of an earlier question: it names the subject, and the answer must contain the new terms. */
const CONTEXT_TERM_WEIGHT = 0.3;
/** Minimum score of a further sentence, as a share of the best one's. */
const MIN_RELATIVE_SCORE = 0.5;
/** Minimum share of the question, by weight, that a further quote adds. */
const MIN_ADDED = 0.2;
/** Share of the question that a value of the expected kind adds to quotes without one. */
const KIND_SHARE = 0.25;
/** Minimum score of a sentence that rivals the best one of its document, as a share of the best one's. */
const RIVAL_SCORE = 0.75;
/** Maximum number of words up to which rivals are quoted. */
const SHORT_ANSWER_WORDS = 35;
/** Minimum score of a sentence that is quoted in an unsure answer, as a share of the best one's. */
const MIN_RIVAL_SCORE = 0.6;
/** Minimum likeness to the question of such a sentence without a term of it, as a share of the best one's. */
const MIN_RIVAL_LIKENESS = 0.85;
/** Maximum number of words up to which an unsure answer is extended. */
const MAX_UNSURE_WORDS = 60;
/** Minimum share of the question, by weight, in a quote from a chunk that neither question nor best quote names. */
const MIN_OTHER_COVERAGE = 0.5;
/** Bonus for the first quote of a chunk whose title the question or the best sentence mentions. */
const NAMED_BONUS = 0.5;
/** Minimum share of the question, by weight, that a sentence about the title of the best quote adds. */
const MIN_LINKED = 0.1;
/** Number of chunks that are quoted from in any case. */
const QUOTED_CHUNKS = 5;

/** The sentences of chunks with their scores. */
export interface Scored {
  quotes: readonly Quote[];
  /** Each term's share (0..1) of the question. */
  weights: ReadonlyMap<string, number>;
  /** Returns whether a sentence holds a value of the expected kind. */
  holds: (quote: Quotable) => boolean;
}

/** Scores all sentences of the chunks by their words. */
export function scoreSentences(question: Question, chunks: readonly ChunkText[], language: string | null): Scored {
  const weights = weigh(question, chunks, language);
  const holds = ({ text, header }: Quotable): boolean =>
    holdsAsked(header === null ? text : `${header} ${text}`, question, language);
  const quotes = chunks.flatMap((chunk, at) => scoreChunk(chunk, at, { question, weights, holds, language }));
  return { quotes, weights, holds };
}

export function selectQuotes(
  question: Question,
  chunks: readonly ChunkText[],
  language: string | null,
  { quotes, weights, holds }: Scored = scoreSentences(question, chunks, language),
): Selection {
  const quoted = quotedChunks(chunks);
  const first = quotes.filter((quote) => quoted.has(quote.chunk));
  const ranked = first.toSorted((a, b) => b.score - a.score);
  const best = ranked.find((quote) => !isTitle(quote, chunks[quote.chunk])) ?? ranked[0];
  const rows = first.filter(({ header }) => header !== null);
  if (best === undefined || quotes.every((quote) => quote.coverage === 0)) return { ...NOTHING, rows };
  const named = namedChunks(
    [...question.all, ...analyse(chunks[best.chunk]?.text ?? best.text, language)],
    chunks,
    language,
  );
  const bestTitle = titleTerms(titleOf(chunks[best.chunk]), language);
  const links = ({ text, chunk }: Quote): boolean => {
    if (bestTitle.length === 0 || documentOf(chunks[chunk]) === documentOf(chunks[best.chunk])) return false;
    const own = new Set(analyse(text, language));
    return bestTitle.every((term) => own.has(term));
  };
  const linked = new Set(quotes.filter((quote) => quote.covers.length > 0 && links(quote)));
  const sentences = quotes.filter((quote) => quote === best || !isTitle(quote, chunks[quote.chunk]));
  const others = sentences.filter((quote) => quoted.has(quote.chunk) || named.has(quote.chunk) || linked.has(quote));
  const chosen = pick(others, best, {
    weights,
    named,
    linked,
    holds,
    titleOf: (chunk) => titleOf(chunks[chunk]),
    documentOf: (chunk) => documentOf(chunks[chunk]),
  });
  const reason = question.form?.kind === 'reason' ? reasonOf(best, first, language) : undefined;
  const title = titleOf(chunks[best.chunk]);
  const support = chosen.filter(
    (quote) => quote === best || (named.has(quote.chunk) && titleOf(chunks[quote.chunk]) !== title),
  );
  const around = new Set(support.flatMap(({ chunk }) => analyse(wholeText(chunks[chunk]), language)));
  return {
    quotes: inOrder(reason === undefined ? chosen : [...new Set([reason, ...chosen])], best, reason),
    best,
    coverage: sumOf([...new Set(support.flatMap((quote) => quote.covers))], weights),
    support,
    weights,
    chunkCoverage: shareIn(chunks[best.chunk]?.text ?? '', question, language),
    missingNames: question.names.filter((term) => !holdsTerm(around, term, question)).length,
    rows,
    rivals: rivalsOf(best, chosen, first, chunks, holds, language),
    passage: passageOf(best, first, chunks[best.chunk], holds),
  };
}

/** Returns the sentence before a consequence ("Therefore …"): it gives the reason. */
const reasonOf = (best: Quote, quotes: readonly Quote[], language: string | null): Quote | undefined =>
  isConsequence(best.text, language) ? quotes.find((quote) => isNext(best, quote)) : undefined;

/** Returns whether a quote repeats a title or a heading of its chunk, which the answer shows beside its quotes. */
const isTitle = ({ text }: Quote, chunk: ChunkText | undefined): boolean =>
  [...(chunk?.titles ?? []), ...(chunk?.headings ?? [])].includes(text);

/** Returns the chunks that are quoted from: the first ones, and further ones of their documents. */
export function quotedChunks(chunks: readonly ChunkText[]): Set<number> {
  const documents = new Set(chunks.slice(0, QUOTED_CHUNKS).map(documentOf));
  return new Set(chunks.flatMap((chunk, at) => (at < QUOTED_CHUNKS || documents.has(documentOf(chunk)) ? [at] : [])));
}

const documentOf = (chunk: ChunkText | undefined): string | undefined => chunk?.titles[0];

/**
 * Returns the other sentences of the best quote's document that answer nearly as well, the best first. None lacks the
 * expected kind of value if the best quote holds it. Each has a term of the question or, in English, where the likeness
 * is certain enough, is nearly as alike to the question as the best quote.
 */
const rivalsOf = (
  best: Quote,
  chosen: readonly Quote[],
  quotes: readonly Quote[],
  chunks: readonly ChunkText[],
  holds: (quote: Quotable) => boolean,
  language: string | null,
): Quote[] =>
  quotes
    .filter((quote) => !isTitle(quote, chunks[quote.chunk]) && (!holds(best) || holds(quote)))
    .filter(({ chunk }) => documentOf(chunks[chunk]) === documentOf(chunks[best.chunk]))
    .filter(({ text, header }) => header === null && !chosen.some((quote) => quote.text === text))
    .filter((quote) => quote.score >= best.score * MIN_RIVAL_SCORE)
    .filter((quote) => quote.covers.length > 0 || (language === 'en' && isAsAlike(quote, best)))
    .toSorted((a, b) => b.score - a.score);

/** Returns whether the transformer found a quote nearly as alike to the question as the best one. */
const isAsAlike = ({ likeness }: Quote, best: Quote): boolean =>
  likeness !== undefined && best.likeness !== undefined && likeness >= best.likeness * MIN_RIVAL_LIKENESS;

/**
 * Returns the best quote with the next sentence of its paragraph, which often holds what the best one introduces. That
 * sentence must have the expected kind of value if the best quote has it.
 */
function passageOf(
  best: Quote,
  quotes: readonly Quote[],
  chunk: ChunkText | undefined,
  holds: (quote: Quotable) => boolean,
): Quote | undefined {
  const next = quotes.find((quote) => isNext(quote, best));
  if (chunk === undefined || next === undefined || best.header !== null || next.header !== null) return undefined;
  if (holds(best) && !holds(next)) return undefined;
  const text = chunk.text.slice(best.start, next.end);
  return text.includes('\n') ? undefined : { ...best, text, end: next.end };
}

/**
 * Returns the selection of an unsure answer: the best quote includes the next sentence, and rivals are quoted too,
 * within the limits of words and quotes.
 */
export function withContext(selection: Selection): Selection {
  const { best, passage, rivals } = selection;
  if (best === undefined) return selection;
  const first = passage !== undefined && wordsIn(passage) <= MAX_UNSURE_WORDS ? passage : best;
  const isInside = ({ chunk, start, end }: Quote): boolean =>
    chunk === first.chunk && start >= first.start && end <= first.end;
  const quotes = selection.quotes.map((quote) => (quote === best ? first : quote));
  const chosen = quotes.filter((quote) => quote === first || !isInside(quote));
  for (const rival of rivals) {
    const words = chosen.reduce((sum, quote) => sum + wordsIn(quote), 0);
    if (chosen.length >= MAX_QUOTES) break;
    const isNew = !isInside(rival) && !chosen.some(({ text }) => text === rival.text);
    if (isNew && words + wordsIn(rival) <= MAX_UNSURE_WORDS) chosen.push(rival);
  }
  return { ...selection, quotes: inOrder(chosen, first, quotes[0]) };
}

/** Returns the selection with a row as its only quote. */
export const withRow = (selection: Selection, row: Quote): Selection => ({
  ...selection,
  quotes: [row],
  best: row,
  coverage: row.coverage,
  support: [row],
  rivals: [],
  passage: undefined,
});

/** Returns the selection with rows of a table as its only quotes. */
export const withRows = (selection: Selection, rows: readonly Quote[]): Selection => ({
  ...selection,
  quotes: [...rows],
  best: rows[0],
  coverage: Math.max(0, ...rows.map(({ coverage }) => coverage)),
  support: rows,
  rivals: [],
  passage: undefined,
});

/** Returns each term's share of the question; terms in fewer chunks weigh more. */
function weigh(question: Question, chunks: readonly ChunkText[], language: string | null): Map<string, number> {
  const held = chunks.map((chunk) => new Set(analyse(wholeText(chunk), language)));
  const weights = question.terms.map((term) => {
    const count = held.filter((terms) => holdsTerm(terms, term, question)).length;
    const rarity = 1 + Math.log((chunks.length + 1) / (count + 1));
    return [term, question.context.has(term) ? CONTEXT_TERM_WEIGHT * rarity : rarity] as const;
  });
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([term, weight]) => [term, weight / total]));
}

function shareIn(text: string, question: Question, language: string | null): number {
  const held = new Set(analyse(text, language));
  const { terms } = question;
  return terms.filter((term) => holdsTerm(held, term, question)).length / Math.max(1, terms.length);
}

/** Returns the terms of a title without what is added in brackets or behind a comma. */
const titleTerms = (title: string, language: string | null): readonly string[] =>
  analyse(title.replace(/\(.*\)|,.*/u, ''), language);

/** Returns the chunks whose title the text mentions: they may hold the other half of the answer. */
function namedChunks(mentioned: readonly string[], chunks: readonly ChunkText[], language: string | null): Set<number> {
  const terms = new Set(mentioned);
  const isNamed = ({ headings, titles }: ChunkText): boolean =>
    [...titles, headings.at(-1) ?? ''].some((title) => {
      const own = titleTerms(title, language);
      return own.length > 0 && own.every((term) => terms.has(term));
    });
  return new Set(chunks.flatMap((chunk, at) => (isNamed(chunk) ? [at] : [])));
}

/**
 * Selects the best quote, then repeatedly the one that answers most of what is still open, within the limits of words
 * and quotes.
 */
function pick(
  quotes: readonly Quote[],
  best: Quote,
  { weights, named, linked, holds, titleOf, documentOf }: Needs,
): Quote[] {
  const chosen = [best];
  let words = wordsIn(best);
  // If a table row is the best quote, other rows must score at least as high.
  const left = quotes
    .filter((quote) => quote.header === null || best.header === null || quote.score >= best.score)
    .filter((quote) => named.has(quote.chunk) || linked.has(quote) || quote.score >= best.score * MIN_RELATIVE_SCORE);
  while (chosen.length < MAX_QUOTES) {
    const covered = new Set(chosen.flatMap((quote) => quote.covers));
    const around = new Set(chosen.flatMap((quote) => [...quote.covers, ...quote.near]));
    const lacksKind = !chosen.some(holds);
    const titles = new Set(chosen.map(({ chunk }) => titleOf(chunk)));
    const documents = new Set(chosen.map(({ chunk }) => documentOf(chunk)));
    const adds = (quote: Quote): number => {
      const isSameChunk = chosen.some(({ chunk }) => chunk === quote.chunk);
      // Two sentences of a document that answer about equally well are both quoted while the answer stays short.
      const isClose = quote.covers.length > 0 && quote.score >= best.score * RIVAL_SCORE;
      const rivals = isClose && documents.has(documentOf(quote.chunk)) && (!holds(best) || holds(quote));
      if (rivals && words + wordsIn(quote) <= SHORT_ANSWER_WORDS) return MIN_ADDED;
      const isOtherNamed = named.has(quote.chunk) && !titles.has(titleOf(quote.chunk));
      // The document of a name answers what the quotes leave open, also if words of it are near them.
      const open = quote.covers.filter((term) => !(isSameChunk || isOtherNamed ? covered : around).has(term));
      const isLinked = linked.has(quote) && !titles.has(titleOf(quote.chunk)) && sumOf(open, weights) >= MIN_LINKED;
      const isSecondSource = isLinked || (isOtherNamed && (open.length > 0 || (lacksKind && holds(quote))));
      const answersKind = lacksKind && isNext(quote, best) && holds(quote);
      // A sentence of another chunk that shares only a side of the question is beside the point.
      if (!isSameChunk && !isSecondSource) {
        if (quote.coverage < MIN_OTHER_COVERAGE || quote.score < best.score * MIN_RELATIVE_SCORE) return 0;
      }
      return sumOf(open, weights) + (isSecondSource ? NAMED_BONUS : 0) + (answersKind ? KIND_SHARE : 0);
    };
    const [next] = left
      .filter((quote) => words + wordsIn(quote) <= MAX_WORDS && !chosen.some(({ text }) => text === quote.text))
      .filter((quote) => adds(quote) >= MIN_ADDED)
      .toSorted((a, b) => adds(b) + b.score - adds(a) - a.score);
    if (next === undefined) break;
    chosen.push(next);
    words += wordsIn(next);
  }
  return chosen;
}

/** Returns whether the quote directly follows the other one in its chunk. */
export const isNext = (quote: Quote, other: Quote): boolean => quote.chunk === other.chunk && follows(quote, other);

const wordsIn = (quote: Quote): number => quote.text.split(/\s+/u).length;

/**
 * Orders quotes by chunk, that of the best first, and within a chunk by position, except that the best is first, behind
 * the reason for it.
 */
function inOrder(chosen: readonly Quote[], best: Quote, reason: Quote | undefined): Quote[] {
  const order = [...new Set(chosen.map((quote) => quote.chunk))];
  const place = (quote: Quote): number => (quote === reason ? -2 : quote === best ? -1 : quote.start);
  return chosen.toSorted((a, b) => order.indexOf(a.chunk) - order.indexOf(b.chunk) || place(a) - place(b));
}
