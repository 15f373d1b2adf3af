/** Recognises running text in a font of fixed width, as old filings have, which parsers read as code. */

/** Gaps and rules between columns. */
export const COLUMNS = /\t+| {2,}|\s?[|│┃║]\s*/;
/** Minimum number of words of a line of running text, and share of such lines. */
const PROSE_WORDS = 6;
const PROSE_LINES = 0.6;
/** Minimum share of words in lower case in a line of justified text. */
const LOWER_CASE = 0.4;

/** Returns whether the lines, which are not empty, are running text. */
export function isTypewritten(lines: readonly string[]): boolean {
  const full = lines.filter(isFullLine);
  const inColumns = lines.filter((line) => COLUMNS.test(line.trim()) && !isFullLine(line));
  const endsSentence = lines.some((line) => /[\p{L}\p{N}][.;:]\s*$/u.test(line));
  return lines.length > 2 && full.length >= PROSE_LINES * lines.length && inColumns.length <= 1 && endsSentence;
}

/** Returns whether a line has many words; with wide spaces, as justified text has, many of them in lower case. */
function isFullLine(line: string): boolean {
  const words = line.trim().split(/\s+/u);
  const lower = words.filter((word) => /^["“(]?\p{Ll}/u.test(word));
  const isText = !COLUMNS.test(line.trim()) || lower.length >= LOWER_CASE * words.length;
  return words.length >= PROSE_WORDS && isText;
}

/** Returns running text on one line, without page numbers and underlines; null for other text. */
export function typewrittenText(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!isTypewritten(lines)) return null;
  const written = lines.filter((line) => /\p{L}/u.test(line)).map((line) => line.trim().replaceAll(/\s+/gu, ' '));
  return written.join(' ');
}
