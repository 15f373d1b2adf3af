/**
 * Estimates whether text is natural language, without knowing which one. Fonts with a private encoding and poor OCR
 * text layers yield unpronounceable letter sequences.
 */

/** Minimum number of words for an estimate. */
const FEWEST_WORDS = 40;
const VOWELS = /[aeiouyæœøı]/u;
const CONSONANTS_IN_A_ROW = /[^aeiouyæœøı\d]{6}/u;
/** Matches a change of case or a digit inside a word, such as `rEaD` or `l1ke`. */
const MIXED = /\p{Ll}\p{Lu}+\p{Ll}|\p{L}\d+\p{L}/u;

/** Fast path for ordinary ASCII words, which skips the slower Unicode checks. */
const PLAIN = /^[A-Za-z][a-z]{3,}[.,;:!?)]?$/;
const PLAIN_VOWELS = /[aeiouy]/i;
const PLAIN_CONSONANTS_IN_A_ROW = /[b-df-hj-np-tv-xz]{6}/i;

/** Returns the share (0..1) of Latin-script words that are unpronounceable; 0 for too few words. */
export function gibberishShare(words: readonly string[]): number {
  let [latin, gibberish] = [0, 0];
  for (const word of words) {
    if (PLAIN.test(word)) {
      latin++;
      if (!PLAIN_VOWELS.test(word) || PLAIN_CONSONANTS_IN_A_ROW.test(word)) gibberish++;
      continue;
    }
    if (word.length < 4) continue;
    const trimmed = word.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
    if (trimmed.length < 4 || !/^[\p{Script=Latin}\d]+$/u.test(trimmed) || /^\d+$/.test(trimmed)) continue;
    latin++;
    if (isGibberish(trimmed)) gibberish++;
  }
  return latin < FEWEST_WORDS ? 0 : gibberish / latin;
}

function isGibberish(word: string): boolean {
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return !VOWELS.test(plain) || CONSONANTS_IN_A_ROW.test(plain) || MIXED.test(word);
}
