/** Questions that point back ("and in 2019?") by rule, for what searches with words alone. */
import { tokenise } from '@quire/text/language/tokenise';
import { readQuestion } from './extractive/question.ts';

/** Pronouns and the like that point back, and questions too short to stand alone. */
const POINTS_BACK =
  /^\s*(?:and|but|so|also|then|what about|how about)\b|\b(?:it|its|they|them|their|he|she|him|her|his|hers|this|that|these|those|there|one|ones|same)\b/iu;
const SHORT_TERMS = 2;
const SHORT_WORDS = 3;
/** "and in 2019?", "what about 2019?": nothing but another year. */
const ANOTHER_YEAR =
  /^(?:(?:and|but|so|then|what about|how about|,)\s*)*(?:(?:in|for|of|by|since)\s+)?(\d{4})(?:\s*\?)?$/iu;
const YEAR = /(?<!\d)\d{4}(?!\d)/gu;

/**
 * The text to search for. `previous` is what was searched for the question before, so what it had resolved stays
 * resolved. A question for another year asks the same of that year; every other one that points back is asked together
 * with the words of the one before.
 */
export function resolveQuestion(question: string, previous: string | undefined, language: string | null): string {
  if (previous === undefined) return question;
  const [, year] = ANOTHER_YEAR.exec(question.trim()) ?? [];
  if (year !== undefined && new Set(previous.match(YEAR)).size === 1) return previous.replaceAll(YEAR, year);
  const own = readQuestion(question, language).terms;
  const words = tokenise(question).length;
  const dependent = POINTS_BACK.test(question) || own.length < SHORT_TERMS || words <= SHORT_WORDS;
  return dependent ? `${previous} ${question}` : question;
}
