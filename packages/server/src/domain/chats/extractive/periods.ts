/**
 * Writes periods and codes of forms in a question as documents write them: "FY2023" and "fiscal year 2023" are the year
 * 2023 of a heading, "2Q23" is "Q2 2023", and "10-K" names a kind of document that its text has no reason to repeat.
 */

/** Words for the business year before its number, by language; a short form may be written without a space. */
const BUSINESS_YEAR: Readonly<Record<string, string>> = {
  en: 'FYE?|fiscal(?: years?)?|financial years?',
  de: 'GJ|Geschäftsjahre?s?|Wirtschaftsjahre?s?',
  fr: 'exercices?(?: fiscal)?|année fiscale',
  es: 'ejercicios?(?: fiscal)?|año fiscal',
  it: 'esercizio|anno fiscale',
  pt: 'exercício(?: fiscal)?|ano fiscal',
  nl: 'boekja(?:ar|ren)',
};
/** Short forms, also of years with two digits. */
const SHORT = 'FYE?|GJ|CY';

/** Words of an ordinal and of a part of the year, by language and letter. */
const PARTS: Readonly<Record<string, { ordinals: readonly string[]; quarter: string; half: string }>> = {
  en: { ordinals: ['first', 'second', 'third', 'fourth'], quarter: 'quarter', half: 'half' },
  de: { ordinals: ['erstes', 'zweites', 'drittes', 'viertes'], quarter: 'Quartal', half: 'Halbjahr' },
  fr: { ordinals: ['premier', 'deuxième', 'troisième', 'quatrième'], quarter: 'trimestre', half: 'semestre' },
  es: { ordinals: ['primer', 'segundo', 'tercer', 'cuarto'], quarter: 'trimestre', half: 'semestre' },
  it: { ordinals: ['primo', 'secondo', 'terzo', 'quarto'], quarter: 'trimestre', half: 'semestre' },
  pt: { ordinals: ['primeiro', 'segundo', 'terceiro', 'quarto'], quarter: 'trimestre', half: 'semestre' },
  nl: { ordinals: ['eerste', 'tweede', 'derde', 'vierde'], quarter: 'kwartaal', half: 'halfjaar' },
};

/** Codes of forms: a number with one letter ("10-K", "8k") or a letter with a number ("S-1"), named as a form. */
const FORM_CODE = String.raw`\p{Nd}{1,2}-?[A-Z]{1,2}|[A-Z]-?\p{Nd}{1,2}`;
const NAMED_FORM = new RegExp(
  String.raw`(?<![\p{L}\p{Nd}])(?:[Ff]orm(?:ular)?(?:ulaire)?\s(?:${FORM_CODE})|(?:${FORM_CODE})(?=\s(?:filing|report|form|annual|quarterly|current)s?(?!\p{L})))(?:\s(?:filing|report|form)s?)?(?![\p{L}\p{Nd}])`,
  'giu',
);
/** Reports that companies file with a supervisor under a code. */
const KNOWN_FORM =
  /(?<![\p{L}\p{Nd}])(?:10-?[KQ]|8-?K|6-?K|20-?F|40-?F)(?:\/A)?(?:\s(?:filing|report|form)s?)?(?![\p{L}\p{Nd}])/giu;

const withCentury = (year: string): string => (year.length === 2 ? `20${year}` : year);

/** Returns the question with years as four digits, without words for a business year, and quarters as "Q2". */
export function plainPeriods(question: string, language: string | null): string {
  const words = BUSINESS_YEAR[language ?? 'en'] ?? BUSINESS_YEAR['en'];
  return question
    .replaceAll(
      /(?<![\p{L}\p{Nd}])([1-4])Q[\s-]?['’]?((?:20)?\p{Nd}{2})(?!\p{Nd})/gu,
      (_, part: string, year: string) => `Q${part} ${withCentury(year)}`,
    )
    .replaceAll(
      /(?<![\p{L}\p{Nd}])([QHTS][1-4])[\s-]?(?:['’]((?:20)?\p{Nd}{2})|(20\p{Nd}{2}))(?!\p{Nd})/gu,
      (_, part: string, short?: string, year?: string) => `${part} ${withCentury(short ?? year ?? '')}`,
    )
    .replaceAll(
      new RegExp(String.raw`(?<![\p{L}\p{Nd}])(?:${SHORT})[\s-]?['’]?(\p{Nd}{2}(?:\p{Nd}{2})?)(?!\p{Nd})`, 'gu'),
      (_, year: string) => withCentury(year),
    )
    .replaceAll(
      new RegExp(
        String.raw`(?<![\p{L}\p{Nd}])(?:l['’])?(?:${words})[\s-]?(?=['’]?(?:19|20)\p{Nd}{2}(?!\p{Nd}))`,
        'giu',
      ),
      '',
    );
}

/** Returns the question without codes of forms: the document is one, or its title says so. */
export const withoutForms = (question: string): string =>
  question.replaceAll(NAMED_FORM, ' ').replaceAll(KNOWN_FORM, ' ');

/** Returns the words for a part of the year that the question writes as a letter and a number, by that code. */
export function wordsOfParts(question: string, language: string | null): Map<string, string> {
  const parts = PARTS[language ?? 'en'];
  const found = new Map<string, string>();
  if (parts === undefined) return found;
  for (const [code, letter = '', number = ''] of question.matchAll(
    /(?<![\p{L}\p{Nd}])([QHTS])([1-4])(?![\p{L}\p{Nd}])/gu,
  )) {
    const ordinal = parts.ordinals[Number(number) - 1] ?? '';
    found.set(code, `${ordinal} ${letter === 'H' || letter === 'S' ? parts.half : parts.quarter}`);
  }
  return found;
}

/** A year by itself or at the end of a date: "2020", "31.12.2020". */
const YEAR =
  /(?:(?<![\p{L}\p{Nd}.,-])|(?<=\b\p{Nd}{1,2}\.\p{Nd}{1,2}\.))(?:19|20)\p{Nd}{2}(?![\p{L}\p{Nd}]|[.,]\p{Nd})/gu;

/** Returns the years from 1900 to 2099 that the text names. */
export const yearsIn = (text: string): string[] => [...new Set(text.match(YEAR))];

/** Returns how documents shorten a business year. */
export const shortYears = (year: string): string[] =>
  SHORT.replace('E?', '')
    .split('|')
    .flatMap((word) => [`${word}${year}`, `${word}${year.slice(2)}`]);
