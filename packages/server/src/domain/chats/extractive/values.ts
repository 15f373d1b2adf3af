/** Finds values in a sentence: dates, numbers, measures, sums of money, names and places. */
import { analyse } from '@quire/text/language/analyse';
import { monthNames, weekdayNames } from './calendar-names.ts';
import type { ExpectedKind } from './expected-kind.ts';
import { remembering } from './reading.ts';
import { BEFORE_TIME_UNITS, formsOf, timeUnits } from './units.ts';
import {
  ARTICLES,
  BEFORE_PERIOD,
  BEFORE_TIME,
  EXTRA_UNITS,
  MONEY_NAMES,
  FREE,
  NAMED_TIMES,
  NUMBER_WORDS,
  PERIODS_OF_PAY,
  UNIT_NAMES,
} from './value-words.ts';

export interface Value {
  /** `[start, end)` in the sentence. */
  start: number;
  end: number;
  text: string;
}

/** Kinds of values that a question can expect and a sentence can hold. */
export type ValueKind = Exclude<ExpectedKind, 'yesNo'>;

const YEAR = '(?:1\\d|20)\\d\\d(?!\\d|[.,]\\d)';
const DIGITS = '[-+−–]?\\p{Nd}+(?:[.,\\u00a0\\u202f ]\\p{Nd}{3})*(?:[.,]\\p{Nd}+)?(?!\\p{Nd}|[.,-]\\p{Nd})';
/** Before a number: no letter, digit or point, so that parts of codes and versions are no numbers. */
const NUMBER_START = '(?<![\\p{L}\\p{Nd}.,/_-])';
/** A range with a hyphen: "4-5 hours". */
const RANGE = `${NUMBER_START}\\p{Nd}{1,4}(?:[.,]\\p{Nd}{1,2})?-\\p{Nd}{1,4}(?:[.,]\\p{Nd}{1,2})?`;
const CLOCK = " (?:o'clock|Uhr|heures?|uur|[ap]\\.?m\\.?)(?!\\p{L})";
/** Words of four and more letters behind a time of day; others behind a number are things that it counts. */
const BEHIND_TIME =
  '(?:when|with|until|till|each|every|daily|sharp|today|tonight|weekdays|after|before|jeden?|täglich|wenn|chaque|tous|quand|cada|todos|cuando)(?!\\p{L})';

interface Patterns {
  date: RegExp;
  count: RegExp;
  measure: RegExp;
  money: RegExp;
}

const compiled = new Map<string, Patterns>();
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const oneOf = (words: readonly string[]): string =>
  [...new Set(words.filter((word) => word !== ''))]
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

const monthsAndDays = (language: string): string[] => [
  ...monthNames(language, 'long'),
  ...monthNames(language, 'short'),
  ...weekdayNames(language),
];

function unitsOf(language: string): string[] {
  const forms = UNIT_NAMES.flatMap((unit) => formsOf(unit, language));
  // Abbreviations that are also function words ("in", "a") are prepositions and articles nearly always.
  return [...forms, ...EXTRA_UNITS].filter((unit) => !/^\p{L}{1,2}$/u.test(unit) || isContent(unit, language));
}

const isContent = (word: string, language: string): boolean => analyse(word.toLowerCase(), language).length > 0;

function currenciesOf(language: string): string[] {
  return ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CNY', 'INR', 'CAD', 'AUD', 'SEK', 'NOK', 'DKK', 'PLN', 'BRL'].flatMap(
    (currency) => {
      const style = { style: 'currency', currency, currencyDisplay: 'name' } as const;
      const names = [1, 2].map(
        (value) =>
          new Intl.NumberFormat(language, style).formatToParts(value).find(({ type }) => type === 'currency')?.value,
      );
      const last = names.flatMap((name) => name?.split(' ').at(-1) ?? []);
      return [currency, ...last];
    },
  );
}

