/** Finds values in a sentence: dates, numbers, measures, sums of money, names and places. */
import { analyse } from '@quire/text/language/analyse';
import type { ExpectedKind } from './expected-kind.ts';
import { remembering } from './reading.ts';
import { AREA_UNITS, BEFORE_TIME_UNITS, formsOf, timeUnits } from './units.ts';

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
/** Words for no price. */
const FREE: Readonly<Record<string, string>> = {
  en: 'free of charge|for free|(?:is|are|was|were) free(?! (?:to|from|of))|free (?:entry|admission)|no charge|at no cost',
  de: 'kostenlos(?:e[nmrs]?)?|kostenfrei(?:e[nmrs]?)?|gratis|unentgeltlich',
  fr: 'gratuit(?:e?s?|ement)',
  es: 'gratis|gratuit[oa]s?',
  it: 'gratis|gratuit[aeio]',
  pt: 'grátis|gratuit[oa]s?',
  nl: 'gratis|kosteloos',
};
const GERMAN_ONES = 'ein zwei drei vier fünf sechs sieben acht neun';
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig';

/** German numbers are one word: "fünfundzwanzig", "zweihundert". */
const germanCompounds = GERMAN_ONES.split(' ').flatMap((one) => [
  ...GERMAN_TENS.split(' ').map((ten) => `${one}und${ten}`),
  `${one}hundert`,
  `${one}tausend`,
]);
const NUMBER_WORDS: Readonly<Record<string, string>> = {
  en: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half dozen',
  de: `zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn
      neunzehn ${GERMAN_TENS} hundert tausend million millionen dutzend ${germanCompounds.join(' ')}`,
  fr: `deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente quarante
      cinquante soixante cent cents mille million millions dizaine dizaines douzaine quinzaine vingtaine trentaine
      quarantaine cinquantaine soixantaine centaine centaines millier milliers`,
  es: `dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho
      diecinueve veinte veintiuno veintidós veinticinco treinta cuarenta cincuenta sesenta setenta ochenta noventa cien
      ciento doscientos trescientos quinientos mil millón millones decena decenas docena docenas centenar centenares`,
  it: 'due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta cento mille milione milioni',
  pt: 'dois duas três quatro cinco seis sete oito nove dez onze doze vinte trinta cem mil milhão milhões',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig honderd duizend miljoen',
};
/** Articles that are also the number one: numbers before a unit ("eine Woche"), not before other nouns. */
const ARTICLES: Readonly<Record<string, string>> = {
  de: 'ein eine einen einer einem',
  fr: 'un une',
  es: 'un una',
  it: 'un una',
  pt: 'um uma',
  nl: 'een',
};
/** Units that are measured with a number before them, in the languages of CLDR. */
const UNIT_NAMES = [
  'acre bit byte celsius centimeter day degree fahrenheit foot gallon gigabyte gram hectare hour inch kilobyte kilogram',
  'kilometer liter megabyte meter mile millimeter minute month ounce percent pound second stone terabyte week yard year',
]
  .join(' ')
  .split(' ');
const EXTRA_UNITS = [
  ...AREA_UNITS,
  'km²',
  'km2',
  'm²',
  'm2',
  '°C',
  '°F',
  '°',
  '%',
  '‰',
  'kg',
  'mph',
  'hp',
  'kW',
  'MW',
  'V',
  'A',
  'W',
  'Hz',
];

/** Words before a time of day: "at eight", "from nine to five". */
const BEFORE_TIME: Readonly<Record<string, string>> = {
  en: 'at|from|until|till|by|before|after|since|between',
  de: 'um|ab|bis|von|vor|nach|seit|zwischen',
  fr: 'à|dès|avant|après|depuis|entre',
  es: 'a las?|desde|hasta|antes de las?|entre',
  it: 'alle|dalle|entro|fino alle|dopo',
  pt: 'às|desde|até|antes das',
  nl: 'om|vanaf|tot|voor|na|sinds|tussen',
};

const CLOCK = " (?:o'clock|Uhr|heures?|uur|[ap]\\.?m\\.?)(?!\\p{L})";
/** Words of four and more letters behind a time of day; others behind a number are things that it counts. */
const BEHIND_TIME =
  '(?:when|with|until|till|each|every|daily|sharp|today|tonight|weekdays|after|before|jeden?|täglich|wenn|chaque|tous|quand|cada|todos|cuando)(?!\\p{L})';

/** Words before a period that says when something happens: "within 14 days", "nach zwei Wochen". */
const BEFORE_PERIOD: Readonly<Record<string, string>> = {
  en: 'within|after|in|every|at least|no later than|not later than',
  de: 'innerhalb von|innerhalb|binnen|nach|in|alle|spätestens|mindestens',
  fr: 'sous|dans les|dans un délai de|après|au bout de|tous les|toutes les|au moins',
  es: 'dentro de(?: los)?|en un plazo de|tras|cada|al menos|después de|a los',
  it: 'entro|dopo|ogni|almeno',
  pt: 'dentro de|após|cada|pelo menos|no prazo de',
  nl: 'binnen|na|elke|minstens',
};

/** Names of times of day. */
const NAMED_TIMES: Readonly<Record<string, string>> = {
  en: 'noon|midday|midnight',
  de: 'Mittag|mittags|Mitternacht',
  fr: 'midi|minuit',
  es: 'mediodía|medianoche',
  it: 'mezzogiorno|mezzanotte',
  pt: 'meio-dia|meia-noite',
  nl: 'middernacht',
};

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

function monthsAndDays(language: string): string[] {
  const dates = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, month + 1)));
  return (['long', 'short'] as const).flatMap((style) => {
    const month = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' });
    const part = (date: Date): string =>
      month
        .formatToParts(date)
        .find(({ type }) => type === 'month')
        ?.value.replace(/\.$/u, '') ?? '';
    const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
    return [...dates.map(part), ...dates.slice(0, 7).map((date) => weekday.format(date))];
  });
}

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
  const money = oneOf(currenciesOf(language));
  const periods = oneOf(timeUnits(language).filter((unit) => unit.length > 2));
  const beforePeriod = BEFORE_PERIOD[language];
  const free = FREE[language] === undefined ? '' : `(?<!\\p{L})(?:${FREE[language]})(?!\\p{L})|`;
  const made = {
    date: new RegExp(
      [
        `\\p{Nd}+ ?年(?: ?\\p{Nd}+ ?月)?(?: ?\\p{Nd}+ ?日)?|\\p{Nd}+ ?月 ?\\p{Nd}+ ?日|\\p{Nd}+ ?世[纪紀]`,
        `\\p{Nd}{1,2}(?:st|nd|rd|th)[ -]centur(?:y|ies)${eras}?|\\p{Nd}{1,2}\\. Jahrhundert|[IVX]+e siècle|siglo [IVX]+`,
        `(?:\\p{Nd}{1,2}(?:\\.|st|nd|rd|th|º)? ?(?:de |of )?)?(?<!\\p{L})(?:${named})(?!\\p{L})\\.?(?: \\p{Nd}{1,2}(?:st|nd|rd|th)?(?!\\p{Nd}))?,?(?: (?:de |of )?${YEAR})?`,
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
    measure: new RegExp(`(?:${RANGE}|${quantity})(?:[ \\u00a0-]?${dayKinds}(?:${units})(?!\\p{L}))`, 'giu'),
    money: new RegExp(
      `${free}\\p{Sc} ?${DIGITS}${scale}|${quantity}[ \\u00a0]?(?:\\p{Sc}|(?:${money})(?!\\p{L}))|(?:${money})[ \\u00a0]${DIGITS}${scale}`,
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
