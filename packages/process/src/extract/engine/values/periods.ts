/** Recognises periods between months or years, as in `March 2019 – present`, and single months or years. */
import { alternatives } from '../lexicon/lexicon.ts';
import { isMonth } from './dates.ts';

interface Part {
  start: number;
  end: number;
}

export interface Period extends Part {
  from: Part;
  /** Null for a single month or year. */
  to: Part | null;
  /** Whether the end is a word such as "present". */
  isOngoing: boolean;
}

const YEAR = String.raw`(?:19|20)\d{2}`;
const POINT = String.raw`(?:\d{1,2}[./]\d{1,2}[./]${YEAR}|\d{1,2}[./-]\s?${YEAR}|(?:\d{1,2}\.?\s)?\p{L}{3,10}\.?,?\s${YEAR}|${YEAR})`;
const YEAR_LENGTH = 4;
const BETWEEN = String.raw`\s?[-–—]\s?|\s(?:${alternatives(({ periods }) => periods?.between)})\s`;
const ONGOING = `(?:${alternatives(({ periods }) => periods?.ongoing)})`;
const PERIOD = new RegExp(
  String.raw`(?<![\p{L}\p{N}./-])(?<from>${POINT})(?:(?<between>${BETWEEN})(?:(?<to>${POINT})|(?<ongoing>${ONGOING})(?!\p{L})))?(?![\p{N}/]|-\d)`,
  'giu',
);

/** Returns the periods of a text; a single month or year only where it is the whole text or in brackets. */
export function findPeriods(text: string): Period[] {
  return [...text.matchAll(PERIOD)].flatMap((match): Period[] => {
    const { from: first = '', between = '', to, ongoing } = match.groups ?? {};
    if (to !== undefined && !isPoint(to)) return [];
    // A word before the year that is no month is not a part of the period: `Kiel, 2015`.
    const from = isPoint(first) ? first : first.slice(-YEAR_LENGTH);
    const end = match.index + match[0].length;
    const start = match.index + first.length - from.length;
    const second = to ?? ongoing;
    if (second === undefined) {
      const isAlone =
        /^\p{L}?[\s(.,:|·]*$/u.test(text.slice(0, start).slice(-2)) && /^[\s),|·]*$/u.test(text.slice(end));
      return isAlone ? [{ start, end, from: { start, end }, to: null, isOngoing: false }] : [];
    }
    const begin = start + from.length + between.length;
    const until = { start: begin, end: begin + second.length };
    return [{ start, end, from: { start, end: start + from.length }, to: until, isOngoing: to === undefined }];
  });
}

/** Returns whether the word before the year, if there is one, is a month. */
function isPoint(text: string): boolean {
  const word = /\p{L}+/u.exec(text)?.[0];
  return word === undefined || isMonth(word);
}