function patternsOf(language: string): Patterns {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const words = NUMBER_WORDS[language]?.split(/\s+/u) ?? [];
  const articles = ARTICLES[language]?.split(' ') ?? [];
  const article = articles.length === 0 ? '' : `(?:(?:${oneOf(articles)})[ -])?`;
  const word =
    words.length === 0 ? '' : `|(?<!\\p{L})${article}(?:${oneOf(words)})(?:[ -](?:${oneOf(words)})){0,4}(?!\\p{L})`;
  const one = articles.length === 0 ? '' : `|(?<!\\p{L})(?:${oneOf(articles)})(?!\\p{L})`;
  const beforeTime = BEFORE_TIME[language];
  const namedTimes = NAMED_TIMES[language];
  const scale = words.length === 0 ? '' : `(?:[ \\u00a0](?:${oneOf(words)}))?`;
  const number = `(?:${NUMBER_START}${DIGITS}${scale}${word})`;
  const quantity = `(?:${NUMBER_START}${DIGITS}${scale}${word}${one})`;
  const named = oneOf(monthsAndDays(language).filter((name) => /^\p{L}{3}/u.test(name)));
  const eras = '(?: ?(?:B\\.?C\\.?E?\\.?|C\\.?E\\.?|A\\.?D\\.?|v\\. ?Chr\\.|av\\. J\\.-C\\.|a\\. ?C\\.)(?!\\p{L}))';
  const units = oneOf(unitsOf(language));
  const dayKinds = BEFORE_TIME_UNITS[language] ?? '';
  const money = oneOf([...currenciesOf(language), ...(MONEY_NAMES[language]?.split(' ') ?? [])]);
  const pay = PERIODS_OF_PAY[language] === undefined ? '' : `|(?:${PERIODS_OF_PAY[language]})(?!\\p{L})`;
  const periods = oneOf(timeUnits(language).filter((unit) => unit.length > 2));
  const beforePeriod = BEFORE_PERIOD[language];
  const free = FREE[language] === undefined ? '' : `(?<!\\p{L})(?:${FREE[language]})(?!\\p{L})|`;
  const made = {
    date: new RegExp(
      [
        `\\p{Nd}+ ?年(?: ?\\p{Nd}+ ?月)?(?: ?\\p{Nd}+ ?日)?|\\p{Nd}+ ?月 ?\\p{Nd}+ ?日|\\p{Nd}+ ?世[纪紀]`,
        `\\p{Nd}{1,2}(?:st|nd|rd|th)[ -]centur(?:y|ies)${eras}?|\\p{Nd}{1,2}\\. Jahrhundert|[IVX]+e siècle|siglo [IVX]+`,
        `(?:\\p{Nd}{1,2}(?:\\.|st|nd|rd|th|º)? ?(?:de |of )?)?(?<!\\p{L})(?:${named})(?!\\p{L})(?:\\.(?= \\p{Nd}))?(?: \\p{Nd}{1,2}(?:st|nd|rd|th)?(?!\\p{Nd}))?(?:,? (?:de |of )?${YEAR})?`,
        `${NUMBER_START}\\p{Nd}{1,2}[./-]\\p{Nd}{1,2}[./-]\\p{Nd}{2,4}|${NUMBER_START}\\p{Nd}{4}-\\p{Nd}{2}-\\p{Nd}{2}`,
        `${NUMBER_START}${YEAR}(?:[–-]\\p{Nd}{2,4})?(?:s|${eras})?(?!\\p{L}|\\p{Nd})|${NUMBER_START}\\p{Nd}{1,4}${eras}`,
        ...(beforeTime === undefined
          ? []
          : [
              `(?<=(?<!\\p{L})(?:${beforeTime}) )(?:\\p{Nd}{1,2}(?![\\p{Nd}.,])${word})(?:${CLOCK}|(?! (?!${BEHIND_TIME})\\p{Ll}{4,}))`,
            ]),
        `${NUMBER_START}\\p{Nd}{1,2}:\\p{Nd}{2}(?: ?[ap]\\.?m\\.?)?`,
        ...(beforePeriod === undefined
          ? []
          : [`(?<=(?<!\\p{L})(?:${beforePeriod}) )${quantity}[ \\u00a0-](?:\\p{Ll}{3,12} )?(?:${periods})(?!\\p{L})`]),
        ...(namedTimes === undefined ? [] : [`(?<!\\p{L})(?:${namedTimes})(?!\\p{L})`]),
      ].join('|'),
      'giu',
    ),
    count: new RegExp(number, 'giu'),
    measure: new RegExp(
      `(?:${RANGE}|${quantity})(?:[ \\u00a0-]?${dayKinds}(?:${units})(?!\\p{L})(?: (?:et demie?|y medi[oa])(?!\\p{L}))?)`,
      'giu',
    ),
    money: new RegExp(
      `${free}\\p{Sc} ?${DIGITS}${scale}|${quantity}[ \\u00a0]?(?:\\p{Sc}|(?:${money})(?!\\p{L})${pay})|(?:${money})[ \\u00a0]${DIGITS}${scale}`,
      'giu',
    ),
  };
  compiled.set(language, made);
  return made;
}

/** Returns whether a preposition of place is before the value; false in languages without a list of them. */
export const isAfterPlaceWord = (sentence: string, start: number, language: string | null): boolean =>
  BEFORE_PLACE[language ?? 'en']?.test(sentence.slice(Math.max(0, start - MAX_BEFORE), start)) === true;

/** Capitalised words, joined by particles: names of persons, places, works. */
const NAME =
  /\p{Lu}[\p{L}\p{M}\p{Nd}'’.-]*(?:[ -](?:(?:of|the|de|du|des|la|le|van|von|der|den|di|da|del|al|el|and|&) )*\p{Lu}[\p{L}\p{M}\p{Nd}'’.-]*)*/gu;
