/** Counts tokens of JSON as a model that reads it would, and keeps texts and lists within a number of them. */
import { approximateTokenCounter } from '@quire/text/chunk/approximate-token-counter';

/** Bound on characters for each token: white space and marks cost no tokens. */
const CHARACTERS_PER_TOKEN = 8;

export const countTokens = (text: string): number =>
  Math.max(approximateTokenCounter.count(text), Math.ceil(text.length / CHARACTERS_PER_TOKEN));

/** Returns the tokens of a value in the JSON text of a result. */
export const countJson = (value: unknown): number => countTokens(JSON.stringify(value));

/** Returns the longest beginning of the text whose JSON has at most `tokens` tokens; ends at white space if it can. */
export function beginningWithin(text: string, tokens: number): string {
  const fits = (length: number): boolean => countJson(text.slice(0, length)) <= tokens;
  const longest = Math.min(text.length, Math.max(0, tokens) * CHARACTERS_PER_TOKEN);
  if (fits(longest)) return longest === text.length ? text : endedWell(text, longest);
  let low = 0;
  let high = longest;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return endedWell(text, low);
}

/** Cuts at `length`, or up to a fifth earlier after white space; never within a surrogate pair. */
function endedWell(text: string, length: number): string {
  const cut = text.slice(0, length).replace(/[\ud800-\udbff]$/u, '');
  const space = cut.search(/\s\S*$/u);
  return space > cut.length * 0.8 ? cut.slice(0, space + 1) : cut;
}

/** Returns the leading items whose JSON stays within the tokens; at least the first one. */
export function leadingWithin<T>(items: readonly T[], tokens: number): T[] {
  let left = tokens;
  const kept: T[] = [];
  for (const item of items) {
    left -= countJson(item);
    if (left < 0 && kept.length > 0) break;
    kept.push(item);
  }
  return kept;
}
