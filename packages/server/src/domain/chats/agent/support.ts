/** Finds the sentences of a chunk that support a statement, by the words and numbers that they share. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import { quotables } from '../extractive/quotables.ts';

export interface Support {
  /** `[start, end)` in the chunk's text. */
  start: number;
  end: number;
}

export interface SharedSupport extends Support {
  /** Share of the statement's terms, by weight, that the support contains. */
  share: number;
}

/** Maximum number of adjacent sentences that support one statement. */
const MAX_WINDOW = 3;
/** Minimum share of the statement that each further sentence of a window adds. */
const MIN_FURTHER_SHARE = 0.08;
/** Minimum share of the statement's terms that its support contains; the rest is the model's own wording. */
const MIN_SHARE = 0.25;
/** The share by which a chunk says most of a statement, and the minimum number of terms beside the chunk's title. */
const MOST_SHARE = 0.6;
const MIN_TERMS_BESIDE_TITLE = 2;
/** Weight of a number, relative to a word. */
const NUMBER_WEIGHT = 2;

/**
 * Returns the support of a statement, or null if the chunk does not support it: it contains too few of the statement's
 * words close together, or none of its numbers. A statement in another language than the chunk's shares little but
 * names and numbers with it, so one shared term is enough.
 */
export async function findSupport(statement: string, chunk: string): Promise<SharedSupport | null> {
  const language = await detectLanguage(chunk);
  const weights = new Map(analyse(statement, language).map((term) => [term, isNumber(term) ? NUMBER_WEIGHT : 1]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0 || contradictsNumbers(statement, chunk)) return null;
  const best = bestWindow(weights, chunk, language);
  if (best === undefined || best.held === 0) return null;
  const support = { start: best.start, end: best.end, share: best.held / total };
  if (support.share >= MIN_SHARE) return support;
  const statementLanguage = await detectLanguage(statement);
  return statementLanguage !== null && language !== null && statementLanguage !== language ? support : null;
}

/**
 * Returns the sentences of a chunk that say most of a statement beyond the chunk's title and headings, or null. They
 * support it also if its mark names another chunk.
 */
export async function findMostOf(statement: string, chunk: string, titles: string): Promise<SharedSupport | null> {
  const language = await detectLanguage(chunk);
  const known = new Set(analyse(titles, language));
  const terms = analyse(statement, language).filter((term) => !known.has(term));
  const weights = new Map(terms.map((term) => [term, isNumber(term) ? NUMBER_WEIGHT : 1]));
  if (weights.size < MIN_TERMS_BESIDE_TITLE || contradictsNumbers(statement, chunk)) return null;
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const best = bestWindow(weights, chunk, language);
  const share = (best?.held ?? 0) / total;
  return best !== undefined && share >= MOST_SHARE ? { start: best.start, end: best.end, share } : null;
}

/** Minimum number of terms in a statement that is treated as a quote, and the share of them in one sentence. */
const QUOTE_TERMS = 3;
const QUOTE_SHARE = 0.8;

/** Returns the sentence of the chunk that says the same in nearly the same words; null for none. */
export async function findQuote(statement: string, chunk: string): Promise<Support | null> {
  const language = await detectLanguage(chunk);
  const terms = new Set(analyse(statement, language));
  if (terms.size < QUOTE_TERMS) return null;
  const found = quotables(chunk).find(({ text }) => {
    const own = new Set(analyse(text, language));
    return [...terms].filter((term) => own.has(term)).length >= QUOTE_SHARE * terms.size;
  });
  return found === undefined ? null : { start: found.start, end: found.end };
}

const isNumber = (term: string): boolean => /\p{Nd}/u.test(term);

/** Matches a number with its separators, an address or a time: parts of them are numbers of little meaning. */
const NUMBER = /\p{Nd}+(?:[.,:'’]\p{Nd}+)*/gu;

const numbersOf = (text: string): Set<string> =>
  new Set(text.match(NUMBER)?.map((number) => number.replaceAll(/\P{Nd}/gu, '')));

function contradictsNumbers(statement: string, chunk: string): boolean {
  const numbers = [...numbersOf(statement)];
  const known = numbersOf(chunk);
  return numbers.length > 0 && known.size > 0 && !numbers.some((number) => known.has(number));
}

function bestWindow(
  weights: ReadonlyMap<string, number>,
  chunk: string,
  language: string | null,
): (Support & { held: number }) | undefined {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const units = quotables(chunk).map((each) => ({
    ...each,
    terms: new Set(analyse(each.header === null ? each.text : `${each.header} ${each.text}`, language)),
  }));
  let best: (Support & { held: number; score: number }) | undefined;
  for (const [first, unit] of units.entries()) {
    const terms = new Set<string>();
    for (const [further, next] of units.slice(first, first + MAX_WINDOW).entries()) {
      for (const term of next.terms) terms.add(term);
      const held = [...weights].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0);
      const score = held / total - MIN_FURTHER_SHARE * further;
      if (best === undefined || score > best.score) best = { start: unit.start, end: next.end, held, score };
    }
  }
  return best;
}
