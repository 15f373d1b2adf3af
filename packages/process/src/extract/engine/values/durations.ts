/** Recognises durations as documents print them: `two (2) years`, `24 Monate`, `douze mois`. */
import { DURATION_UNITS, type DurationUnit } from '../lexicon/language.ts';
import { LANGUAGES } from '../lexicon/languages.ts';
import { phrasesIn } from '../lexicon/phrase-lists.ts';

export interface DurationSpan {
  start: number;
  end: number;
  text: string;
  count: number;
  unit: DurationUnit;
  /** The unit as printed; of an anniversary, years. */
  unitText: string;
}

interface LanguagePattern {
  pattern: RegExp;
  numbers: ReadonlyMap<string, number>;
  units: ReadonlyMap<string, DurationUnit>;
}

/** One pattern per language, because a number word of one language may be an ordinary word of another. */
const PATTERNS = LANGUAGES.flatMap(({ durations }): LanguagePattern[] => {
  if (durations === undefined) return [];
  const numbers = new Map(Object.entries(durations.numbers));
  const units = new Map(
    DURATION_UNITS.flatMap((unit) => phrasesIn(durations.units[unit]).map((word) => [word, unit] as const)),
  );
  const between = durations.between === undefined ? '' : `(?:\\s+(?:${phrasesIn(durations.between).join('|')}))?`;
  const source = String.raw`(?<![\p{L}\p{N}])(?:(?:(?:\p{L}|(?<=\p{L})-)+\s*)?\(\s*(?<bracketed>\d{1,3})\s*\)|(?<digits>\d{1,3})|(?<word>${[...numbers.keys()].join('|')}))${between}[\s-]+(?<unit>${[...units.keys()].join('|')})(?!\p{L})`;
  return [{ pattern: new RegExp(source, 'giu'), numbers, units }];
});
/** Anniversaries up to which something lasts: `the second anniversary` is two years after its date. */
const ANNIVERSARIES = LANGUAGES.flatMap(({ durations }) => {
  const { ordinals, word, year } = durations?.anniversary ?? {};
  if (ordinals === undefined) return [];
  const source = String.raw`(?<![\p{L}\p{N}])(?:(?<ordinal>${Object.keys(ordinals).join('|')})(?:\s*\(\s*\d{1,2}\p{L}{2}\s*\))?|(?<digits>\d{1,2})(?:st|nd|rd|th))\s+${word}(?!\p{L})`;
  return [{ pattern: new RegExp(source, 'giu'), ordinals, year: year ?? '' }];
});
const ANNIVERSARY_WORDS = LANGUAGES.flatMap(({ durations }) => durations?.anniversary?.word ?? []);
/** Finds texts that may hold a duration, in one pass for all languages. */
const UNIT = new RegExp(
  String.raw`(?<!\p{L})(?:${[...PATTERNS.flatMap(({ units }) => [...units.keys()]), ...ANNIVERSARY_WORDS].join('|')})(?!\p{L})`,
  'iu',
);

/** Returns the durations in order. For equal texts the first language wins. */
export function findDurations(text: string): DurationSpan[] {
  if (!UNIT.test(text)) return [];
  const found = new Map<number, DurationSpan>();
  for (const { pattern, numbers, units } of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const { bracketed, digits, word, unit: unitText = '' } = match.groups ?? {};
      const count = word === undefined ? Number(bracketed ?? digits) : numbers.get(word.toLowerCase());
      const unit = units.get(unitText.toLowerCase());
      if (count === undefined || unit === undefined || found.has(match.index)) continue;
      const end = match.index + match[0].length;
      found.set(match.index, { start: match.index, end, text: match[0], count, unit, unitText });
    }
  for (const { pattern, ordinals, year } of ANNIVERSARIES)
    for (const match of text.matchAll(pattern)) {
      const { ordinal, digits } = match.groups ?? {};
      const count = ordinal === undefined ? Number(digits) : ordinals[ordinal.toLowerCase()];
      if (count === undefined) continue;
      const end = match.index + match[0].length;
      found.set(match.index, { start: match.index, end, text: match[0], count, unit: 'year', unitText: year });
    }
  return [...found.values()].toSorted((a, b) => a.start - b.start);
}

/** Returns `2 years` for `two (2) years`, with the unit as printed. */
export const durationInDigits = ({ count, unitText }: DurationSpan): string => `${count} ${unitText}`;

/** Returns the duration in ISO 8601: `P2Y`. */
export const isoDuration = ({ count, unit }: DurationSpan): string => `P${count}${unit.charAt(0).toUpperCase()}`;
