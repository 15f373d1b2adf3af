/**
 * Detects headings in plain text only if nothing else is likely: underlined lines, and single lines between blank lines
 * that are numbered like chapters or written in capitals.
 */

export interface TextHeading {
  level: number;
  text: string;
}

/** Returns a heading for a line above a line of `=`, `-` or `~` of about the same length. */
export function underlinedHeading(line: string, under: string | undefined): TextHeading | undefined {
  const rule = /^\s*(={3,}|-{3,}|~{3,})\s*$/.exec(under ?? '')?.[1];
  const text = line.trim();
  if (rule === undefined || text === '' || text.length > 120 || !/[\p{L}\p{N}]/u.test(text)) return undefined;
  if (Math.abs(rule.length - text.length) > Math.max(2, text.length * 0.2)) return undefined;
  return { level: rule.startsWith('=') ? 1 : rule.startsWith('-') ? 2 : 3, text };
}

const ENDS_SENTENCE = /[.,;:!?。，；：！？…]$/;
const CHAPTER =
  /^(?:chapter|part|section|appendix|kapitel|teil|abschnitt|anhang|chapitre|partie|capítulo|parte|capitolo)\s+(?:\d{1,3}|[IVXLC]{1,7}|[A-Z])\b/i;

/** Returns a heading for a single line. `next` is the group of lines after the blank line, undefined at the end. */
export function standaloneHeading(line: string, next: readonly string[] | undefined): TextHeading | undefined {
  const text = line.trim();
  if (text.length < 3 || text.length > 80 || ENDS_SENTENCE.test(text) || next === undefined) return undefined;
  if (CHAPTER.test(text)) return { level: 1, text };
  const number = /^((?:\d{1,2}\.)+\d{0,2}|\d{1,2}(?:\.\d{1,2})+)\s+(?=\p{Lu}|\p{Lo})/u.exec(text)?.[1];
  if (number !== undefined) {
    const depth = number.split('.').filter((part) => part !== '').length;
    // "1. Buy milk" is a list item; a chapter heading is followed by prose.
    if (depth > 1 || isProse(next)) return { level: Math.min(6, depth), text };
  }
  return isCapitals(text) ? { level: 2, text } : undefined;
}

function isProse(lines: readonly string[]): boolean {
  const [first = ''] = lines;
  return first.length >= 50 && !/^\s*(?:\d|[-*•])/.test(first);
}

function isCapitals(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu) ?? [];
  return capitals.length >= 4 && capitals.length === letters.length && letters.length >= text.length * 0.6;
}
