/** Finds the table whose rows are the list that a question seeks: "Which securities are registered?" */
import type { Question } from './question.ts';
import { analyse } from './reading.ts';
import type { Quote } from './sentence-scores.ts';
import type { Surroundings } from './table-ranking.ts';

/** Questions for several things of a kind, by language. */
const ASKED: Readonly<Record<string, RegExp>> = {
  en: /^\s*(?:please )?(?:list|name|enumerate)\b|^\s*(?:which|what) (?:\p{Ll}+ ){0,3}?\p{Ll}{2,30}s (?:are|were|do|did|have|of)\b/iu,
  de: /^\s*(?:[Nn]enne|[Ll]iste)\b|^\s*[Ww]elche \p{Lu}\p{L}{2,40}(?:n|e|s|er) (?:sind|waren|haben|hat|von|gibt)\b/u,
};
const MIN_TERMS = 2;
/** Minimum share of the question's terms, without names, above the rows. */
const MIN_SHARE = 0.6;
const MIN_ROWS = 2;
const MAX_ROWS = 12;
const MAX_QUESTION = 500;

/** Returns all rows of the only table that the question describes, or none. `rows` are in order of rank. */
export function listed(
  question: Question,
  rows: readonly Quote[],
  language: string | null,
  around: Surroundings,
): readonly Quote[] {
  if (ASKED[language ?? 'en']?.test(question.text.slice(0, MAX_QUESTION)) !== true) return [];
  const sought = question.terms.filter((term) => !question.names.includes(term));
  const tables = new Map<string, Quote[]>();
  for (const row of rows.filter(({ header }) => header !== null)) {
    const key = `${row.chunk}\n${row.header ?? ''}`;
    tables.set(key, [...(tables.get(key) ?? []), row]);
  }
  const fitting = [...tables.values()].filter(([first]) => {
    if (first === undefined) return false;
    const above = new Set(
      analyse([...around(first.chunk).headings.slice(-1), first.header ?? ''].join('\n'), language),
    );
    const held = sought.filter((term) => above.has(term)).length;
    return held >= MIN_TERMS && held / sought.length >= MIN_SHARE;
  });
  const [only] = fitting;
  if (only === undefined || fitting.length > 1 || only.length < MIN_ROWS || only.length > MAX_ROWS) return [];
  return only.toSorted((a, b) => a.start - b.start);
}
