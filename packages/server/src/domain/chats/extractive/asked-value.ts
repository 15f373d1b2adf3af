/** Judges whether a sentence holds what the answer to a question needs, beyond a value of the expected kind. */
import { analyse } from '@quire/text/language/analyse';
import { answersForm } from './question-form.ts';
import { holdsExpected } from './new-values.ts';
import type { Question } from './question.ts';

/** Minimum number of letters of a word that is looked for in compounds. */
const MIN_COMPOUND_PART = 4;

/** Words that begin a clause of time, by language: "sobald das Paket fertig ist". */
const TIME_CLAUSE: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:wenn|sobald|nachdem|bevor|während|solange|bis|falls)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:quand|lorsqu(?:e|['’])|dès|après|avant|pendant|si)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:cuando|después|antes|mientras|hasta que|si)(?!\p{L})/iu,
};
const WHEN: Readonly<Record<string, RegExp>> = {
  de: /\bwann\b/iu,
  fr: /\bquand\b/iu,
  es: /\bcuándo\b/iu,
};

/**
 * Returns whether the sentence holds a new value of the expected kind. In languages other than English, a question for
 * a reason needs a word for one, a number must be in a sentence with the things that the question counts, and questions
 * for a place or a time are also answered by other words.
 */
export function holdsAsked(text: string, question: Question, language: string | null): boolean {
  if (language === 'en' || language === null) return holdsExpected(text, question, language);
  const { asksName, counted, expects, form } = question;
  // "Where" is also answered by a thing ("dans une table"), and "when" by a clause.
  if (expects === 'place' && !asksName) return true;
  const isClause = WHEN[language]?.test(question.text) === true && TIME_CLAUSE[language]?.test(text) === true;
  if (isClause && expects === 'date') return true;
  if (!holdsExpected(text, question, language)) return false;
  if (form?.kind === 'reason') return answersForm(text, form, language);
  return expects !== 'count' || counted.length === 0 || holdsThings(analyse(text, language), counted);
}

/** Returns whether one of the terms, or a compound with it (“Spiegelserver” for “Server”), is among those of a text. */
function holdsThings(held: readonly string[], things: readonly string[]): boolean {
  return things.some((thing) =>
    held.some((term) => term === thing || (thing.length >= MIN_COMPOUND_PART && term.endsWith(thing))),
  );
}
