/**
 * Answers questions about figures of reports that no cell states: ratios with their usual formulas, whether something
 * rose or fell, the year with the highest value, whether a margin is stable, and which of several items is largest.
 * Every operand is a cell, shown and cited. Nothing is computed if an item or a period is missing or ambiguous, or if
 * the question is about a part of a company.
 */
import type { SearchHit } from '../../../search/types.ts';
import type { Question } from '../question.ts';
import { operationIn, type Computation, type TableRow } from '../table-arithmetic.ts';
import { grown, isPaid, judged, judgementWords, ranksYears, steady } from './judgements.ts';
import { chosen } from './options.ts';
import { calendarsOf, periodsIn, yearsOf, type Calendar, type Period } from './periods-of-columns.ts';
import { QUALIFIED } from './qualified.ts';
import type { Ratio } from './ratios.ts';
import type { Report } from './report.ts';
import { reportsAbout } from './reports-about.ts';
import { narrowingTerms } from './scope.ts';
import {
  averaged,
  cellOf,
  itemIn,
  phraseOfItem,
  seriesOf,
  stated,
  subjectIn,
  yearsOfSubject,
  type Point,
  type Subject,
} from './series.ts';
import { soughtIn, type Sought } from './sought.ts';

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
  const item = form === 'item' ? itemIn(text) : null;
  const subject: Subject | null =
    ratio ?? (item === null ? subjectIn(text, reports, language) : { label: '', items: [item] });
  if (subject === null || isQualified(text, subject)) return null;
  if ('label' in subject && isNarrowed(text, subject, reports, language)) return null;
  if (form === 'item') return cellOf(seriesOf(subject, periods, reports, language) ?? []);
  const points = (wanted: readonly Period[]): Point<Row>[] | null => seriesOf(subject, wanted, reports, language);
  const years = yearsOfSubject(subject, reports);
  if (form === 'average') {
    const found = points(rangeOf(periods, years));
    return found === null ? null : averaged(subject, found, language);
  }
  if (form === 'value') {
    const several = severalYears(text, periods, years);
    const wanted = several ?? (periods.length > 0 ? periods : years.slice(0, 1));
    const found = points(inTime(wanted));
    return found === null ? null : stated(subject, found);
  }
  if (form === 'growth') {
    const found = points(pairOf(periods, years));
    return found === null ? null : grown(found, operationIn(text, language) === 'change');
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

/** Returns whether the question has content that neither the label of the item nor the title of the report has. */
function isNarrowed<Row extends TableRow>(
  text: string,
  { label, items }: Exclude<Subject, Ratio>,
  reports: readonly Report<Row>[],
  language: string | null,
): boolean {
  const judged = judgementWords(text, language);
  const called = items.length > 0 ? (phraseOfItem(text) ?? '') : label;
  return reports.every(({ titles }) => narrowingTerms(text, called, titles, judged, language).length > 0);
}

const monthsOf = ({ year, quarter }: Period): number => year * 4 + (quarter ?? 4);
const inTime = (periods: readonly Period[]): Period[] => periods.toSorted((a, b) => monthsOf(a) - monthsOf(b));

const MAX_YEARS = 5;

/** Returns all years from the first to the last one of the question, or all years there are. */
function rangeOf(periods: readonly Period[], years: readonly Period[]): Period[] {
  const [first, last] = [inTime(periods)[0], inTime(periods).at(-1)];
  if (first === undefined || last === undefined || first.year === last.year) return inTime(years);
  const length = Math.min(last.year - first.year + 1, MAX_YEARS);
  return Array.from({ length }, (_, at) => ({ year: first.year + at, quarter: null }));
}

/** A number of years up to the one of the question, or to the latest one. */
const LAST_YEARS =
  /\b(?:last|past|previous|latest|letzten|vergangenen|dernières)\s(?<count>two|three|four|five|zwei|drei|vier|fünf|deux|trois|\p{Nd})\s(?:fiscal |business |financial )?(?:years|jahre|geschäftsjahre|années)/iu;
const COUNTS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  deux: 2,
  trois: 3,
};
const FROM_TO =
  /\b(?:from|between|von|zwischen|de)\b.{1,40}\b(?:to|and|through|until|bis|und|à)\b|\p{Nd}\s?[-–]\s?(?:FY\s?)?\p{Nd}/iu;

/** Returns the years of a span that the question names; null for single periods. */
function severalYears(text: string, periods: readonly Period[], years: readonly Period[]): Period[] | null {
  if (periods.some(({ quarter }) => quarter !== null)) return null;
  const counted = LAST_YEARS.exec(text)?.groups?.['count']?.toLowerCase();
  const last = (periods[0] ?? years[0])?.year;
  if (counted !== undefined && periods.length < 2 && last !== undefined) {
    const count = Math.min(COUNTS[counted] ?? Number(counted), MAX_YEARS);
    return Array.from({ length: count }, (_, back) => ({ year: last - back, quarter: null }));
  }
  return periods.length === 2 && FROM_TO.test(text) ? rangeOf(periods, years) : null;
}

/** Returns the two periods of the question, or the year that it names and the one before, or the latest two years. */
function pairOf(periods: readonly Period[], years: readonly Period[]): Period[] {
  const [first] = periods;
  if (periods.length >= 2) return inTime(periods).slice(0, 2);
  if (first !== undefined) return [{ ...first, year: first.year - 1 }, first];
  return inTime(years.slice(0, 2));
}

const isQualified = (text: string, subject: Subject): boolean => {
  const qualifier = QUALIFIED.exec(text)?.[0].toLowerCase();
  return qualifier !== undefined && !('label' in subject && subject.label.toLowerCase().includes(qualifier));
};
