/**
 * Answers questions about figures of reports that no cell states: ratios with their usual formulas, whether something
 * rose or fell, the year with the highest value, whether a margin is stable, and which of several items is largest.
 * Every operand is a cell, shown and cited. Nothing is computed if an item or a period is missing or ambiguous, or if
 * the question is about a part of a company.
 */
import type { SearchHit } from '../../../search/types.ts';
import { holdsTerm, type Question } from '../question.ts';
import { analyse } from '../reading.ts';
import type { Computation, TableRow } from '../table-arithmetic.ts';
import { titlesOf } from '../titles.ts';
import type { Quotable } from '../quotables.ts';
import { namedRows } from '../table-names.ts';
import {
  isPaid,
  judged,
  paidItemIn,
  ranksYears,
  seeksConsistency,
  seeksDirection,
  seeksYear,
  steady,
  tellsPayment,
} from './judgements.ts';
import { searchWords, type Item } from './items.ts';
import { chosen, optionsIn } from './options.ts';
import { calendarsOf, periodsIn, yearsOf, type Calendar, type Period } from './periods-of-columns.ts';
import { itemsOf, ratioIn, type Ratio } from './ratios.ts';
import type { Report } from './report.ts';
import { seriesOf, stated, subjectIn, yearsOfSubject, type Point, type Subject } from './series.ts';

const MAX_QUESTION = 500;
/** Number of characters of a quote with its headings that are read. */
const MAX_STATED = 2_000;
/** Parts and variants of a company's figures, which its statements do not state. */
const QUALIFIED =
  /\b(?:segments?|divisions?|regions?|domestic|international|categor(?:y|ies)|products?|adjusted|non-gaap|pro[- ]forma|comparable|organic|per share|monthly|quarterly|defined as|calculated as)\b|\b(?:segment|sparte|bereich|region|bereinigt|je aktie|pro aktie)|\b(?:secteur|par action|ajusté)/iu;

/** The figure that a question seeks, apart from company and period. */
interface Sought {
  /** The first sentence of the question, without brackets. */
  text: string;
  /** The same with brackets. */
  whole: string;
  ratio: Ratio | null;
  form: 'value' | 'direction' | 'year' | 'consistency' | 'payment' | 'option';
}

/** Returns the figure that a question seeks; null for other questions. */
function soughtIn(question: string, language: string | null): Sought | null {
  const whole = question.slice(0, MAX_QUESTION).replace(/(?<=\?).*/su, '');
  const text = whole.replaceAll(/\([^()]*\)/gu, ' ');
  const ratio = ratioIn(text);
  const found = ((): Sought['form'] | null => {
    if (optionsIn(text, language) !== null) return 'option';
    if (ratio === null && paidItemIn(text, language) !== null) return 'payment';
    if (seeksYear(text, language)) return 'year';
    if (ratio !== null && seeksConsistency(text, language)) return 'consistency';
    if (seeksDirection(text, language)) return 'direction';
    return ratio === null ? null : 'value';
  })();
  return found === null ? null : { text, whole, ratio, form: found };
}

/**
 * Returns whether a quote may answer the question for a figure that was not computed: it says the ratio or the payment
 * by its name, or is a row that the question names.
 */
export function mayAnswer(
  quote: Quotable,
  question: Question,
  headings: readonly string[],
  language: string | null,
): boolean {
  const sought = soughtIn(question.text, language);
  if (sought === null) return true;
  const stated = [quote.text, quote.header ?? '', ...headings].join('\n').slice(0, MAX_STATED);
  if (sought.ratio !== null) return sought.ratio.asked.test(stated);
  const item = sought.form === 'payment' ? paidItemIn(sought.text, language) : null;
  if (item !== null) return tellsPayment(stated, item);
  return quote.header === null || namedRows([quote], question, language).length > 0;
}

/** Returns whether the question names a figure with a formula, so that a cell of one of its items is no answer. */
export const seeksRatio = (question: string): boolean => ratioIn(question.slice(0, MAX_QUESTION)) !== null;

