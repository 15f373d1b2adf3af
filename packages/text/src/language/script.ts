/** The writing systems that the analyser and the detector distinguish. Patterns need the `v` flag. */

/**
 * Scripts whose words are indexed as overlapping pairs of characters: scripts without spaces, and Hangul for its
 * endings.
 */
export const BIGRAM_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc\uff70\u3005\u3007\u3099\u309a\uff9e\uff9f`;

/** Scripts without spaces whose words need a dictionary. */
export const DICTIONARY_SCRIPTS = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

/** Scripts that are used by only one language. */
const LANGUAGE_OF_SCRIPT: readonly (readonly [language: string, script: string])[] = [
  ['th', 'Thai'],
  ['lo', 'Lao'],
  ['km', 'Khmer'],
  ['my', 'Myanmar'],
  ['ko', 'Hangul'],
  ['he', 'Hebrew'],
  ['el', 'Greek'],
  ['hy', 'Armenian'],
  ['ka', 'Georgian'],
  ['ta', 'Tamil'],
  ['te', 'Telugu'],
  ['kn', 'Kannada'],
  ['ml', 'Malayalam'],
  ['gu', 'Gujarati'],
  ['pa', 'Gurmukhi'],
  ['bn', 'Bengali'],
  ['or', 'Oriya'],
  ['si', 'Sinhala'],
  ['am', 'Ethiopic'],
  ['bo', 'Tibetan'],
];

const LETTERS = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HAN = /\p{Script=Han}/gu;
const BY_SCRIPT = LANGUAGE_OF_SCRIPT.map(
  ([language, script]) => [language, new RegExp(`\\p{Script=${script}}`, 'gu')] as const,
);

/** Returns the language that the script alone determines, if most letters are in such a script. */
export function languageByScript(text: string): string | null {
  if (isMostlyAscii(text)) return null;
  const letters = count(text, LETTERS);
  if (letters === 0) return null;
  const most = letters / 2;
  if (count(text, LATIN) > most) return null;
  const kana = count(text, KANA);
  // Chinese text quotes few kana; Japanese has about as many kana as Han.
  if (kana + count(text, HAN) > most) return kana > letters / 10 ? 'ja' : 'zh';
  return BY_SCRIPT.find(([, pattern]) => count(text, pattern) > most)?.[0] ?? null;
}

/** Returns whether ASCII letters outnumber all characters beyond ASCII, so that most letters are Latin. */
function isMostlyAscii(text: string): boolean {
  let balance = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) balance -= 1;
    else if (isAsciiLetter(unit)) balance += 1;
  }
  return balance > 0;
}

/** Upper-case and lower-case letters differ in one bit and are contiguous otherwise. */
const isAsciiLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
