/** Finds the value that answers a question in its best quote, for the lead of the answer. */
import { analyse, analyseSpans } from '@quire/text/language/analyse';
import { cellLead } from './cell-lead.ts';
import type { ExpectedKind } from './expected-kind.ts';
import { inRole } from './lead-role.ts';
import { newValues } from './new-values.ts';
import type { Question } from './question.ts';
import type { Quote } from './sentence-scores.ts';
import { isAfterPlaceWord, type Value } from './values.ts';

export interface Lead extends Value {
  kind: Exclude<ExpectedKind, 'yesNo'>;
  /** Names of row and column of a cell. */
  of?: string;
}

/** Share (0..1) of the question that the quote must contain, by weight: else its value may be about something else. */
const MIN_COVERAGE = 0.35;
/** The same for a quote with several values. */
const MIN_COVERAGE_OF_SEVERAL = 0.6;
/** Length of the text behind a number in which the counted thing is sought, in characters. */
const COUNTED_LENGTH = 30;
/** Minimum distance by which a value must be nearer to the question's words than the next one, in characters. */
const MIN_MARGIN = 12;

/**
 * Returns the value of the expected kind in the quote, with offsets in its text. If there are several, returns the one
 * nearest to the words of the question, or null if it is not clearly the nearest. A row of a
 * table is led by the cell that the question names, and a question for a name has no lead if there are several.
 */
export function leadOf(quote: Quote, question: Question, language: string | null): Lead | null {
  const { expects } = question;
  if (quote.header !== null) return cellLead(quote, question, language);
  if (expects === null || expects === 'yesNo' || quote.coverage < MIN_COVERAGE) return null;
  if (!holdsRelation(quote, question)) return null;
  const meant = newValues(quote.text, expects, question, language).filter((value) =>
    isMeant(value, quote, question, language),
  );
  const values = inRole(meant, quote.text, question.text, language);
  const [first] = values;
  if (first === undefined) return null;
  if (values.length === 1) {
    if ((expects === 'person' || expects === 'place') && !isCertainlyName(first, expects, language)) return null;
    if (expects === 'person' && !canBePerson(first, quote.text, question, language)) return null;
    if (expects === 'place' && !isAfterPlaceWord(quote.text, first.start, language)) return null;
    return { ...first, kind: expects };
  }
  // Names near the words of the question are as often its subject's as its answer.
  if (expects === 'person' || expects === 'place') return null;
  if (quote.coverage < MIN_COVERAGE_OF_SEVERAL) return null;
  const matched = analyseSpans(quote.text, language).filter(({ term }) => question.terms.includes(term));
  if (matched.length === 0) return null;
  const ranked = values
    .map((value) => ({ value, distance: meanDistance(value, matched) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [nearest, next] = ranked;
  if (nearest === undefined || next === undefined || next.distance - nearest.distance < MIN_MARGIN) return null;
  return { ...nearest.value, kind: expects };
}

/**
 * Returns whether the quote or its titles contain all names and numbers of the question, and a term that is no name. A
 * sentence that lacks a name ("in 1914") has the value of something else, as has one that only names the same things.
 */
function holdsRelation({ covers, titled }: Quote, { terms, names }: Question): boolean {
  const missing = names.some((name) => terms.includes(name) && !covers.includes(name) && !titled.includes(name));
  if (missing) return false;
  const relation = terms.filter((term) => !names.includes(term));
  return relation.length === 0 || relation.some((term) => covers.includes(term) || titled.includes(term));
}

/**
 * Returns whether a value can be the answer: a count is followed by the counted thing ("270 steps") of the question, a
 * measure has a unit, and brackets around the value say nothing that is not in the question.
 */
function isMeant(value: Value, quote: Quote, { expects, terms, counted }: Question, language: string | null): boolean {
  const { text, end } = value;
  const beside = wordsBesideInBrackets(quote.text, value);
  if (beside !== null && !analyse(beside, language).some((term) => terms.includes(term))) return false;
  if (isOneOfSeveral(quote.text, value)) return false;
  if (expects === 'measure') return /[^\p{Nd}\s.,+–−-]/u.test(text) && /\p{Nd}|[\s\u00a0-]/u.test(text);
  if (expects !== 'count') return true;
  const following = quote.text.slice(end, end + COUNTED_LENGTH).split(/[.,;:()]/u)[0] ?? '';
  const things = counted.length > 0 ? counted : terms;
  return analyse(following, language).some((term) => things.includes(term));
}

/** A number and a conjunction or a dash before or behind a value. */
const NUMBER_BEFORE =
  /\p{Nd}[\p{L}%°]{0,3}\s*(?:[–-]|\b(?:and|or|to|und|oder|bis|et|ou|à|y|o|a|e|en|of|tot|von|sur|de|van|di)\b)\s*$/u;
const NUMBER_BEHIND =
  /^\s*(?:[–-]|(?:and|or|to|und|oder|bis|et|ou|à|y|o|a|e|en|of|tot|von|sur|de|van|di)\s)\s*(?:the\s)?(?:\p{L}{1,12}[ -])?[-−]?\p{Nd}/u;

/** Returns whether a number is a part of a list or a range ("−12 and 0 °C"): it would be half of an answer. */
const isOneOfSeveral = (text: string, { start, end, text: value }: Value): boolean =>
  /\p{Nd}/u.test(value) && (NUMBER_BEFORE.test(text.slice(0, start)) || NUMBER_BEHIND.test(text.slice(end)));

/**
 * Returns the words beside a value in brackets ("born" of "(born 29 April 1970)"): they say what the value is, not the
 * sentence around them. Null for a value without brackets, or with no words in them.
 */
function wordsBesideInBrackets(text: string, { start, end }: Value): string | null {
  const open = Math.max(text.lastIndexOf('(', start), text.lastIndexOf('[', start));
  if (open === -1 || /[)\]]/u.test(text.slice(open + 1, start))) return null;
  const close = text.slice(end).search(/[)\]]/u);
  const beside = `${text.slice(open + 1, start)} ${close === -1 ? '' : text.slice(end, end + close)}`;
  return /\p{L}/u.test(beside) ? beside : null;
}

