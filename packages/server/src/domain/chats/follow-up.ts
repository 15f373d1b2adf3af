/** Resolves questions that refer to the previous one ("and in 2019?") by rule. */
import { tokenise } from '@quire/text/language/tokenise';
import { readQuestion } from './extractive/question.ts';

/** Pronouns and connectives that refer to earlier text. */
const POINTS_BACK =
  /^\s*(?:and|but|so|also|then|what about|how about)\b|\b(?:it|its|they|them|their|he|she|him|her|his|hers|this|that|these|those|there|one|ones|same)\b/iu;
const SHORT_TERMS = 2;
const SHORT_WORDS = 3;
/** A question that only names another year: "and in 2019?", "what about 2019?". */
const ANOTHER_YEAR =
  /^(?:(?:and|but|so|then|what about|how about|,)\s*)*(?:(?:in|for|of|by|since)\s+)?(\d{4})(?:\s*\?)?$/iu;
const YEAR = /(?<!\d)\d{4}(?!\d)/gu;

/**
 * Returns the search query for a question. `previous` is the query of the question before, with its references
 * resolved. A question for another year repeats the previous query for that year; every other question that refers back
 * is appended to the previous query.
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
