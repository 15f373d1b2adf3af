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

/** As most words are: of these the slower questions need not be asked. */
const PLAIN = /^[A-Za-z][a-z]{3,}[.,;:!?)]?$/;
const PLAIN_VOWELS = /[aeiouy]/i;
const PLAIN_CONSONANTS_IN_A_ROW = /[b-df-hj-np-tv-xz]{6}/i;

/** Share of the words in Latin letters that cannot be pronounced, 0..1; 0 when there are too few to tell. */
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
