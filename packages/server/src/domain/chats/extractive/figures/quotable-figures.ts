/** Judges which quotes may answer a question for a figure that was not computed. */
import type { SearchHit } from '../../../search/types.ts';
import type { Question } from '../question.ts';
import type { Quotable } from '../quotables.ts';
import { analyse } from '../reading.ts';
import { judgementWords, paidItemIn, tellsPayment } from './judgements.ts';
import { isLabelOf, ITEM_NAMES } from './items.ts';
import { titleTermsOf } from './reports-about.ts';
import { narrowingTerms, subjectTerms } from './scope.ts';
import { itemIn } from './series.ts';
import { MAX_QUESTION, seeksItem, soughtIn } from './sought.ts';

/** Number of characters of a quote with its headings that are read. */
const MAX_STATED = 2_000;

/**
 * Returns whether a quote may answer the question for a figure that was not computed: it says the ratio or the payment
 * by its name, is a row that the question names, or a sentence about the thing that it is about.
 */
export function mayAnswer(quote: Quotable, question: Question, hit: SearchHit, language: string | null): boolean {
  const sought = soughtIn(question.text, language);
  if (sought === null) return true;
  const { text, ratio, form } = sought;
  const stated = [quote.text, quote.header ?? '', ...hit.headings].join('\n').slice(0, MAX_STATED);
  if (ratio !== null) return ratio.asked.test(stated);
  const item = form === 'payment' ? paidItemIn(text, language) : null;
  if (item !== null) return tellsPayment(stated, item);
  const titles = titleTermsOf([hit], language);
  const judged = judgementWords(text, language);
  if (quote.header !== null) {
    // A cell of one year is no change.
    return form !== 'growth' && narrowingTerms(text, stated, titles, judged, language).length === 0;
  }
  const subject = subjectTerms(text, titles, judged, language);
  const held = new Set(analyse(stated, language));
  return subject.length === 0 || subject.some((term) => held.has(term));
}

/** Returns whether a row is another item than the one whose amount the question seeks. */
export function isOtherItem(row: string, question: string, language: string | null): boolean {
  const text = question.slice(0, MAX_QUESTION);
  const item = seeksItem(text, language) ? itemIn(text) : null;
  const label = row.split('|')[0] ?? '';
  return item !== null && !isLabelOf(label, item) && ITEM_NAMES.some((other) => isLabelOf(label, other));
}
