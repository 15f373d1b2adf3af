/**
 * Splits text into sentences by rule. A full stop ends a sentence unless it belongs to an initial ("Charles W. Eliot"),
 * an abbreviation, an ordinal number ("am 3. Oktober") or the number of a list item. After the first two, a capitalised
 * function word still starts a new sentence ("… of Apple Inc. The company …").
 */
import { isAbbreviation, isNeverLast } from './abbreviations.ts';
import { isStopWord } from './stop-words.ts';

/**
 * Matches after a full stop, question or exclamation mark that white space and no lower-case letter follow, after the
 * full stops of scripts that put no space there, and after line breaks.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’»)\]]*\s+(?!\p{Ll})|[。！？｡．‼⁇]+[”’」』）】〉》\s]*|[।॥؟۔။។]+\s*|\n+/gu;

/** Languages that write ordinal numbers with a full stop. */
const ORDINAL_STOP: ReadonlySet<string> = new Set('de da no fi cs sk pl hu et lv tr hr sl is sr'.split(' '));

/** Length of the text before a full stop that is examined, in UTF-16 code units. */
const LOOK_BEHIND = 40;
const LAST_WORD = /[\p{L}\p{M}\p{Nd}][\p{L}\p{M}\p{Nd}.-]*$/u;
/** Text up to the last character of a script that writes words without spaces. */
const WITHOUT_SPACES = /^[^]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The first word of a text, unless it is an initial. */
const FIRST_WORD = /^["'“‘«„([¿¡]*(?!\p{Lu}\.)(\p{L}[\p{L}\p{M}'’-]*)/u;
/** One letter of an alphabet; one character of another script may be a whole word. */
const SINGLE_LETTER =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*$/u;
const JOINED_LETTERS = /^(?:\p{L}\p{M}*\.)+\p{L}\p{M}*$/u;
/** The number or letter of a list item: `1`, `2.1`, `b`, `iv`. */
const ITEM_NUMBER = /^(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3})*|\p{L}|[ivxlc]{1,5}|[IVXLC]{1,5})$/u;
const BEFORE_ITEM = /^(?:[^.!?]*:)?[\s•*(–-]*$/u;
const ORDINAL = /^(?:\p{Nd}{1,2}|[IVXLC]{2,6})$/u;
/** Hiragana after a closing bracket continues the sentence that holds the quotation. */
const CONTINUES_QUOTATION = /^\p{Script=Hiragana}/u;

/** Returns sentences with the white space after them. `language` is an ISO 639-1 code. */
export function sentences(text: string, language: string | null = null): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (!endsSentence(text, start, match, language)) continue;
    parts.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

/** Returns whether the mark ends the sentence that begins at `start`. */
function endsSentence(text: string, start: number, match: RegExpExecArray, language: string | null): boolean {
  const { 0: mark, index: at } = match;
  if (mark.includes('\n')) return true;
  const after = text.slice(at + mark.length, at + mark.length + LOOK_BEHIND);
  if (/[」』]$/u.test(mark)) return !CONTINUES_QUOTATION.test(after);
  if (!/^\.\s/u.test(mark)) return true;
  const before = text.slice(Math.max(start, at - LOOK_BEHIND), at);
  const [word = ''] = LAST_WORD.exec(before.replace(WITHOUT_SPACES, ' ')) ?? [];
  if (word === '') return true;
  const preceding = before.slice(0, -word.length);
  if (ITEM_NUMBER.test(word) && BEFORE_ITEM.test(preceding) && before.length === at - start) return false;
  if (ORDINAL.test(word) && ORDINAL_STOP.has(language ?? '')) {
    // A number after an abbreviation is a reference: "Art. 5".
    return /\.\s*$/u.test(preceding) || startsWithFunctionWord(after, language);
  }
  if (isNeverLast(word)) return false;
  const isShortened = isInitial(word, preceding) || JOINED_LETTERS.test(word) || isAbbreviation(word, language);
  return !isShortened || startsWithFunctionWord(after, language);
}

/** Returns whether the word is an initial: one letter that is neither a unit after a number nor the pronoun "I". */
function isInitial(word: string, preceding: string): boolean {
  if (!SINGLE_LETTER.test(word) || /\p{Nd}\s?$/u.test(preceding)) return false;
  return word !== 'I' || !/\p{Ll}[\s,]*$/u.test(preceding) || /\p{Lu}\p{L}+\s$/u.test(preceding);
}

function startsWithFunctionWord(text: string, language: string | null): boolean {
  const [, word = ''] = FIRST_WORD.exec(text) ?? [];
  return isStopWord(word.toLowerCase(), language) && word !== word.toLowerCase();
}
