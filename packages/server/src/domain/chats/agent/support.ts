/** Finds the sentences of a chunk that support a statement, by the words and numbers that they share. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import { quotables } from '../extractive/quotables.ts';

export interface Support {
  /** `[start, end)` in the chunk's text. */
  start: number;
  end: number;
}

/** Maximum number of adjacent sentences that support one statement. */
const MAX_WINDOW = 3;
/** Minimum share of the statement that each further sentence of a window adds. */
const MIN_FURTHER_SHARE = 0.08;
/** Minimum share of the statement's terms that its support contains; the rest is the model's own wording. */
const MIN_SHARE = 0.25;
/** Weight of a number, relative to a word. */
const NUMBER_WEIGHT = 2;

/**
 * Returns the support of a statement, or null if the chunk does not support it: it contains too few of the statement's
 * words close together, or none of its numbers. A statement in another language than the chunk's shares little but
 * names and numbers with it, so one shared term is enough.
 */
export async function findSupport(statement: string, chunk: string): Promise<Support | null> {
  const language = await detectLanguage(chunk);
  const weights = new Map(analyse(statement, language).map((term) => [term, isNumber(term) ? NUMBER_WEIGHT : 1]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0 || contradictsNumbers(weights, chunk, language)) return null;
  const best = bestWindow(weights, chunk, language);
  if (best === undefined || best.held === 0) return null;
  if (best.held / total >= MIN_SHARE) return best;
  const statementLanguage = await detectLanguage(statement);
  return statementLanguage !== null && language !== null && statementLanguage !== language ? best : null;
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

function contradictsNumbers(weights: ReadonlyMap<string, number>, chunk: string, language: string | null): boolean {
  const numbers = [...weights.keys()].filter(isNumber);
  const known = new Set(analyse(chunk, language).filter(isNumber));
  return numbers.length > 0 && known.size > 0 && !numbers.some((term) => known.has(term));
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
