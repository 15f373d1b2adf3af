/**
 * Detects text of fonts without Unicode values, in any script. PDFium then returns glyph numbers as characters: words
 * mix scripts that no language mixes (`تwفyق`), or consist of letters that no language uses often (`ͩǋƂֻ뻭`).
 */

/** Minimum number of words with letters for an estimate. */
const MIN_WORDS = 12;
/** Minimum number of impossible words; a page of any language may hold a few, such as trade names. */
const MIN_IMPOSSIBLE = 6;

/** Shorter words hold too few changes of script. */
const MIN_LETTERS = 3;

const LETTER_RUN = /[\p{L}\p{M}]+/gu;
/** Fast path for words of ASCII letters with punctuation. */
const ORDINARY_WORD = /^[!-@]?[A-Za-z]{3,}[!-@]?$/;
/** Fast path for letters of one of the scripts with most text. */
const SINGLE_SCRIPT =
  /^(?:[A-Za-z\u00c0-\u017f]+|[\u0400-\u052f]+|[\u0370-\u03ff]+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]+)$/u;

const SCRIPTS = {
  latin: /\p{sc=Latin}/u,
  greek: /\p{sc=Greek}/u,
  cyrillic: /\p{sc=Cyrillic}/u,
  hebrew: /\p{sc=Hebrew}/u,
  arabic: /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/u,
  armenian: /[\p{sc=Armenian}\p{sc=Georgian}]/u,
  indic:
    /[\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}]/u,
  /** Scripts without spaces between words, which are written directly beside Latin letters. */
  spaceless: /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u,
  eastAsian: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}]/u,
  hangul: /\p{sc=Hangul}/u,
  ethiopic:
    /[\p{sc=Ethiopic}\p{sc=Cherokee}\p{sc=Canadian_Aboriginal}\p{sc=Mongolian}\p{sc=Runic}\p{sc=Ogham}\p{sc=Yi}]/u,
} as const;
type Script = keyof typeof SCRIPTS;

/** Pairs of scripts that words of some language or notation mix: `PDF文書`, `αx`, `한국語`, `ใช้PDF`. */
const MIXED: ReadonlySet<string> = new Set([
  'eastAsian+latin',
  'eastAsian+hangul',
  'hangul+latin',
  'latin+spaceless',
  'greek+latin',
  'cyrillic+eastAsian',
  'eastAsian+greek',
]);

/** Letters that are rare in every language: phonetics, and Latin Extended-B without Romanian, Vietnamese and Pinyin. */
const RARE =
  /[\u0180-\u018f\u0193-\u0198\u019a-\u019f\u01a2-\u01ae\u01b1-\u01cc\u01d5-\u0217\u021c-\u0258\u025a-\u02af]|[\u0363-\u036f]/u;
/** Share of rare letters from which a word is impossible. */
const RARE_SHARE = 0.5;

/** Returns the share (0..1) of words that no language writes; 0 for too few words. */
export function impossibleShare(words: readonly string[]): number {
  let [count, impossible] = [0, 0];
  for (const word of words) {
    if (ORDINARY_WORD.test(word)) {
      count++;
      continue;
    }
    for (const [run] of word.matchAll(LETTER_RUN)) {
      if (run.length < MIN_LETTERS) continue;
      count++;
      if (!SINGLE_SCRIPT.test(run) && isImpossible(run)) impossible++;
    }
  }
  return count < MIN_WORDS || impossible < MIN_IMPOSSIBLE ? 0 : impossible / count;
}

/**
 * One change of script may be a foreign word with an ending or article (`الPDF`, `PDFом`); two changes, or three
 * scripts, are not.
 */
function isImpossible(run: string): boolean {
  let [changes, letters, rare] = [0, 0, 0];
  let last: Script | undefined;
  for (const letter of run) {
    letters++;
    if (RARE.test(letter)) rare++;
    const script = scriptOf(letter);
    if (script === undefined) continue;
    if (last !== undefined && script !== last && !MIXED.has([last, script].toSorted().join('+'))) changes++;
    last = script;
  }
  return changes >= 2 || (letters >= 3 && rare >= letters * RARE_SHARE);
}

const scripts = Object.entries(SCRIPTS) as [Script, RegExp][];

/** Returns undefined for marks and letters that several scripts share. */
function scriptOf(letter: string): Script | undefined {
  return scripts.find(([, pattern]) => pattern.test(letter))?.[0];
}