/** Number of characters before a name that are read. */
const MAX_BEFORE = 40;
/** Words before the name of a place. */
const BEFORE_PLACE: Readonly<Record<string, RegExp>> = {
  en: /\b(?:in|at|from|(?<!according )to|near|on|of|into|around|through|across|outside|inside|between|via)\s+(?:the\s+)?$/iu,
  de: /\b(?:(?:in|aus|nach|bei|an|auf|von|zu)\s+(?:der\s+|den\s+|dem\s+)?|(?:im|am|zur|zum)\s+)$/iu,
  fr: /(?<!\p{L})(?:(?:à|au|aux|en|dans|de|du|des|vers|près)\s+(?:la\s+)?|[dl]['’])$/iu,
  es: /\b(?:en|a|de|del|desde|hacia|cerca)\s+(?:la\s+)?$/iu,
};

const matches = (sentence: string, pattern: RegExp): Value[] =>
  Array.from(sentence.matchAll(pattern), ({ 0: text, index }) => ({ start: index, end: index + text.length, text }));

/** Number of characters of a sentence that are read; the patterns are not all of linear time. */
const MAX_SENTENCE = 2_000;

const VALUE_KINDS: readonly ValueKind[] = ['money', 'date', 'count', 'measure', 'place', 'person'];
const read = new Map(
  VALUE_KINDS.map((kind) => [kind, remembering((text, language) => findValues(text, kind, language))] as const),
);

/** Returns the values of a kind in the first 2,000 characters of the sentence, in its order. */
export const valuesOf = (text: string, kind: ValueKind, language: string | null): readonly Value[] =>
  read.get(kind)?.(text, language) ?? [];

function findValues(text: string, kind: ValueKind, language: string | null): Value[] {
  const sentence = text.slice(0, MAX_SENTENCE);
  const code = language ?? 'en';
  const patterns = patternsOf(code);
  if (kind === 'date') return matches(sentence, patterns.date);
  if (kind === 'money') return matches(sentence, patterns.money);
  const dates = matches(sentence, patterns.date);
  if (kind === 'person' || kind === 'place') {
    const before = kind === 'place' ? BEFORE_PLACE[code] : undefined;
    // A month is no name.
    return namesIn(sentence, language)
      .filter((name) => !dates.some((date) => date.start <= name.start && date.end >= name.end))
      .filter(({ start }) => before === undefined || before.test(sentence.slice(0, start)));
  }
  const measured = matches(sentence, patterns.measure).concat(
    kind === 'measure' ? matches(sentence, patterns.money) : [],
  );
  if (kind === 'measure' && measured.length > 0) return measured;
  return matches(sentence, patterns.count).filter(
    ({ start, end }) =>
      !dates.some((date) => date.start < end && date.end > start) && !IS_ONE_OF.test(sentence.slice(start, end + 4)),
  );
}

/** Counts nothing: "one of the first". */
const IS_ONE_OF = /^one of\b/iu;

/**
 * Returns capitalised runs without a possessive ending, except function words ("He", "The"), also those that begin the
 * sentence before a name ("When SI units are used"), and in German any name ("Sie Pakete").
 */
function namesIn(sentence: string, language: string | null): Value[] {
  return matches(sentence, NAME)
    .map((found) => {
      const isFirst = found.start === 0;
      const [first = ''] = isFirst || language === 'de' ? (/^\p{L}+ (?:\p{Ll}+ )*/u.exec(found.text) ?? []) : [];
      const skipped = first !== '' && analyse(first.toLowerCase(), language).length === 0 ? first.length : 0;
      const [start, text] = [found.start + skipped, found.text.slice(skipped)];
      const trimmed = text.replace(/[.'’-]{1,8}$/u, '').replace(/['’]s$/u, '');
      return { start, end: start + trimmed.length, text: trimmed };
    })
    .filter(({ text }) => analyse(text.toLowerCase(), language).length > 0 && !ELIDED_ARTICLE.test(text))
    .filter(({ start, text }) => language !== 'de' || /\s/u.test(text) || !isAfterArticle(sentence, start));
}

/** "L'option" has a capital at the start of a sentence only, "L'Oréal" is a name. */
const ELIDED_ARTICLE = /^(?:[CDJLMNST]|Qu)['’]\p{Ll}/u;

/** A German determiner, and adjectives behind it: "der", "zum", "eine bekannte". */
const GERMAN_ARTICLE =
  /(?<!\p{L})(?:d(?:er|ie|as|en|em|es)|(?:k?ein|[mds]ein|ihr|unser|dies|jed|jen|welch|viel|all)(?:e[mnrs]?)?|im|am|vom|zum|zur|beim|ins|ans)(?:\s\p{Ll}[\p{L}-]{1,30}e[mnrs]?){0,2}\s$/iu;

/** German capitalises every noun; one word behind an article is a noun and no name. */
const isAfterArticle = (sentence: string, start: number): boolean =>
  GERMAN_ARTICLE.test(sentence.slice(Math.max(0, start - MAX_BEFORE), start));
