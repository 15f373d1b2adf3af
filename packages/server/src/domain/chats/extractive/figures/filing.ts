/**
 * Answers what a current report is about by the beginning of its first item: Form 8-K states each event below the
 * number and the name of an item (SEC, Form 8-K, General Instructions, "Information to be included in the report").
 */
import type { SearchHit } from '../../../search/types.ts';
import { holdsTerm, type Question } from '../question.ts';
import { analyse } from '../reading.ts';
import type { Quote } from '../sentence-scores.ts';
import { reportSentences } from './report-sentences.ts';
import { titlesTextOf } from './reports-about.ts';
import { MAX_QUESTION } from './sought.ts';

const FORM = /\b8-?k\b/iu;
const PURPOSE =
  /\b(?:agenda|purpose|subject|topic|about|announced?|reported|disclosed?|reason|why|events?)\b|\b(?:zweck|gegenstand|worum|thema|anlass|warum)\b/iu;
const ITEM = /^item\s\p{Nd}\.\p{Nd}{2}\b/iu;
/** The item that lists exhibits. */
const EXHIBITS = /^item\s9\.01\b/iu;
const DATE = /(?:january|february|march|april|may|june|july|august|september|october|november|december)/giu;
const MIN_WORDS = 8;
const MAX_QUOTED = 2;

/** Returns whether the question is about what a current report says. */
export const seeksFiling = (question: string): boolean =>
  FORM.test(question.slice(0, MAX_QUESTION)) && PURPOSE.test(question.slice(0, MAX_QUESTION));

/** Returns further searches for the items of a current report; none for other questions. */
export function filingSearches(question: string): string[] {
  if (!seeksFiling(question)) return [];
  const names = Array.from(
    question.slice(0, MAX_QUESTION).matchAll(/(?<=\s)\p{Lu}[\p{L}\p{Nd}&.-]*|\b(?:19|20)\p{Nd}{2}\b/gu),
  );
  return [
    `${names.map(([name]) => name.replace(/['’]s$/u, '')).join(' ')}: Form 8-K, Item, Other Events, entered into`,
  ];
}

/** Returns the first sentences of the first item of the only report that the question names; none without one. */
export function filingSentences(question: Question, hits: readonly SearchHit[], language: string | null): Quote[] {
  if (!seeksFiling(question.text)) return [];
  const documents = [...new Set(hits.map(({ documentId }) => documentId))].filter((id) =>
    isNamed(
      question,
      hits.filter(({ documentId }) => documentId === id),
      language,
    ),
  );
  const [only] = documents;
  if (only === undefined || documents.length > 1) return [];
  const items = hits.flatMap((hit, chunk) => {
    const heading = hit.headings.find((each) => ITEM.test(each));
    return hit.documentId === only && heading !== undefined && !EXHIBITS.test(heading) ? [{ hit, chunk }] : [];
  });
  const [first] = items.toSorted((a, b) => placeOf(a.hit) - placeOf(b.hit));
  return first === undefined ? [] : beginningOf(first.hit.text, first.chunk, language);
}

/** Returns the place of a chunk in its document. */
const placeOf = ({ blockIds: [block = ''] }: SearchHit): number => Number(/\p{Nd}+/u.exec(block)?.[0] ?? Infinity);

/** Returns whether the titles hold the names of the question, and the document its form and date. */
function isNamed(question: Question, hits: readonly SearchHit[], language: string | null): boolean {
  const titles = titlesTextOf(hits);
  const text = `${titles}\n${hits.map((hit) => hit.text).join('\n')}`;
  const held = new Set(analyse(titles, language));
  const months = new Set((question.text.match(DATE) ?? []).flatMap((month) => analyse(month, language)));
  const names = question.names.filter((name) => !/\p{Nd}/u.test(name) && !months.has(name));
  const years = question.text.match(/(?<!\p{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})/gu) ?? [];
  const terms = new Set(analyse(text, language));
  return (
    FORM.test(text) &&
    names.every((name) => holdsTerm(held, name, question)) &&
    [...years, ...months].every((part) => terms.has(part))
  );
}

const beginningOf = (text: string, chunk: number, language: string | null): Quote[] =>
  reportSentences(text, chunk, language)
    .filter(({ text: own }) => own.split(/\s+/u).length >= MIN_WORDS)
    .slice(0, MAX_QUOTED);
