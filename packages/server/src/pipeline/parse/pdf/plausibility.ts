/**
 * Whether words can be words of a language at all, without knowing which one: fonts with a private order of letters,
 * and the text layers that bad scanners add, give letters that no mouth can say.
 */

/** Fewer words than this say nothing. */
const FEWEST_WORDS = 40;
const VOWELS = /[aeiouyæœøı]/u;
const CONSONANTS_IN_A_ROW = /[^aeiouyæœøı\d]{6}/u;
/** `rEaD`, `l1ke`: letters change their case, or are figures, in the middle. */
const MIXED = /\p{Ll}\p{Lu}+\p{Ll}|\p{L}\d+\p{L}/u;

/** Share of the words in Latin letters that cannot be pronounced, 0..1; 0 when there are too few to tell. */
export function gibberishShare(words: readonly string[]): number {
  const latin = words
    .map((word) => word.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, ''))
    .filter((word) => word.length >= 4 && /^[\p{Script=Latin}\d]+$/u.test(word) && !/^\d+$/.test(word));
  if (latin.length < FEWEST_WORDS) return 0;
  return latin.filter(isGibberish).length / latin.length;
}

function isGibberish(word: string): boolean {
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return !VOWELS.test(plain) || CONSONANTS_IN_A_ROW.test(plain) || MIXED.test(word);
}