/** Returns further searches for the items of the figure that the question seeks; none for other questions. */
export function figureSearches(question: string, language: string | null): string[] {
  const sought = soughtIn(question, language);
  if (sought === null || QUALIFIED.test(sought.text)) return [];
  const items: readonly Item[] = itemsFor(sought, language);
  if (items.length === 0) return [];
  const names = Array.from(sought.text.matchAll(/(?<=\s)\p{Lu}[\p{L}\p{Nd}&.-]*/gu), ([name]) =>
    name.replace(/['’]s$/u, ''),
  ).filter((name) => !/^(?:FY|GJ|Q[1-4])/u.test(name));
  const years = [...new Set(periodsIn(sought.text, language).map(({ year }) => year))];
  const about = [...names, ...years].join(' ');
  return [`${about}: ${items.map((item) => searchWords(item, language)).join(', ')}`];
}

function itemsFor({ text, ratio, form }: Sought, language: string | null): readonly Item[] {
  if (ratio !== null) return itemsOf(ratio.formulas.join(' '));
  if (form === 'payment') return [paidItemIn(text, language)].flatMap((item) => item ?? []);
  if (form === 'option') return (optionsIn(text, language)?.options ?? []).flatMap(({ item }) => item ?? []);
  return subjectIn(text, [], language)?.items ?? [];
}

/** Returns the computation of the figure that the question seeks, or null. `rows` are in order of rank. */
export function figureOf<Row extends TableRow>(
  question: Question,
  rows: readonly Row[],
  hits: readonly SearchHit[],
  language: string | null,
): Computation<Row> | null {
  const sought = soughtIn(question.text, language);
  if (sought === null) return null;
  const periods = periodsIn(sought.text, language);
  const reports = reportsAbout(question, sought, rows, hits, language);
  for (const calendar of calendarsFor(periods, reports)) {
    const made = reports.map((report) => ({ ...report, calendar }));
    // Without a period the latest report counts.
    if (periods.length === 0) made.sort((a, b) => lastYearOf(b) - lastYearOf(a));
    for (const report of made) {
      const computation = computationIn(sought, periods, [report], language);
      if (computation !== null) return computation;
    }
    // Periods of several reports are compared if the question names the company.
    const computation = made.length > 1 && periods.length > 1 ? computationIn(sought, periods, made, language) : null;
    if (computation !== null) return computation;
  }
  return null;
}

const lastYearOf = <Row extends TableRow>({ rows, language }: Report<Row>): number =>
  Math.max(0, ...rows.flatMap(({ header }) => (header === null ? [] : yearsOf(header, language))));

/** Returns the only calendar in which the quarters of the question are dates of columns. */
function calendarsFor<Row extends TableRow>(periods: readonly Period[], reports: readonly Report<Row>[]): Calendar[] {
  if (periods.every(({ quarter }) => quarter === null)) return [null];
  const headers = reports.flatMap(({ rows }) => rows.flatMap(({ header }) => header ?? []));
  const calendars = calendarsOf([...new Set(headers)], periods);
  return calendars.length === 1 ? calendars : [];
}

function computationIn<Row extends TableRow>(
  sought: Sought,
  periods: readonly Period[],
  reports: readonly Report<Row>[],
  language: string | null,
): Computation<Row> | null {
  const { text, whole, ratio, form } = sought;
  if (form === 'option') return chosen(text, periods, reports, language);
  if (form === 'payment') return isPaid(text, periods, reports, language);
  const subject: Subject | null = ratio ?? subjectIn(text, reports, language);
  if (subject === null || isQualified(text, subject)) return null;
  const points = (wanted: readonly Period[]): Point<Row>[] | null => seriesOf(subject, wanted, reports, language);
  const years = yearsOfSubject(subject, reports);
  if (form === 'value') {
    const wanted = periods.length > 0 ? periods : years.slice(0, 1);
    const found = points(inTime(wanted));
    return found === null ? null : stated(subject, found);
  }
  if (form === 'direction') {
    const found = points(pairOf(periods, years));
    return found === null ? null : judged(text, subject, found, periods, language);
  }
  const wanted = periods.length > 1 ? periods : years;
  const found = wanted.length > 1 ? points(inTime(wanted)) : null;
  if (found === null) return null;
  return form === 'year' ? ranksYears(text, found, language) : steady(whole, subject, found, language);
}

const isQualified = (text: string, subject: Subject): boolean => {
  const qualifier = QUALIFIED.exec(text)?.[0].toLowerCase();
  return qualifier !== undefined && !('label' in subject && subject.label.toLowerCase().includes(qualifier));
};

const monthsOf = ({ year, quarter }: Period): number => year * 4 + (quarter ?? 4);
const inTime = (periods: readonly Period[]): Period[] => periods.toSorted((a, b) => monthsOf(a) - monthsOf(b));

/** Returns the two periods of the question, or the year that it names and the one before, or the latest two years. */
function pairOf(periods: readonly Period[], years: readonly Period[]): Period[] {
  const [first] = periods;
  if (periods.length >= 2) return inTime(periods).slice(0, 2);
  if (first !== undefined) return [{ ...first, year: first.year - 1 }, first];
  return inTime(years.slice(0, 2));
}

/** German capitalises every noun: names are those behind "von" and "bei", and several words together. */
const GERMAN_NAME =
  /\b(?:von|bei) (?<behind>\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*)|(?<=\s)(?<pair>\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)+)/gu;

const germanNames = (text: string, language: string | null): string[] =>
  language === 'de'
    ? Array.from(text.matchAll(GERMAN_NAME), ({ groups }) => groups?.['behind'] ?? groups?.['pair'] ?? '').flatMap(
        (name) => analyse(name, language),
      )
    : [];

/** Returns the documents whose titles hold the names of the question; of all documents if it has no names. */
function reportsAbout<Row extends TableRow>(
  question: Question,
  { text, ratio }: Sought,
  rows: readonly Row[],
  hits: readonly SearchHit[],
  language: string | null,
): Report<Row>[] {
  const phrase = ratio === null ? '' : (ratio.asked.exec(text)?.[0] ?? '');
  const labels = rows.map(({ text: row }) => row.split('|')[0] ?? '').join('\n');
  const known = new Set(analyse(`${phrase}\n${labels}`, language));
  const first = new Set(analyse(text, language));
  const names = [...question.names, ...germanNames(text, language)].filter(
    (term) => first.has(term) && !known.has(term) && !/^(?:fy|gj|[qh])?\p{Nd}*$/iu.test(term),
  );
  const documents = new Map<string, Row[]>();
  for (const row of rows) {
    const id = hits[row.chunk]?.documentId ?? '';
    documents.set(id, [...(documents.get(id) ?? []), row]);
  }
  const reports = [...documents].flatMap(([documentId, own]) => {
    const chunks = hits.filter((hit) => hit.documentId === documentId);
    const titles = chunks.flatMap((hit) => [...titlesOf(hit), ...hit.headings.slice(0, 1)]);
    const held = new Set(analyse(titles.join('\n').replaceAll('_', ' '), language));
    if (!names.every((name) => holdsTerm(held, name, question))) return [];
    const around = (row: Row): { headings: readonly string[]; text: string } => ({
      headings: hits[row.chunk]?.headings ?? [],
      text: hits[row.chunk]?.text ?? '',
    });
    return [{ documentId, rows: own, language, around, calendar: null }];
  });
  return reports;
}
