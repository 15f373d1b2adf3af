/** Which query words are corrected, and by which words (`docs/decisions/2026-11-21-misspelt-words.md`). */

/** Words that may be corrected. Shorter words have too many neighbours, and codes with digits must match exactly. */
export const MISSPELT_WORD = /^\p{L}{5,}$/u;
/** Maximum number of indexed words that replace one misspelt word. */
export const MAX_EXPANSIONS = 3;
/** Maximum number of corrected words per query; a longer query does not depend on a single word. */
export const MAX_LOOKED_UP = 12;

/** Returns whether one insertion, deletion, replacement or swap of letters turns one word into the other. */
export function isOneEditAway(word: string, other: string): boolean {
  const [a, b] = [Array.from(word), Array.from(other)];
  if (Math.abs(a.length - b.length) > 1) return false;
  let head = 0;
  while (head < a.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const [restA, restB] = [a.length - head - tail, b.length - head - tail];
  if (restA <= 1 && restB <= 1) return true;
  return restA === 2 && restB === 2 && a[head] === b[head + 1] && a[head + 1] === b[head];
}
