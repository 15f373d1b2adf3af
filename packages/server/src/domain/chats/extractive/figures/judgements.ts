/** Judges figures of several periods: the direction of change, the year with the highest value, and stability. */
import { amountLike, type Computation, type TableRow } from '../table-arithmetic.ts';
import type { Item } from './items.ts';
import type { Period } from './periods-of-columns.ts';
import { isSamePeriod } from './periods-of-columns.ts';
import type { Report } from './report.ts';
import { computationOf, listed, seriesOf, yearsOfSubject, type Point, type Subject } from './series.ts';

interface Words {
  yesNo: RegExp;
  rise: RegExp;
  fall: RegExp;
  change: RegExp;
  /** "Higher in 2022 than in 2021": the first period is the one that the question is about. */
  than: RegExp;
  year: RegExp;
  highest: RegExp;
  lowest: RegExp;
  stable: RegExp;
  unstable: RegExp;
  dividends: RegExp;
  repurchases: RegExp;
  answers: readonly [yes: string, no: string];
}

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    yesNo: /^\s*(?:[^?,]{1,80}, )?(?:did|has|have|had|is|are|was|were|does|do)\b/iu,
    rise: /\b(?:gr[oe]w|grown|growing|growth|rise|rose|risen|rising|increas\w*|higher|improv\w*|expand\w*|gained)\b/iu,
    fall: /\b(?:fall|fell|fallen|falling|drop\w*|declin\w*|decreas\w*|lower|shr[iau]nk\w*|worsen\w*|deteriorat\w*|reduc\w*)\b/iu,
    change: /\bchang(?:e|ed|es)\b/iu,
    than: /\bthan\b/iu,
    year: /\b(?:which|what)(?: fiscal| business| financial)? years?\b|\bin which of\b/iu,
    highest: /\b(?:high(?:er|est)|larg(?:er|est)|most|great(?:er|est)|bigg(?:er|est)|best|peak\w*|maximum)\b/iu,
    lowest: /\b(?:low(?:er|est)|small(?:er|est)|least|fewest|worst|minimum)\b/iu,
    stable: /\b(?:consistent(?:ly)?|stable|steady|not fluctuat\w*|not var(?:y|ied))\b/iu,
    unstable: /\b(?:fluctuat\w*|volatile|var(?:y|ied|ying))\b/iu,
    dividends: /\b(?:pay|pays|paid|distributed?|distributing)\b.{0,60}\bdividends?\b/iu,
    repurchases: /\b(?:repurchased?|buy back|bought back|buying back)\b.{0,60}\b(?:shares?|stock)\b/iu,
    answers: ['Yes', 'No'],
  },
  de: {
    yesNo:
      /^\s*(?:ist|sind|war|waren|hat|haben|gab es|wuchs(?:en)?|stieg(?:en)?|sank(?:en)?|fiel(?:en)?|nahm(?:en)?|zahlte|wurden?)\b/iu,
    rise: /\b(?:wuchs(?:en)?|gewachsen|gestiegen|stieg(?:en)?|zugenommen|erhöht|höher|verbessert|anstieg|zunahme|zuwachs)\b/iu,
    fall: /\b(?:sank(?:en)?|gesunken|gefallen|fiel(?:en)?|abgenommen|verringert|niedriger|verschlechtert|rückgang|abnahme)\b/iu,
    change: /\b(?:veränder\w*|geändert|änderung)\b/iu,
    than: /\bals\b/iu,
    year: /\b(?:in welchem|welches)(?: geschäfts)? ?jahr\b/iu,
    highest: /\b(?:höher|höchste[nrsm]?|größer|größte[nrsm]?|am (?:höchsten|größten))\b/iu,
    lowest: /\b(?:niedriger|niedrigste[nrsm]?|geringste[nrsm]?|am (?:niedrigsten|geringsten|kleinsten))\b/iu,
    stable: /\b(?:stabil|konstant|beständig|gleichmäßig)\b/iu,
    unstable: /\bschwank\w*/iu,
    dividends:
      /\b(?:zahlte|gezahlt|ausgeschüttet|ausgezahlt)\b|\bdividenden?\b.{0,60}\b(?:gezahlt|ausgeschüttet|aus)\b/iu,
    repurchases: /\beigene aktien\b.{0,60}\b(?:gekauft|zurückgekauft|erworben)\b/iu,
    answers: ['Ja', 'Nein'],
  },
  fr: {
    yesNo:
      /^\s*(?!(?:de |à |dans |en )?(?:quel|combien|comment))(?:est-ce qu|y a-t-il|[^?]{1,80} (?:a|ont|est|sont|était|étaient)-t?-?(?:ils?|elles?)\b)/iu,
    rise: /\b(?:augment\w*|progress\w*|amélior\w*|hausse|plus élevée?s?)\b/iu,
    fall: /\b(?:baiss\w*|dimin\w*|recul\w*|détérior\w*|moins élevée?s?)\b/iu,
    change: /\b(?:chang\w*|vari\w*)\b/iu,
    than: /\bqu['’e]/iu,
    year: /\b(?:quelle année|quel exercice)\b/iu,
    highest: /\b(?:plus (?:élevée?s?|grande?s?|haute?s?))\b/iu,
    lowest: /\b(?:plus (?:basse?s?|faibles?|petite?s?))\b/iu,
    stable: /\b(?:stables?|constante?s?)\b/iu,
    unstable: /\bfluctu\w*/iu,
    dividends: /\b(?:vers|pay|distribu)\p{L}*\b.{0,60}\bdividendes?\b/iu,
    repurchases: /\brachet\p{L}*\b.{0,60}\bactions\b/iu,
    answers: ['Oui', 'Non'],
  },
};

