/** Recognises bullets and numbers at the start of list items. */
import type { Line } from './line.ts';
import { textOf } from './line.ts';

export interface ListMarker {
  ordered: boolean;
  /** Number of an ordered item: 1 for `1.`, `a)` and `i.`. */
  number: number;
  /** Length of the marker in characters. */
  length: number;
}

/** Bullet characters; those of symbol fonts are in the private use area. */
const BULLET = /^(?:[•·▪●○◦■□▫►▶▸➢➤❖✓✔✗‣⁃∙◆◇★⬧⚫\u2043\ue000-\uf8ff]\s*|[-–—*o§]\s+)(?=\S)/u;
/** Check boxes carry information and stay in the text. */
const TICK_BOX = /^[☐☑☒]\s*(?=\S)/u;
const NUMBER = /^\(?(\d{1,3})[.)]\s+(?=\S)/;
/** A number that repeats the word at the end of the line before: `thirty` above `(30) days`. */
const REPEATED_COUNT =
  /^\(\d{1,3}\)\s+(?:(?:calendar|business|working|full|consecutive)\s+)?(?:days?|weeks?|months?|years?|hours?|per\s?cent|tagen?|wochen?|monaten?|jahren?|jours?|semaines?|mois|ans|d[ií]as?|semanas?|meses|años?)(?!\p{L})/iu;
/** Abbreviations such as `z. B.` and `p. 12` begin like items. */
const LETTER = /^(?:\(([a-z])\)|([a-z])(?:\)|\.(?!\s+(?:\p{L}{1,2}\.|\d))))\s+(?=\S)/u;
const ROMAN = /^(?:\(([ivx]{1,5})\)|([ivx]{1,5})(?:\)|\.(?!\s+(?:\p{L}{1,2}\.|\d))))\s+(?=\S)/u;
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };

/** Returns the marker at the start of a text; undefined if there is none. */
export function listMarker(text: string): ListMarker | undefined {
  if (TICK_BOX.test(text)) return { ordered: false, number: 0, length: 0 };
  const bullet = BULLET.exec(text);
  if (bullet) return { ordered: false, number: 0, length: bullet[0].length };
  const number = NUMBER.exec(text);
  if (number && !REPEATED_COUNT.test(text))
    return { ordered: true, number: Number(number[1]), length: number[0].length };
  const roman = ROMAN.exec(text);
  if (roman) return { ordered: true, number: romanValue(roman[1] ?? roman[2] ?? ''), length: roman[0].length };
  const letter = LETTER.exec(text);
  if (letter)
    return { ordered: true, number: (letter[1] ?? letter[2] ?? 'a').charCodeAt(0) - 96, length: letter[0].length };
  return undefined;
}

export const startsListItem = (line: Line): boolean => listMarker(textOf(line.words.slice(0, 4))) !== undefined;

function romanValue(text: string): number {
  const values = Array.from(text, (letter) => ROMAN_VALUES[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
