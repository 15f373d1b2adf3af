/**
 * Cuts text into tokens with their places: words of scripts with spaces, runs of scripts without. What a token means in
 * a language (stem, stop word) is the analyser's business.
 */
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
/** What may stand once between two letters of a compound: `foo.bar`, `AB-12/3`, `it's`, `a@b`, `std::vector`. */
const CONNECTOR = String.raw`(?:::|[.'’\-\u2010\u2011\/:@&+\\\u00b7\u05f3\u05f4]|(?<=\d),(?=\d))`;
/** `C#`, `F#`, `C++`. */
const SYMBOL_NAME = String.raw`(?<![\p{L}\p{N}])[A-Za-z](?:\+\+|#)(?![\p{L}\p{N}])`;

const TOKEN = new RegExp(
  String.raw`(?<bigrams>[${BIGRAM_SCRIPTS}]+)|(?<dictionary>[${DICTIONARY_SCRIPTS}][${DICTIONARY_SCRIPTS}\p{M}]*)|${SYMBOL_NAME}|${LETTER}+(?:${CONNECTOR}${LETTER}+)*`,
  'gv',
);

export function* tokenise(text: string): Generator<Token> {
  for (const match of text.matchAll(TOKEN)) {
    const kind = match.groups?.bigrams ? 'bigrams' : match.groups?.dictionary ? 'dictionary' : 'word';
    yield { start: match.index, end: match.index + match[0].length, kind, text: match[0] };
  }
}
