/**
 * Estimates whether text is natural language, without knowing which one. Fonts with a private encoding and poor OCR
 * text layers yield unpronounceable letter sequences.
 */

/** Minimum number of words for an estimate. */
const MIN_WORDS = 40;
const VOWELS = /[aeiouyæœøı]/u;
const CONSONANT_RUN = /[^aeiouyæœøı\d]{6}/u;
/** Matches a change of case or a digit inside a word, such as `rEaD` or `l1ke`. */
const MIXED_CASE_OR_DIGITS = /\p{Ll}\p{Lu}+\p{Ll}|\p{L}\d+\p{L}/u;

/** Fast path for ordinary ASCII words, which skips the slower Unicode checks. */
const ORDINARY_WORD = /^[A-Za-z][a-z]{3,}[.,;:!?)]?$/;
const ASCII_VOWELS = /[aeiouy]/i;
const ASCII_CONSONANT_RUN = /[b-df-hj-np-tv-xz]{6}/i;

/** Returns the share (0..1) of Latin-script words that are unpronounceable; 0 for too few words. */
export function gibberishShare(words: readonly string[]): number {
  let [latin, gibberish] = [0, 0];
  for (const word of words) {
    if (ORDINARY_WORD.test(word)) {
      latin++;
      if (!ASCII_VOWELS.test(word) || ASCII_CONSONANT_RUN.test(word)) gibberish++;
      continue;
    }
    if (word.length < 4) continue;
    const trimmed = word.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
    if (trimmed.length < 4 || !/^[\p{Script=Latin}\d]+$/u.test(trimmed) || /^\d+$/.test(trimmed)) continue;
    latin++;
    if (isGibberish(trimmed)) gibberish++;
  }
  return latin < MIN_WORDS ? 0 : gibberish / latin;
}

function isGibberish(word: string): boolean {
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return !VOWELS.test(plain) || CONSONANT_RUN.test(plain) || MIXED_CASE_OR_DIGITS.test(word);
}

/** Letters that make up 55 to 67 % of the letters in European languages, and about 30 % once codes are exchanged. */
const FREQUENT = /[aeinorst]/gi;
const MIN_FREQUENT = 0.45;
/** Minimum number of letters for a judgement by their frequency. */
const MIN_LETTERS = 30;

/**
 * Checks whether codes without a Unicode mapping are the characters that they look like, by the frequency of letters:
 * bitmap fonts of TeX have no mapping, but their codes are those of ASCII.
 */
export function isAscii(text: string): boolean {
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  const frequent = text.match(FREQUENT)?.length ?? 0;
  return letters >= MIN_LETTERS && frequent >= MIN_FREQUENT * letters;
}
