/** Finds the values in a sentence that can answer a question: of the expected kind, and not in the question. */
import { hasPart } from './date-parts.ts';
import { frequenciesIn } from './frequency.ts';
import { countsPersons } from './persons.ts';
import { analyse } from './reading.ts';
import type { Question } from './question.ts';
import { hasOtherDimension } from './units.ts';
import { valuesOf, type Value, type ValueKind } from './values.ts';

/** Returns whether the text holds a new value of the expected kind; true if no kind is expected. */
export function holdsExpected(text: string, question: Question, language: string | null): boolean {
  const { expects } = question;
  return expects === null || expects === 'yesNo' || newValues(text, expects, question, language).length > 0;
}

/** Returns whether a number has a unit behind it that the question does not count. */
function hasUnit({ start, end }: Value, text: string, { all }: Question, language: string | null): boolean {
  const measure = valuesOf(text, 'measure', language).find((each) => each.start < end && each.end > start);
  if (measure === undefined || measure.end <= end) return false;
  return !analyse(text.slice(end, measure.end), language).some((term) => all.includes(term));
}

/** Number of words between a number and the things that it counts: "four sturdy limbs". */
const MAX_BEFORE_COUNTED = 3;

/** Returns whether the text has a number with the things that the question counts behind it. */
export function countsAsked(text: string, question: Question, language: string | null): boolean {
  const { counted, expects } = question;
  if (question.countsPersons) return newValues(text, 'count', question, language).length > 0;
  if (expects !== 'count' || counted.length === 0) return false;
  return newValues(text, 'count', question, language).some(({ end }) => {
    const [clause = ''] = text.slice(end).split(/[,.;:!?()](?!\p{Nd})/u, 1);
    const words = clause
      .trim()
      .split(/\s+/u)
      .slice(0, MAX_BEFORE_COUNTED + 1);
    return analyse(words.join(' '), language).some((term) => counted.includes(term));
  });
}

/** Questions about a life, by language; the others are not answered by dates of birth and death in brackets. */
const ABOUT_LIFE =
  /\b(?:born|birth|birthday|di(?:e|ed|es)|deaths?|dead|liv(?:e|ed)|old|age|geboren|geburt|geburtstag|starb|sterben|gestorben|tod|lebte|nacimiento|muri[óo]|muerte|vivi[óo])\b|(?<!\p{L})(?:née?s?|naissance|morte?s?|mourut|vécu|naci[óo])(?!\p{L})/iu;
const LIFE =
  /\b(?:born|geboren|nacid[oa])\b|(?<!\p{L})née?(?!\p{L})|[*†]|\p{L}{3} \p{Nd}{4} ?[–-] |, \p{Nd}{4} ?[–-] /iu;

/** Returns whether the value is within brackets about a person's birth and death. */
function isLifeDate({ start, end }: Value, text: string): boolean {
  const opening = text.lastIndexOf('(', start);
  const closing = text.indexOf(')', end);
  return opening >= 0 && closing >= 0 && LIFE.test(text.slice(opening, closing));
}

/** Returns whether a value is a mere number with a word behind it, which it counts; "165." may lack its unit. */
const isBare = ({ start, end }: Value, text: string, language: string | null): boolean =>
  /^[\s\u00a0]\p{L}/u.test(text.slice(end)) &&
  valuesOf(text, 'count', language).some((count) => count.start === start && count.end === end);

/** Prepositions of place, and German ones and adjectives before any noun: "in Lund", "für Mitglieder". */
const BEFORE_NO_PERSON: Readonly<Record<string, RegExp>> = {
  en: /(?<!\p{L})(?:in|at|near|into|around|across)\s(?:the\s)?$/iu,
  de: /(?<!\p{L})(?:in|im|nach|aus|auf|für|mit|ohne|über|unter|gegen|seit|bis|\p{Ll}{3,30}e[rsnm]?|\p{Nd}+)\s$/u,
  fr: /(?<!\p{L})(?:en|dans|vers|près de|sous)\s(?:l[ea]\s)?$/iu,
  es: /(?<!\p{L})(?:en|desde|hacia)\s(?:el\s|la\s)?$/iu,
};

/** Behind a name at the start of a sentence: a verb in the singular or in the past, or another name. */
const DOER =
  /^(?:['’]s|,? who|,? and \p{Lu}|\s(?:was|is|had|has|did|does|also|then|first|made|took|wrote|led|\p{Ll}+ed))(?!\p{L})|^[^\p{L}]*$/u;

/** Returns false for a name behind a preposition of place; in German for a single noun behind more words. */
function canBePerson({ start, text: name }: Value, text: string, language: string | null): boolean {
  if (language === 'de' && name.includes(' ')) return true;
  // The first word of a sentence is capitalised in any case; Spanish sentences begin with verbs.
  if (language === 'es' && start === 0 && !name.includes(' ')) return false;
  if (language === 'en' && start === 0 && !name.includes(' ') && !DOER.test(text.slice(name.length))) return false;
  return BEFORE_NO_PERSON[language ?? 'en']?.test(text.slice(Math.max(0, start - MAX_BEFORE), start)) !== true;
}

/** Number of characters before a name that are read. */
const MAX_BEFORE = 40;

/** Returns the values of the kind that are not in the question. */
export function newValues(text: string, kind: ValueKind, question: Question, language: string | null): Value[] {
  const known = new Set(question.all);
  const { asksName, datePart, dimension } = question;
  if (kind === 'measure' && question.asksFrequency) return [...frequenciesIn(text, language)];
  return valuesOf(text, kind === 'place' && asksName ? 'person' : kind, language).filter((value) => {
    // The first word of a sentence is capitalised in any case.
    if (kind === 'place' && asksName && value.start === 0 && !value.text.includes(' ')) return false;
    // Seven metres are no number of things, unless the question counts metres.
    if (kind === 'count' && hasUnit(value, text, question, language)) return false;
    if (kind === 'count' && question.countsPersons && !countsPersons(text, value, language)) return false;
    if (kind === 'date' && datePart !== null && !hasPart(value.text, datePart, language)) return false;
    if (kind === 'date' && isLifeDate(value, text) && !ABOUT_LIFE.test(question.text)) return false;
    // A length does not answer how much something weighs.
    if (kind === 'measure' && dimension !== null) {
      if (hasOtherDimension(value.text, dimension, language)) return false;
      if (!question.asksAge && isBare(value, text, language)) return false;
    }
    if (kind === 'person' && !canBePerson(value, text, language)) return false;
    const own = analyse(value.text, language);
    return own.length === 0 || own.some((term) => !known.has(term));
  });
}
