/** Unifies the spellings of one word: compatibility forms, case, accents, digits, optional vowel signs. */

const ASCII = /^\p{ASCII}*$/u;
/** Soft hyphens, joiners and direction marks within words, which have no meaning. */
const INVISIBLE = /[\u{34f}\u{ad}\u{200b}-\u{200f}\u{2060}\u{feff}]/gu;
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;
const MARKED_LATIN = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
/**
 * Arabic vowel signs and tatweel, Hebrew points and cantillation, and the white space that NFKC makes of single signs.
 */
const OPTIONAL_SIGNS =
  /[\u{591}-\u{5bd}\u{5bf}\u{5c1}\u{5c2}\u{5c4}\u{5c5}\u{5c7}\u{64b}-\u{65f}\u{670}\u{640}\u{5f3}\u{5f4}\s]/gu;
const LETTER_VARIANTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ё: 'е',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const VARIANT_LETTERS = new RegExp(`[${Object.keys(LETTER_VARIANTS).join('')}]`, 'gu');

/** Returns lower case in compatibility composition, with digits 0-9 and without optional signs. */
export function normaliseWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(OPTIONAL_SIGNS, '')
    .replace(OTHER_DIGITS, asciiDigit);
}

/** Removes accents and letter variants; must follow the stemmers, which need them. */
export function foldAccents(word: string): string {
  if (ASCII.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(MARKED_LATIN, '$1')
    .normalize('NFC')
    .replace(VARIANT_LETTERS, (letter) => LETTER_VARIANTS[letter] ?? letter);
}

/**
 * Returns the ASCII digit. Decimal digits come in runs of ten, and the character before a run's zero is not in the run.
 */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  for (let value = 0; value < 10; value += 1) {
    if (!/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) return String(value);
  }
  return digit;
}
