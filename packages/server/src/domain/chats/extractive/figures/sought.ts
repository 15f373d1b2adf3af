/** Reads which figure of reports a question seeks. */
import { operationIn } from '../table-arithmetic.ts';
import { definitionIn, isDefined } from './definitions.ts';
import { paidItemIn, seeksConsistency, seeksDirection, seeksYear } from './judgements.ts';
import { optionsIn } from './options.ts';
import { periodsIn } from './periods-of-columns.ts';
import { ratioIn, type Ratio } from './ratios.ts';
import { itemIn } from './series.ts';

export const MAX_QUESTION = 500;
/** The figure that a question seeks, apart from company and period. */
export interface Sought {
  /** The first sentence of the question, without brackets. */
  text: string;
  /** The same with brackets. */
  whole: string;
  ratio: Ratio | null;
  form: 'value' | 'direction' | 'year' | 'consistency' | 'payment' | 'option' | 'average' | 'growth' | 'item';
}

/** Returns the figure that a question seeks; null for other questions. */
export function soughtIn(question: string, language: string | null): Sought | null {
  const read = question.slice(0, MAX_QUESTION);
  const whole = read.replace(/(?<=\?).*/su, '');
  const text = whole.replaceAll(/\([^()]*\)/gu, ' ');
  const usual = ratioIn(text);
  const formula = definitionIn(read);
  // A formula of the question's own that cannot be read is not replaced by the usual one.
  if (isDefined(read) && formula === null) return null;
  const result = usual?.result ?? (/\bmargin\b|%|\bpercent/iu.test(text) ? 'percent' : 'ratio');
  const ratio = formula === null ? usual : { asked: usual?.asked ?? DEFINED_FIGURE, result, formulas: [formula] };
  const found = ((): Sought['form'] | null => {
    if (optionsIn(text, language) !== null) return 'option';
    if (ratio === null && paidItemIn(text, language) !== null) return 'payment';
    if (seeksYear(text, language)) return 'year';
    if (ratio !== null && seeksConsistency(text, language)) return 'consistency';
    if (seeksDirection(text, language)) return 'direction';
    if (ratio !== null) return AVERAGE.test(text) ? 'average' : 'value';
    if (seeksGrowth(text, language)) return 'growth';
    return seeksItem(text, language) ? 'item' : null;
  })();
  return found === null ? null : { text, whole, ratio, form: found };
}

/** Words for a figure that the question defines. */
const DEFINED_FIGURE = /\b(?:ratio|turnover|margin|days)\b/iu;
/** An average over several years, of a figure for each. */
const AVERAGE =
  /\b(?:two|three|four|five|\p{Nd})[- ]years? average\b|\baverage (?:over|for) the (?:last|past)\b|\bdurchschnitt der jahre\b/iu;
/** Beginnings of questions for an amount. */
const AMOUNT =
  /^\s*(?:what|how (?:much|high|large))\b|^\s*(?:wie (?:hoch|viel|groß)|welchen (?:wert|betrag))\b|^\s*(?:quel(?:le)?s?|combien|à combien)\b/iu;

/** Returns whether the question seeks a change and names one year: it is the change from the year before. */
const seeksGrowth = (text: string, language: string | null): boolean =>
  ['change', 'difference'].includes(operationIn(text, language) ?? '') && periodsIn(text, language).length === 1;

/** Returns whether the question seeks the amount of one item in one year, and no change or share of it. */
export const seeksItem = (text: string, language: string | null): boolean =>
  AMOUNT.test(text) &&
  operationIn(text, language) === null &&
  periodsIn(text, language).length === 1 &&
  itemIn(text) !== null;

/** Returns whether the question names or defines a figure, so that a cell of one of its items is no answer. */
export const seeksRatio = (question: string): boolean =>
  ratioIn(question.slice(0, MAX_QUESTION)) !== null || isDefined(question.slice(0, MAX_QUESTION));

/** Returns whether the question seeks the amount of an item. */
export const seeksAmount = (question: string, language: string | null): boolean =>
  soughtIn(question, language)?.form === 'item';
