/**
 * Cuts text into tokens with their places: words of scripts with spaces, and runs of scripts without. The analyser
 * interprets them for a language (stem, stop word).
 */
import { TextUnits } from '@quire/shared/text-units';
import { BIGRAM_SCRIPTS, DICTIONARY_SCRIPTS } from './script.ts';

export interface Token {
  /** `[start, end)` in UTF-16 units of the text. */
  start: number;
  end: number;
  kind: 'word' | 'bigrams' | 'dictionary';
  text: string;
}

const INNER = String.raw`\u00ad\u200c\u200d`;
const LETTER = String.raw`[[\p{L}\p{N}\p{M}_${INNER}]--[${BIGRAM_SCRIPTS}${DICTIONARY_SCRIPTS}]]`;
/**
 * Connectors that may occur once between two letters of a compound: `foo.bar`, `AB-12/3`, `it's`, `a@b`, `std::vector`.
 */
const CONNECTOR = String.raw`(?:::|[.'’\-\u2010\u2011\/:@&+\\\u00b7\u05f3\u05f4]|(?<=\d),(?=\d))`;
/** `C#`, `F#`, `C++`. */
const SYMBOL_NAME = String.raw`(?<![\p{L}\p{N}])[A-Za-z](?:\+\+|#)(?![\p{L}\p{N}])`;

const TOKEN = new RegExp(
  String.raw`([${BIGRAM_SCRIPTS}]+)|([${DICTIONARY_SCRIPTS}][${DICTIONARY_SCRIPTS}\p{M}]*)|${SYMBOL_NAME}|${LETTER}+(?:${CONNECTOR}${LETTER}+)*`,
  'gv',
);

/** Receives the tokens of a text, in order. */
interface TokenVisitor {
  /**
   * Called for a word of ASCII letters, lower case after the first, from `start` to `end` of the text and its units.
   */
  plainWord: (units: Uint16Array, start: number, end: number) => void;
  other: (token: Token) => void;
}

const source = new TextUnits();

/**
 * Visits all tokens. Plain words, which are most words, are found without the pattern, ten times as fast. Visitors must
 * not call this function.
 */
export function visitTokens(text: string, visitor: TokenVisitor): void {
  const units = source.read(text);
  let at = 0;
  while (at < text.length) {
    if (MARKS[units[at] ?? 0] === GAP) {
      at += 1;
      continue;
    }
    const end = plainWordEnd(units, at, text.length);
    if (end > at) {
      visitor.plainWord(units, at, end);
      at = end;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return;
    at = match.index + match[0].length;
    const kind = match[1] !== undefined ? 'bigrams' : match[2] !== undefined ? 'dictionary' : 'word';
    visitor.other({ start: match.index, end: at, kind, text: match[0] });
  }
}

/** Returns the tokens in order. */
export function tokenise(text: string): Token[] {
  // Returns a list, as resuming a generator for each word takes a fifth of the analysis.
  const tokens: Token[] = [];
  visitTokens(text, {
    plainWord: (_units, start, end) => tokens.push({ start, end, kind: 'word', text: text.slice(start, end) }),
    other: (token) => tokens.push(token),
  });
  return tokens;
}

/** Ends every word and starts none. */
const GAP = 1;
/** Ends a word before a gap; may connect two words otherwise. */
const STOP = 2;
const MARKS = new Uint8Array(128);
for (const mark of ' \t\n\r,;!?()"') MARKS[mark.charCodeAt(0)] = GAP;
for (const mark of ".:'-/&@\\") MARKS[mark.charCodeAt(0)] = STOP;

/** The bit that makes ASCII letters lower case. */
const CASE_BIT = 0x20;

/**
 * Returns the end of the plain word (`[A-Za-z][a-z]*`, without connectors) that starts at `start`, or `start` if there
 * is none.
 */
function plainWordEnd(units: Uint16Array, start: number, length: number): number {
  let end = start + 1;
  if (!isLowerCase((units[start] ?? 0) | CASE_BIT)) return start;
  while (end < length && isLowerCase(units[end] ?? 0)) end += 1;
  const next = end < length ? MARKS[units[end] ?? 0] : GAP;
  if (next === GAP) return end;
  const stops = next === STOP && (end + 1 === length || MARKS[units[end + 1] ?? 0] === GAP);
  return stops ? end : start;
}

const isLowerCase = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
