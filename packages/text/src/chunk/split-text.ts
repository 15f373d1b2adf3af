/** Cuts text at natural breaks into parts of at most a number of tokens. The joined parts are the original text. */
import { sentences } from '../language/sentences.ts';
import type { TokenCounter } from './token-counter.ts';

/**
 * Returns parts of at most `maxTokens`: whole sentences where they fit, otherwise cut at a clause, a space or a
 * character.
 */
export function splitText(text: string, maxTokens: number, counter: TokenCounter): string[] {
  return sentences(text).flatMap((sentence) => splitLong(sentence, maxTokens, counter));
}

/** Maximum length of the counter's input, per token of the limit: no text has more than 12 characters a token. */
const CHARACTERS_PER_TOKEN = 12;

export function splitLong(text: string, maxTokens: number, counter: TokenCounter): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const window = text.slice(start, start + maxTokens * CHARACTERS_PER_TOKEN);
    const length = fittingLength(window, maxTokens, counter);
    const isRest = start + length >= text.length;
    const end = isRest ? text.length : start + breakBefore(text, start, start + length);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Returns the length of the longest prefix of at most `maxTokens`, to within a tenth; at least one character. */
function fittingLength(window: string, maxTokens: number, counter: TokenCounter): number {
  if (counter.count(window) <= maxTokens) return window.length;
  let fits = 0;
  let exceeds = window.length;
  // The density of a text varies little, so that a proportional guess needs two or three steps.
  let guess = Math.floor((window.length * maxTokens) / counter.count(window));
  while (exceeds - fits > Math.max(1, fits / 10)) {
    guess = Math.min(exceeds - 1, Math.max(fits + 1, guess));
    if (counter.count(window.slice(0, guess)) <= maxTokens) fits = guess;
    else exceeds = guess;
    guess = Math.floor((fits + exceeds) / 2);
  }
  return Math.max(1, fits);
}

const CLAUSE_END = /[,;:，；：、،؛)\]）】]\s*$/u;
const NO_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns the length of the part from `start` with the best end in the last third before `limit`. */
function breakBefore(text: string, start: number, limit: number): number {
  const earliest = start + Math.ceil(((limit - start) * 2) / 3);
  const tail = text.slice(earliest, limit);
  const clause = lastClauseEnd(tail);
  if (clause > 0) return earliest + clause - start;
  for (let end = limit; end > earliest; end -= 1) if (/\s/.test(text.charAt(end - 1))) return end - start;
  const word = NO_SPACES.test(tail) ? wordStart(text, limit) : limit;
  return Math.max(1, characterStart(text, word > earliest ? word : limit) - start);
}

function lastClauseEnd(tail: string): number {
  for (let end = tail.length; end > 0; end -= 1) {
    const character = tail.charAt(end - 1);
    if (CLAUSE_END.test(character) && (character > '\u00ff' || /\s/.test(tail.charAt(end)))) return end;
  }
  return 0;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Returns the start of the word at `limit`. The segmenter gets only 100 characters, as its time is not linear. */
function wordStart(text: string, limit: number): number {
  const from = Math.max(0, limit - 100);
  const found = segmenter.segment(text.slice(from, limit + 50)).containing(limit - from);
  return found === undefined ? limit : from + found.index;
}

const JOINER = '\u200d';

/** Returns whether a mark, a joiner or the second half of a surrogate pair is at the offset. */
function continuesCharacter(text: string, offset: number): boolean {
  const character = text.charAt(offset);
  return character === JOINER || isSecondHalf(text.charCodeAt(offset)) || /^\p{M}/u.test(character);
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Steps back over marks and out of a surrogate pair, unless everything nearby is marks. */
function characterStart(text: string, limit: number): number {
  for (let end = limit; end > limit - 32 && end > 0; end -= 1) {
    if (!continuesCharacter(text, end) && text.charAt(end - 1) !== JOINER) return end;
  }
  return isSecondHalf(text.charCodeAt(limit)) ? limit - 1 : limit;
}
