/**
 * Recognises dates as documents print them. Day and month are distinguished by the document's other dates, else by its
 * language.
 */
import { foldAccents } from '@quire/text/language/fold';
import { LANGUAGES } from '../lexicon/languages.ts';
import { alternatives } from '../lexicon/lexicon.ts';

export interface DateSpan {
  start: number;
  end: number;
  text: string;
  /** ISO dates; two when day and month are ambiguous, day first. */
  readings: readonly string[];
  /** `hh:mm:ss` directly after the date. */
  time: string | null;
}

const YEAR = String.raw`(\d{4}|['’]?\d{2})(?!\d)`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|[.ºª])?`;
const BETWEEN = String.raw`(?:\s+(?:${alternatives(({ betweenDateParts }) => betweenDateParts)}))?`;

const ISO = /(?<![\d.\-/])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d])/g;
/** Both separators are the same sign: `08.30 - 12.30` are hours. */
const NUMERIC = new RegExp(String.raw`(?<![\d\/.\-])(\d{1,2})\s?([-\/.])\s?(\d{1,2})\s?\2\s?${YEAR}(?!\.\d)`, 'g');
const DAY_FIRST = new RegExp(
  String.raw`(?<!\d)(\d{1,2})${ORDINAL}${BETWEEN}[\s\-\/]*(\p{L}{3,12})\.?${BETWEEN}[\s,\-\/]*${YEAR}`,
  'giu',
);
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\s*,?\s+(\d{4})(?!\d)/giu;
const IDEOGRAPHIC = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/g;
const TIME = /^[\sT,]*(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*([AaPp]\.?[Mm])?/;

const MONTHS = monthNames();

export function findDates(text: string): DateSpan[] {
  const found: DateSpan[] = [];
  const add = (match: RegExpMatchArray, readings: readonly (string | null)[]): void => {
    const valid = [...new Set(readings.filter((reading) => reading !== null))];
    const start = match.index ?? 0;
    const end = start + match[0].length;
    if (valid.length === 0 || found.some((other) => other.start < end && start < other.end)) return;
    found.push({ start, end, text: match[0], readings: valid, time: timeAfter(text.slice(end)) });
  };
  for (const match of text.matchAll(ISO)) add(match, [iso(match[1], match[3], match[4])]);
  for (const match of text.matchAll(IDEOGRAPHIC)) add(match, [iso(match[1], match[2], match[3])]);
  for (const match of text.matchAll(NUMERIC))
    add(match, [iso(match[4], match[3], match[1]), iso(match[4], match[1], match[3])]);
  for (const match of text.matchAll(DAY_FIRST)) add(match, [iso(match[3], monthOf(match[2]), match[1])]);
  for (const match of text.matchAll(MONTH_FIRST)) add(match, [iso(match[3], monthOf(match[1]), match[2])]);
  return found.toSorted((a, b) => a.start - b.start);
}

/** Returns whether the document writes the month first. `american` is the default by language and currency. */
export function monthComesFirst(dates: readonly DateSpan[], american: boolean): boolean {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const { text, readings } of dates) {
    const [first, second] = text.split(/\D+/).map(Number);
    if (readings.length !== 1 || first === undefined || second === undefined || /\p{L}/u.test(text)) continue;
    if (first > 12 && first <= 31) dayFirst += 1;
    else if (second > 12 && first <= 12) monthFirst += 1;
  }
  return dayFirst === monthFirst ? american : monthFirst > dayFirst;
}

function iso(year: string | undefined, month: string | undefined, day: string | undefined): string | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  const digits = year.replace(/\D/g, '');
  const fullYear =
    digits.length === 2 ? String(Number(digits) > 69 ? 1900 + Number(digits) : 2000 + Number(digits)) : digits;
  const date = new Date(Date.UTC(Number(fullYear), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!exists || Number(fullYear) < 1800 || Number(fullYear) > 2200) return null;
  return date.toISOString().slice(0, 10);
}

function monthOf(name: string | undefined): string | undefined {
  const month = MONTHS.get(foldAccents((name ?? '').toLowerCase()));
  return month === undefined ? undefined : String(month);
}

/** Returns whether the word is the name of a month, also an abbreviated one. */
export const isMonth = (word: string): boolean => monthOf(word.replace(/\.$/u, '')) !== undefined;

function timeAfter(rest: string): string | null {
  const match = TIME.exec(rest);
  if (match === null) return null;
  const afternoon = /^p/i.test(match[4] ?? '');
  const hour = (Number(match[1]) % (match[4] === undefined ? 24 : 12)) + (afternoon ? 12 : 0);
  const minute = Number(match[2]);
  if (Number(match[1]) > 24 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${match[2]}:${match[3] ?? '00'}`;
}

/**
 * Returns long and short month names from ICU, and spellings that ICU lacks. For equal names the first language wins.
 */
function monthNames(): Map<string, number> {
  const names = new Map(LANGUAGES.flatMap(({ months }) => Object.entries(months ?? {})));
  for (const { language } of LANGUAGES)
    for (const month of ['long', 'short'] as const)
      // Some languages inflect the month beside a day.
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
        for (let at = 0; at < 12; at += 1) {
          const text = format.format(new Date(Date.UTC(2024, at, 15)));
          const name = /\p{L}{3,}/u.exec(foldAccents(text.toLowerCase()))?.[0];
          if (name !== undefined && !names.has(name)) names.set(name, at + 1);
        }
      }
  return names;
}
