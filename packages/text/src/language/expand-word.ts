/** Expands one written word or compound to the terms that find it, each with its place in the word, before stemming. */
import { normaliseWord } from './fold.ts';

export interface WordPart {
  /** `[start, end)` in UTF-16 units of the word. */
  start: number;
  end: number;
  /** Normalised (see `normaliseWord`), with accents. */
  word: string;
  /** True for names, codes and numbers, which match only as written; words of a language are stemmed. */
  exact: boolean;
  /** True for words in capitals, such as abbreviations: `US` and `IT` are not pronouns. */
  capitals?: boolean;
}

/** Maximum length of a term. A longer word is found only by its parts; a longer part is cut. */
export const MAX_TERM_LENGTH = 64;

const SIMPLE = /^[a-z]+$/u;
const PIECE = /[\u{200c}\u{200d}\p{L}\p{N}\p{M}\u{ad}\u{5f3}\u{5f4}]+/gu;
const LETTERS_ONLY = /^[\u{200c}\u{200d}\p{L}\p{M}\u{ad}]+$/u;
const CAPITALS = /^\p{Lu}{2,}$/u;
/** Plural of an abbreviation: `PDFs` is not split into `PD Fs`. */
const PLURAL_CAPITALS = /^\p{Lu}+s$/u;
const APOSTROPHE = /['’]/u;
const ACRONYM = /^\p{L}(?:\.\p{L})+$/u;
const HYPHENS_ONLY = /^[\p{L}\p{M}]+(?:[-\u2010\u2011][\p{L}\p{M}]+)$/u;
const SLASHES_ONLY = /^[\p{L}\p{M}]+(?:\/[\p{L}\p{M}]+)+$/u;
const GROUPED_NUMBER = /^\p{Nd}{1,3}(?:(?:,\p{Nd}{3})+(?:\.\p{Nd}+)?|(?:\.\p{Nd}{3}){2,}(?:,\p{Nd}+)?)$/u;
const DECIMAL = /^\p{Nd}+[.,]\p{Nd}+$/u;
const SYMBOL_NAME = /^[A-Za-z](?:\+\+|#)$/u;
/** Matches where a name changes case or goes from letters to digits: `getUserName`, `HTTPServer`, `windows10`. */
const CASE_BOUNDARY =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{3})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L}{3})/u;

export function expandWord(raw: string): WordPart[] {
  if (SIMPLE.test(raw)) return [{ start: 0, end: raw.length, word: clip(raw), exact: false }];
  if (SYMBOL_NAME.test(raw)) return [whole(raw, raw.toLowerCase()), part(raw.slice(0, 1), 0, true)];
  if (GROUPED_NUMBER.test(raw) || DECIMAL.test(raw)) return [whole(raw, normaliseNumber(raw))];
  if (ACRONYM.test(raw)) return [whole(raw, normaliseWord(raw.replaceAll('.', '')))];

  const pieces = [...raw.matchAll(PIECE)].map((match) => ({ start: match.index, text: match[0] }));
  const compound = pieces.length > 1;
  const elided = compound && APOSTROPHE.test(raw);
  const parts = pieces
    .filter(({ text }) => !(elided && text.length === 1 && LETTERS_ONLY.test(text)))
    .flatMap(({ text, start }) => splitHumps(text, start));
  if (HYPHENS_ONLY.test(raw))
    parts.push({ ...whole(raw, normaliseWord(raw).replace(/[-\u2010\u2011]/u, '')), exact: false });
  else if (compound && !elided && !SLASHES_ONLY.test(raw) && raw.length <= MAX_TERM_LENGTH) {
    parts.push(whole(raw, normaliseWord(raw)));
  }
  return parts.filter(({ word }) => word !== '');
}

function splitHumps(text: string, start: number): WordPart[] {
  const own = part(text, start, !LETTERS_ONLY.test(text));
  const humps = text.split(CASE_BOUNDARY);
  if (humps.length === 1 || PLURAL_CAPITALS.test(text) || humps.some((hump) => hump.length < 2)) return [own];
  let at = start;
  const parts = humps.map((hump) => {
    at += hump.length;
    return part(hump, at - hump.length, !LETTERS_ONLY.test(hump));
  });
  return [own, ...parts];
}

function part(text: string, start: number, exact: boolean): WordPart {
  const capitals = CAPITALS.test(text);
  return { start, end: start + text.length, word: clip(normaliseWord(text)), exact, ...(capitals && { capitals }) };
}

function whole(raw: string, word: string): WordPart {
  return { start: 0, end: raw.length, word: clip(word), exact: true };
}

/** Removes the group separators of `1,000` and `1.000.000`; the decimal separator becomes a point. */
function normaliseNumber(raw: string): string {
  const digits = normaliseWord(raw);
  if (!GROUPED_NUMBER.test(raw)) return digits.replace(',', '.');
  return /^\d+,/u.test(digits) ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
}

/** Cuts a word between code points. */
function clip(word: string): string {
  return word.length <= MAX_TERM_LENGTH ? word : word.slice(0, MAX_TERM_LENGTH).replace(/[\ud800-\udbff]$/u, '');
}
