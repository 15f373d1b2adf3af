/** Finds the column of a table for a business year or for a part of it. */
import { plainPeriods } from '../periods.ts';
import { columnsOf } from '../table-cells.ts';

export interface Period {
  year: number;
  /** Quarter of the year, 1 to 4; null for the whole year or its end. */
  quarter: number | null;
}

/** Month (1 to 12) at whose end the business year ends; null if it does not matter, as no quarter is named. */
export type Calendar = number | null;

/** Words of a column for a part of the year, or for a change between years. */
const PART =
  /\b(?:three|six|nine|3|6|9) months\b|\bquarter\b|\bQ[1-4]\b|\b(?:first|second) half\b|\bquartal|\bhalbjahr|\b(?:drei|sechs|neun) monate\b|\btrimestre|\bsemestre/iu;
const NO_VALUE = /%|\bchange\b|\bincrease\b|\bveränderung|\bvariation\b|∆|\bfx\b/iu;
const YEAR = /(?<!\p{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})/gu;

/** Returns the periods that a question names, in its order: "FY2023", "Q2 of FY2024". */
export function periodsIn(question: string, language: string | null): Period[] {
  const plain = plainPeriods(question, language);
  const pattern =
    /(?:(?<![\p{L}\p{Nd}])Q(?<quarter>[1-4])(?: of| in| for)? )?(?<!\p{Nd})(?<year>(?:19|20)\p{Nd}{2})(?!\p{Nd})/gu;
  const found = Array.from(plain.matchAll(pattern), ({ groups }): Period => {
    const quarter = groups?.['quarter'];
    return { year: Number(groups?.['year']), quarter: quarter === undefined ? null : Number(quarter) };
  });
  return found.filter((each, at) => found.findIndex((other) => isSamePeriod(other, each)) === at);
}

export const isSamePeriod = (a: Period, b: Period): boolean => a.year === b.year && a.quarter === b.quarter;

/** Returns the years of the columns with values of whole years. */
export const yearsOf = (header: string, language: string | null): number[] => [
  ...new Set(
    columnsOf(header)
      .slice(1)
      .filter((name) => isWholeYear(name))
      .flatMap((name) => yearsIn(name, language)),
  ),
];

/** Returns whether a column holds values of the whole year or its end. */
export const isWholeYearOf = (name: string, year: number, language: string | null): boolean =>
  isWholeYear(name) && yearsIn(name, language).includes(year);

const isWholeYear = (name: string): boolean => !PART.test(name) && !NO_VALUE.test(name);

const yearsIn = (name: string, language: string | null): number[] =>
  (plainPeriods(name, language).match(YEAR) ?? []).map(Number);

/**
 * Returns the column of a period or of its end; null if several columns are about it. Columns of one name are one, as
 * signs of currency have columns of their own.
 */
export function columnOfPeriod(
  header: string,
  { year, quarter }: Period,
  calendar: Calendar,
  language: string | null,
): number | null {
  const names = columnsOf(header);
  const isAsked = (name: string): boolean => {
    if (calendar !== null) return isColumnOf(name, { year, quarter }, calendar);
    return quarter === null && isWholeYear(name) && yearsIn(name, language).includes(year);
  };
  const found = names.flatMap((name, at) => (at > 0 && names.indexOf(name) === at && isAsked(name) ? [at] : []));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Columns of more than a quarter and less than a year. */
const LONGER = /\b(?:six|nine|6|9) months\b|\b(?:26|39|twenty-six|thirty-nine) weeks\b|\bhalf\b/iu;

/** Returns whether a column holds the value of the period, or of its end in a balance sheet. */
const isColumnOf = (name: string, period: Period, calendar: number): boolean =>
  (period.quarter === null ? isWholeYear(name) : !LONGER.test(name) && !NO_VALUE.test(name)) &&
  isEndOf(name, period, calendar);

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Years of 52 or 53 weeks end up to a week before or after the end of the month. */
const MAX_DAYS_AFTER = 7;
const MONTHS_OF_QUARTER = 3;

/** Returns the month (1 to 12) and the year of a date at the end of a month; null without one. */
function endOfMonthIn(name: string): { year: number; month: number } | null {
  const written =
    /\b(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?<day>\p{Nd}{1,2}),? (?<year>(?:19|20)\p{Nd}{2})\b/iu.exec(
      name,
    )?.groups;
  if (written === undefined) return null;
  const month = MONTHS.indexOf((written['month'] ?? '').toLowerCase());
  const date = new Date(Date.UTC(Number(written['year']), month, Number(written['day']) - MAX_DAYS_AFTER - 1));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

/** Returns whether the name of a column is the date at which the period ends. A business year is called by its end. */
function isEndOf(name: string, { year, quarter }: Period, calendar: number): boolean {
  const end = endOfMonthIn(name);
  if (end === null) return false;
  const months = year * 12 + calendar - 1 - (4 - (quarter ?? 4)) * MONTHS_OF_QUARTER;
  return end.year * 12 + end.month - 1 === months;
}

/**
 * Returns the months at which the business year may end so that each period is a column of a header; empty if there are
 * no such dates.
 */
export const calendarsOf = (headers: readonly string[], periods: readonly Period[]): number[] =>
  MONTHS.map((_, at) => at + 1).filter((month) =>
    headers.some((header) =>
      periods.every((period) => columnsOf(header).some((name) => isColumnOf(name, period, month))),
    ),
  );
