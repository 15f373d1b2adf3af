/** Which scripts a set of OCR languages can read: text in another one comes out as gibberish in Latin letters. */
import type { OcrOrientation } from './ocr-engine.ts';

/** By the beginning of Tesseract's language codes; the ones that are not named here are written in Latin letters. */
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
const LATIN = ['Latin', 'Fraktur'];

/** The script that the picture seems to be written in, when none of the languages is written in it. */
export function foreignScript(seen: OcrOrientation, languages: readonly string[]): string | null {
  if (seen.script === '') return null;
  const known = languages.flatMap((language) => SCRIPTS.find(([codes]) => codes.test(language))?.[1] ?? LATIN);
  return known.includes(seen.script) ? null : seen.script;
}
