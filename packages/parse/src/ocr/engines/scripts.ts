/** Maps OCR languages to the scripts they cover. Text in another script is recognised as gibberish in Latin letters. */
import type { OcrOrientation } from './ocr-engine.ts';

/** Scripts by prefix of Tesseract's language codes; unlisted languages use the Latin script. */
const SCRIPTS: readonly [RegExp, readonly string[]][] = [
  [/^(?:chi|HanS|HanT)/, ['Han', 'HanS', 'HanT']],
  [/^(?:jpn|Japanese)/, ['Japanese', 'Han', 'Hiragana', 'Katakana']],
  [/^(?:kor|Hangul)/, ['Korean', 'Hangul', 'Han']],
  [/^(?:rus|ukr|bel|bul|srp$|mkd|kaz|kir|mon|tgk|uzb_cyrl|aze_cyrl|Cyrillic)/, ['Cyrillic']],
  [/^(?:ara|fas|urd|pus|snd|uig|kur_ara|Arabic)/, ['Arabic']],
  [/^(?:heb|yid|Hebrew)/, ['Hebrew']],
  [/^(?:ell|grc|Greek)/, ['Greek']],
  [/^(?:hin|mar|nep|san|Devanagari)/, ['Devanagari']],
  [/^(?:ben|asm|Bengali)/, ['Bengali']],
  [/^(?:tha|Thai)/, ['Thai']],
  [/^(?:tam|Tamil)/, ['Tamil']],
  [/^(?:tel|Telugu)/, ['Telugu']],
  [/^(?:kan|Kannada)/, ['Kannada']],
  [/^(?:mal|Malayalam)/, ['Malayalam']],
  [/^(?:guj|Gujarati)/, ['Gujarati']],
  [/^(?:pan|Gurmukhi)/, ['Gurmukhi']],
  [/^(?:kat|Georgian)/, ['Georgian']],
  [/^(?:hye|Armenian)/, ['Armenian']],
  [/^(?:amh|tir|Ethiopic)/, ['Ethiopic']],
  [/^(?:khm|Khmer)/, ['Khmer']],
  [/^(?:mya|Myanmar)/, ['Myanmar']],
];
/** Minimum number of characters for the detection of rotation and script; the default of Tesseract. */
export const MIN_OSD_CHARACTERS = 50;
/**
 * Minimum number of characters for the detection of the script alone. Tesseract counts a word of a connected script,
 * such as Arabic, as one character, so a few lines have less than 50.
 */
export const MIN_SCRIPT_CHARACTERS = 10;
const LATIN = ['Latin', 'Fraktur'];

/** Returns the script of the picture if neither the languages nor the engine's own scripts (`covered`) include it. */
export function foreignScript(
  orientation: OcrOrientation,
  languages: readonly string[],
  covered: readonly string[],
): string | null {
  if (orientation.script === '' || covered.includes(orientation.script)) return null;
  const known = languages.flatMap((language) => SCRIPTS.find(([codes]) => codes.test(language))?.[1] ?? LATIN);
  return known.includes(orientation.script) ? null : orientation.script;
}
