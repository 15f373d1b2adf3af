/** Recognises what is no name in the place of one: labels, titles of documents and persons, numbers and streets. */
import { streetWordEnd } from './addresses.ts';
import { companiesIn, isPersonTitle, TITLE_LINE } from './company-names.ts';
import { GENERIC_WORDS } from '../lexicon/lexicon.ts';
import { CONCEPTS, type ValueKind } from '../lexicon/concepts.ts';
import { CUSTOMER_CONCEPTS } from '../fields/fields.ts';
import { wordsOf, type PhraseBook } from '../labels/phrase-book.ts';

const EXACT = 0.9;
/** Minimum number of digits of an identifier; numbers of houses have fewer. */
const IDENTIFIER = /^\s*\p{N}[\p{N} .-]{4,}/u;
/** A number of a house or a period at the end; registration numbers of companies are longer. */
const SHORT_NUMBER = /^\s*\p{N}{1,4}\p{L}?[\s.]*$/u;
/** Kinds of the values whose labels are printed beside those of parties. */
const BESIDE_PARTIES: ReadonlySet<ValueKind> = new Set<ValueKind>(['date', 'id', 'address', 'phone', 'vat']);

/** Returns whether `text.slice(start, end)` is no name, although it is in the place of one. */
export function isNoName(text: string, start: number, end: number, phrases: PhraseBook): boolean {
  const name = text.slice(start, end).trim();
  const after = text.slice(end);
  if (/^\s*[:：]/u.test(after) || isPersonTitle(name) || TITLE_LINE.test(name)) return true;
  return isLabel(wordsOf(name), phrases) || isBeforeNumber(name, after);
}

/** Returns whether the words are a label, labels in a row such as "Bill to Ship to", or generic, as "Number" is. */
function isLabel(words: readonly string[], phrases: PhraseBook): boolean {
  if (words.every((word) => GENERIC_WORDS.has(word))) return true;
  const known = phrases.find(words).filter(({ weight }) => weight > EXACT);
  if (known.some(({ start, end }) => start === 0 && end === words.length)) return true;
  const beside = known.filter(({ target }) => {
    const kind = CONCEPTS[target]?.[0];
    return CUSTOMER_CONCEPTS.has(target) || (kind !== undefined && BESIDE_PARTIES.has(kind));
  });
  return words.every((word, at) => GENERIC_WORDS.has(word) || beside.some(({ start, end }) => start <= at && at < end));
}

/** Returns whether the words name the number behind them: an identifier, a period, or a house in a street. */
function isBeforeNumber(name: string, after: string): boolean {
  if (!/^\s*\p{N}/u.test(after) || companiesIn(name).length > 0) return false;
  const isOneWord = !/\s/u.test(name);
  if (isOneWord && (IDENTIFIER.test(after) || streetWordEnd(name) === name.length)) return true;
  return SHORT_NUMBER.test(after);
}
