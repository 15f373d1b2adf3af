/** Finds how often something happens: "once a month", "alle zwei Wochen", "tous les mois". */
import { remembering } from './reading.ts';
import { timeUnits } from './units.ts';
import type { Value } from './values.ts';
import { NUMBER_WORDS } from './value-words.ts';

interface Grammar {
  /** The question words. */
  asking: RegExp;
  /** Words for a number of times: "twice". */
  times: string;
  /** Words before a unit of time, with or without a number: "every two weeks". */
  every: string;
  /** Days and adverbs: "daily", "every Thursday". */
  adverbs: string;
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: {
    asking: /\bhow (?:often|frequently|many times)\b|\bat (?:what|which) intervals?\b/iu,
    times: '(?:once|twice|thrice|(?:NUMBER|several|many) times)',
    every: '(?:every|each|an?|per)',
    adverbs:
      'hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|biannually|never|rarely|always|(?:every|each|on) \\p{Lu}\\p{Ll}+days?|on (?:\\p{Lu}\\p{Ll}+days)|(?:every|each) (?:other |second |third )?(?:morning|evening|night|time|season|summer|winter|spring|autumn)',
  },
  de: {
    asking: /\bwie (?:oft|häufig)\b|\bin welche[mn] abst(?:and|änden)\b/iu,
    times: '(?:einmal|zweimal|dreimal|viermal|fünfmal|mehrmals|NUMBER ?[Mm]al)',
    every: '(?:alle|jede[nrsm]?|pro|im|in der|am)',
    adverbs:
      'stündlich|täglich|wöchentlich|monatlich|vierteljährlich|halbjährlich|jährlich|nie|selten|immer|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s|jede[nr] (?:zweiten |dritten )?\\p{Lu}\\p{Ll}+(?:tag|abend|woche|morgen)',
  },
  fr: {
    asking: /à quelle fréquence|\btou(?:te)?s les combien\b|\bcombien de fois\b/iu,
    times: '(?:une|NUMBER|plusieurs) fois',
    every: '(?:tous les|toutes les|chaque|par|chacun des)',
    adverbs:
      'quotidiennement|hebdomadaire(?:ment)?|mensuel(?:le)?(?:ment)?|annuel(?:le)?(?:ment)?|trimestriel(?:le)?(?:ment)?|jamais|rarement|toujours|chaque (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|soir|matin|trimestre)|tous les (?:lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches|soirs|matins)',
  },
  es: {
    asking: /\bcada cuánt[oa]s?\b|con (?:qué|cuánta) frecuencia|\bcuántas veces\b/iu,
    times: '(?:una vez|(?:NUMBER|varias) veces)',
    every: '(?:cada|todos los|todas las|al|a la|por)',
    adverbs:
      'diariamente|diari[oa]|semanal(?:mente)?|mensual(?:mente)?|anual(?:mente)?|nunca|siempre|(?:cada|todos los) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)',
  },
};

const compiled = new Map<string, RegExp>();

function patternOf(language: string, { times, every, adverbs }: Grammar): RegExp {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const words = (NUMBER_WORDS[language] ?? '').trim().split(/\s+/u).join('|');
  const number = `(?:\\p{Nd}+|${words})`;
  const units = timeUnits(language)
    .filter((unit) => unit.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .map((unit) => unit.replaceAll('.', String.raw`\.`))
    .join('|');
  const period = `${every} (?:${number} |other |zweiten |dritten )?(?:${units}|trimestre|Quartal|quarter)`;
  const made = new RegExp(
    `(?<!\\p{L})(?:${times.replaceAll('NUMBER', number)}(?: ${period})?|${adverbs}|${period})(?!\\p{L})`,
    'giu',
  );
  compiled.set(language, made);
  return made;
}

/** Returns whether the question is for how often something happens. */
export const asksFrequency = (question: string, language: string | null): boolean =>
  GRAMMARS[language ?? 'en']?.asking.test(question) === true;

/** Number of characters of a sentence that are read; the patterns are not all of linear time. */
const MAX_SENTENCE = 2_000;

const readFrequencies = remembering((text, language): readonly Value[] => {
  const code = language ?? 'en';
  const grammar = GRAMMARS[code];
  if (grammar === undefined) return [];
  return Array.from(text.slice(0, MAX_SENTENCE).matchAll(patternOf(code, grammar)), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found,
  }));
});

/** Returns the words of a sentence for how often something happens. */
export const frequenciesIn = (text: string, language: string | null): readonly Value[] =>
  readFrequencies(text, language);
