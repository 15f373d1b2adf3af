/** Which sentences of a passage a statement rests on, if any: by the words and numbers that they share. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import { quotables } from '../extractive/passages.ts';

export interface Support {
  /** `[start, end)` in the passage. */
  start: number;
  end: number;
}

/** Sentences in a row that may support one statement together. */
const WINDOW = 3;
/** Each further sentence of a window must bring this share of the statement. */
const FURTHER = 0.08;
/** Share of the statement that its support must hold; the rest is the model's own wording. */
const MIN_SHARE = 0.25;
/** Numbers say more than words. */
const NUMBER_WEIGHT = 2;

/**
 * The support of a statement, or null when the passage does not bear it out: too few of its words stand together there,
 * or it gives numbers and none of them is among those of the passage. In another language than the passage's a
 * statement shares little but names and numbers with it: one will do.
 */
export async function findSupport(statement: string, passage: string): Promise<Support | null> {
  const language = await detectLanguage(passage);
  const weights = new Map(analyse(statement, language).map((term) => [term, isNumber(term) ? NUMBER_WEIGHT : 1]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0 || contradictsNumbers(weights, passage, language)) return null;
  const best = bestWindow(weights, passage, language);
  if (best === undefined || best.held === 0) return null;
  if (best.held / total >= MIN_SHARE) return best;
  const spoken = await detectLanguage(statement);
  return spoken !== null && language !== null && spoken !== language ? best : null;
}

/** Terms that a statement must have to be known as a quote, and the share of them that one sentence must hold. */
const QUOTE_TERMS = 3;
const QUOTE_SHARE = 0.8;

/** The sentence of the passage that says nearly the same as the statement in nearly the same words; null for none. */
export async function findQuote(statement: string, passage: string): Promise<Support | null> {
  const language = await detectLanguage(passage);
  const terms = new Set(analyse(statement, language));
  if (terms.size < QUOTE_TERMS) return null;
  const found = quotables(passage).find(({ text }) => {
    const own = new Set(analyse(text, language));
    return [...terms].filter((term) => own.has(term)).length >= QUOTE_SHARE * terms.size;
  });
  return found === undefined ? null : { start: found.start, end: found.end };
}

const isNumber = (term: string): boolean => /\p{Nd}/u.test(term);

function contradictsNumbers(weights: ReadonlyMap<string, number>, passage: string, language: string | null): boolean {
  const said = [...weights.keys()].filter(isNumber);
  const known = new Set(analyse(passage, language).filter(isNumber));
  return said.length > 0 && known.size > 0 && !said.some((term) => known.has(term));
}

function bestWindow(
  weights: ReadonlyMap<string, number>,
  passage: string,
  language: string | null,
): (Support & { held: number }) | undefined {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const units = quotables(passage).map((each) => ({
    ...each,
    terms: new Set(analyse(each.header === null ? each.text : `${each.header} ${each.text}`, language)),
  }));
  let best: (Support & { held: number; score: number }) | undefined;
  for (const [first, unit] of units.entries()) {
    const terms = new Set<string>();
    for (const [further, next] of units.slice(first, first + WINDOW).entries()) {
      for (const term of next.terms) terms.add(term);
      const held = [...weights].reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0);
      const score = held / total - FURTHER * further;
      if (best === undefined || score > best.score) best = { start: unit.start, end: next.end, held, score };
    }
  }
  return best;
}
