/** Finds the values in a sentence that can answer a question: of the expected kind, and not in the question. */
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

/** Returns the values of the kind that are not in the question. */
export function newValues(text: string, kind: ValueKind, question: Question, language: string | null): Value[] {
  const known = new Set(question.all);
  const { asksName, dimension } = question;
  return valuesOf(text, kind === 'place' && asksName ? 'person' : kind, language).filter((value) => {
    // The first word of a sentence is capitalised in any case.
    if (kind === 'place' && asksName && value.start === 0 && !value.text.includes(' ')) return false;
    // Seven metres are no number of things, unless the question counts metres.
    if (kind === 'count' && hasUnit(value, text, question, language)) return false;
    if (kind === 'date' && isLifeDate(value, text) && !ABOUT_LIFE.test(question.text)) return false;
    // A length does not answer how much something weighs.
    if (kind === 'measure' && dimension !== null && hasOtherDimension(value.text, dimension, language)) return false;
    const own = analyse(value.text, language);
    return own.length === 0 || own.some((term) => !known.has(term));
  });
}