/**
 * Returns whether capitals show that a value is a name: one word at the start of a sentence has a capital in any case
 * ("Supposons …"), and a German noun too.
 */
function isCertainlyName({ start, text }: Value, kind: 'person' | 'place', language: string | null): boolean {
  const isOneWord = !/\s\p{Lu}/u.test(text);
  return !isOneWord || (start > 0 && (kind === 'place' || language !== 'de'));
}

/** An article before a name and a noun behind it: "an Armenian woman". */
const ARTICLE_BEFORE = /(?<!\p{L})(?:an?|the)\s$/iu;
const NOUN_BEHIND = /^\s\p{Ll}/u;

/** A German preposition before a doer as well as a place. */
const BY = /(?<!\p{L})von\s$/iu;

/** Letters such as "SI" and "UTF-8". */
const INITIALS = /^[\p{Lu}\p{Nd}-]+$/u;

/**
 * Returns false for a name behind a preposition of place ("between Fort Edward and …"), for a name as adjective, for
 * initials, and for a name of which the question has a part: it is what the question is about.
 */
function canBePerson(
  { start, end, text: name }: Value,
  text: string,
  { all }: Question,
  language: string | null,
): boolean {
  const isPlace = isAfterPlaceWord(text, start, language) && !BY.test(text.slice(0, start));
  if (isPlace || INITIALS.test(name)) return false;
  if (analyse(name, language).some((term) => all.includes(term))) return false;
  return !(ARTICLE_BEFORE.test(text.slice(0, start)) && NOUN_BEHIND.test(text.slice(end)));
}

function meanDistance(value: Value, spans: readonly { start: number; end: number }[]): number {
  const gap = (span: { start: number; end: number }): number =>
    Math.max(0, span.start - value.end, value.start - span.end);
  return spans.reduce((sum, span) => sum + gap(span), 0) / spans.length;
}
