/** Finds the sentences of a report that say what a company acquired in the years of a question. */
import type { SearchHit } from '../../../search/types.ts';
import { plainPeriods } from '../periods.ts';
import type { Question } from '../question.ts';
import type { Quote } from '../sentence-scores.ts';
import { periodsIn } from './periods-of-columns.ts';
import { reportSentences } from './report-sentences.ts';
import { isTitled } from './reports-about.ts';
import { MAX_QUESTION } from './sought.ts';

const ASKED =
  /\bacquisitions\b|\b(?:which|what) (?:other )?(?:compan(?:y|ies)|business(?:es)?|firms?|startups?)\b.{1,80}\b(?:acquired?|buy|bought|purchased?|take over|taken over)\b|\bwelche (?:unternehmen|firmen|übernahmen)\b.{1,80}\b(?:übernommen|gekauft|erworben|kaufte|erwarb|übernahm|getätigt)/iu;
/** Phrases for a purchase of another company. */
const ACQUIRED =
  /\bacquired (?:all|the|100|a majority|a controlling|substantially|\p{Lu})|\bcompleted (?:the|its|our|an?) (?:acquisition|purchase)\b|\b(?:acquisition|purchase|takeover) of \p{Lu}[^.]{1,120}\b(?:was|were) (?:completed|closed)\b|\bbought (?:all|the|\p{Lu})|\b(?:übernahm|erwarb|kaufte)\b|\b(?:übernommen|erworben)\b/u;
/** Purchases of its own shares or of assets. */
const NO_COMPANY = /\b(?:re-?purchase|treasury|own shares|property|equipment|intangible|inventor|eigene aktien)/iu;
const RANGE = /\b(?:from|between|since|von|zwischen|seit)\b|\p{Nd}\s?[-–]\s?(?:FY)?\p{Nd}/iu;
const MAX_YEARS = 6;
const MAX_QUOTED = 6;

/** Returns the years of the question; all from the first to the last of a range. */
function yearsIn(text: string, language: string | null): number[] {
  const years = periodsIn(text, language).map(({ year }) => year);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (years.length !== 2 || !RANGE.test(text) || last - first >= MAX_YEARS) return years;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Returns the sentences about acquisitions in one of the years, of the documents that the question names. */
export function acquisitionSentences(question: Question, hits: readonly SearchHit[], language: string | null): Quote[] {
  const text = question.text.slice(0, MAX_QUESTION);
  const years = ASKED.test(text) ? yearsIn(text, language) : [];
  if (years.length === 0) return [];
  const names = question.names.filter((name) => !/\p{Nd}/u.test(name));
  const found = hits.flatMap((hit, chunk) =>
    isTitled(hit, names, question, language) ? sentencesAbout(hit.text, chunk, years, language) : [],
  );
  return found
    .filter((each, at) => found.findIndex(({ text: other }) => other === each.text) === at)
    .slice(0, MAX_QUOTED);
}

/** Returns the sentences that say that a company was acquired in one of the years. */
const sentencesAbout = (text: string, chunk: number, years: readonly number[], language: string | null): Quote[] =>
  reportSentences(text, chunk, language).filter(({ text: own }) => {
    const stated = Array.from(plainPeriods(own, language).matchAll(/\p{Nd}+/gu), ([digits]) => Number(digits));
    return years.some((year) => stated.includes(year)) && ACQUIRED.test(own) && !NO_COMPANY.test(own);
  });
