/** Recognises which part of a date a question is for: "in which year" is not answered by a weekday. */
import { monthNames, weekdayNames } from './calendar-names.ts';
import { remembering } from './reading.ts';

export type DatePart = 'year' | 'month' | 'weekday' | 'time';

const ASKED: Readonly<Record<string, Readonly<Record<DatePart, RegExp>>>> = {
  en: {
    year: /\b(?:what|which) (?:year|decade|century)\b/iu,
    month: /\b(?:what|which) months?\b/iu,
    weekday: /\b(?:what|which) (?:weekdays?|days? of the week)\b/iu,
    time: /\bat (?:what|which) time\b|\bwhat time (?!of (?:the )?(?:year|day))|\b(?:what|which) hour\b/iu,
  },
  de: {
    year: /\bwelche[mns]? (?:jahr|jahrzehnt|jahrhundert)\b/iu,
    month: /\bwelche[mnr]? monat(?:en?)?\b/iu,
    weekday: /\bwelche[mnr]? wochentag(?:en?)?\b/iu,
    time: /\bum wie ?viel uhr\b|\bwelcher uhrzeit\b/iu,
  },
  fr: {
    year: /\bquel(?:le)?s? (?:année|siècle)(?!\p{L})|\bquel an\b/iu,
    month: /\bquels? mois\b/iu,
    weekday: /\bquels? jours? de la semaine\b/iu,
    time: /\bquelle heure\b/iu,
  },
  es: {
    year: /\bqué (?:año|siglo)(?!\p{L})/iu,
    month: /\bqué mes(?:es)?\b/iu,
    weekday: /\bqué día de la semana\b/iu,
    time: /\bqué hora\b/iu,
  },
};

/** Returns the part of a date that the question is for; null if it is for none, or for a whole date. */
export function datePartIn(question: string, language: string | null): DatePart | null {
  const found = Object.entries(ASKED[language ?? 'en'] ?? {}).find(([, pattern]) => pattern.test(question));
  return (found?.[0] as DatePart | undefined) ?? null;
}

const YEAR = /\p{Nd}{3,4}|\p{Nd}年|['’]\p{Nd}{2}|centur|jahrhundert|siècle|siglo|B\.?C|A\.?D/iu;

const names = remembering((part, language): readonly string[] => {
  const code = language ?? 'en';
  const found = part === 'month' ? monthNames(code, 'long') : weekdayNames(code);
  return found.map((name) => name.toLowerCase());
});

const isNamed = (value: string, part: 'month' | 'weekday', language: string | null): boolean =>
  names(part, language).some((name) => value.toLowerCase().includes(name));

/** Returns whether a date has the part that a question is for. */
export function hasPart(value: string, part: DatePart, language: string | null): boolean {
  if (part === 'year') return YEAR.test(value);
  if (part !== 'time') return isNamed(value, part, language);
  return !isNamed(value, 'month', language) && !isNamed(value, 'weekday', language) && !/\p{Nd}{4}/u.test(value);
}