const wordsOf = (language: string | null): Words | undefined => WORDS[language ?? 'en'];

export function seeksYear(text: string, language: string | null): boolean {
  const words = wordsOf(language);
  return words !== undefined && words.year.test(text) && words.highest.test(text) !== words.lowest.test(text);
}

export function seeksConsistency(text: string, language: string | null): boolean {
  const words = wordsOf(language);
  return words !== undefined && (words.stable.test(text) || words.unstable.test(text));
}

export const seeksDirection = (text: string, language: string | null): boolean => directionIn(text, language) !== null;

function directionIn(text: string, language: string | null): 'rise' | 'fall' | 'change' | 'either' | null {
  const words = wordsOf(language);
  if (words === undefined || !words.yesNo.test(text)) return null;
  const [rise, fall] = [words.rise.test(text), words.fall.test(text)];
  if (rise && fall) return 'either';
  if (rise || fall) return rise ? 'rise' : 'fall';
  return words.change.test(text) ? 'change' : null;
}

/** Words without which a sentence does not say whether something was paid. */
const PAYMENTS: Readonly<Partial<Record<Item, RegExp>>> = {
  dividends: /\bdividend/iu,
  repurchases: /\b(?:re)?purchas|\bbuy-?backs?\b|\bbought back\b|\beigene[rn]? aktien\b|\brach(?:a|è|e)t/iu,
};

/** Returns whether a text speaks of the payment that the question is about. */
export const tellsPayment = (text: string, item: Item): boolean => PAYMENTS[item]?.test(text) !== false;

/** Returns the item of a question for whether a company paid something. */
export function paidItemIn(text: string, language: string | null): Item | null {
  const words = wordsOf(language);
  if (words === undefined || !words.yesNo.test(text) || directionIn(text, language) !== null) return null;
  if (words.dividends.test(text)) return 'dividends';
  return words.repurchases.test(text) ? 'repurchases' : null;
}

/** Words for a change in percent, or from the year before. */
const RELATIVE =
  /\byear[- ]over[- ]year\b|\byoy\b|\bannual(?:ly)?\b|\bpercent(?:age)?\b|\brate\b|\bprozent\p{L}{0,10}/iu;

/** Returns the words of a question for a change, an order or a verdict. */
export function judgementWords(text: string, language: string | null): string {
  const words = wordsOf(language);
  if (words === undefined) return '';
  const { rise, fall, change, than, year, highest, lowest, stable, unstable } = words;
  return [rise, fall, change, than, year, highest, lowest, stable, unstable, RELATIVE]
    .flatMap((pattern) => [...text.matchAll(new RegExp(pattern.source, 'giu'))].map(([found]) => found))
    .join(' ');
}

const answerOf = (isYes: boolean, language: string | null): string => wordsOf(language)?.answers[isYes ? 0 : 1] ?? '';

const PERCENT_DIGITS = 1;
const percent = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(PERCENT_DIGITS).replace('-', '−')}`;

/** Returns whether the figure changed as the question says, with both values; `points` are in order of time. */
export function judged<Row extends TableRow>(
  text: string,
  subject: Subject,
  points: readonly Point<Row>[],
  periods: readonly Period[],
  language: string | null,
): Computation<Row> | null {
  const direction = directionIn(text, language);
  const [before, after] = points;
  if (direction === null || TOLERANCE.test(text) || before === undefined || after === undefined || points.length > 2)
    return null;
  // "Improve" says nothing about days, of which fewer may be better.
  if ('result' in subject && subject.result === 'days' && /\b(?:improv|worsen|verbess|verschlecht)/iu.test(text))
    return null;
  const isReversed =
    wordsOf(language)?.than.test(text) === true && periods[0] !== undefined && isSamePeriod(periods[0], before.period);
  const difference = (after.value - before.value) * (isReversed ? -1 : 1);
  const isYes = { rise: difference > 0, fall: difference < 0, change: difference !== 0, either: false }[direction];
  const change = before.value > 0 && after.value >= 0 ? (after.value / before.value - 1) * 100 : null;
  const isPercent = 'result' in subject && subject.result === 'percent';
  const result =
    direction === 'either' ? (change === null || isPercent ? null : `${percent(change)} %`) : answerOf(isYes, language);
  if (result === null) return null;
  const pieces = listed(subject, points);
  return computationOf(result, ': ', change === null || isPercent ? pieces : [...pieces, ` (${percent(change)} %)`]);
}

/** Returns the change from the first point to the second one, in percent or as an amount. */
export function grown<Row extends TableRow>(
  [before, after]: readonly Point<Row>[],
  isRelative: boolean,
): Computation<Row> | null {
  const operand = after?.pieces.find((piece) => typeof piece === 'object');
  if (before === undefined || after === undefined || typeof operand !== 'object' || before.value <= 0) return null;
  const change = `${percent((after.value / before.value - 1) * 100)} %`;
  const pieces = [...before.pieces, ' → ', ...after.pieces];
  if (isRelative) return computationOf(change, ': ', pieces);
  return computationOf(amountLike(after.value - before.value, operand), ': ', [...pieces, ` (${change})`]);
}

/** Returns the year with the highest or lowest value, and all values in order; null if two share the first place. */
export function ranksYears<Row extends TableRow>(
  text: string,
  points: readonly Point<Row>[],
  language: string | null,
): Computation<Row> | null {
  const isHighest = wordsOf(language)?.highest.test(text) === true;
  const ordered = points.toSorted((a, b) => (b.value - a.value) * (isHighest ? 1 : -1));
  const [first, second] = ordered;
  if (first === undefined || second === undefined || first.value === second.value) return null;
  const pieces = ordered.flatMap(({ pieces: own, written, period }, at) => [
    ...(at === 0 ? [] : [isHighest ? ' > ' : ' < ']),
    ...own,
    own.length > 1 ? ` = ${written} (${period.year})` : ` (${period.year})`,
  ]);
  return computationOf(String(first.period.year), ': ', pieces);
}

const TOLERANCE =
  /(?<number>\p{Nd}+(?:[.,]\p{Nd}+)?)\s?(?:%|percent|percentage points?|pp\b|prozent(?:punkte)?|pour cent|points?)/iu;
const MIN_YEARS = 2;

/**
 * Returns whether the figure, in percent, stays within the points a year that the question allows, with all values.
 * Without such a limit it returns the values and no verdict.
 */
export function steady<Row extends TableRow>(
  text: string,
  subject: Subject,
  points: readonly Point<Row>[],
  language: string | null,
): Computation<Row> | null {
  if (!('result' in subject) || subject.result !== 'percent' || points.length < MIN_YEARS) return null;
  const pieces = listed(subject, points);
  const limit = TOLERANCE.exec(text)?.groups?.['number'];
  if (limit === undefined) return computationOf(points.map(({ written }) => written).join(' → '), ': ', pieces);
  const steps = points.slice(1).map(({ value }, at) => Math.abs(value - (points[at]?.value ?? value)) * 100);
  const isStable = Math.max(...steps) <= Number(limit.replace(',', '.'));
  const isAskedStable = wordsOf(language)?.stable.test(text) === true;
  return computationOf(answerOf(isStable === isAskedStable, language), ': ', pieces);
}

/** Returns whether a company paid dividends or repurchased shares, with the amount. */
export function isPaid<Row extends TableRow>(
  text: string,
  periods: readonly Period[],
  reports: readonly Report<Row>[],
  language: string | null,
): Computation<Row> | null {
  const item = paidItemIn(text, language);
  if (item === null || periods.length > 1) return null;
  const subject: Subject = { label: '', items: [item] };
  const wanted = periods.length > 0 ? periods : yearsOfSubject(subject, reports).slice(0, 1);
  const [point] = seriesOf(subject, wanted, reports, language) ?? [];
  return point === undefined ? null : computationOf(answerOf(point.value !== 0, language), ': ', point.pieces);
}
