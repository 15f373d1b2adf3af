/**
 * Finds formulas within a line, `$…$` and `$$…$$`. Rules for a single dollar follow pandoc, so that amounts of money
 * are not formulas: no space inside of either dollar, no digit after the second, and no letter, digit or dollar
 * outside. `<br>` ends a line. The Markdown reader and writer share these rules, so that a round trip changes nothing.
 */
const FORMULA =
  /\$\$(?=[^$]*[^$\s])(?:(?!<br>)[^$`\n]){1,998}\$\$(?!\$)|\$(?![\s$])(?:(?!<br>)[^$`\n]){0,998}?[^\s$`\\]\$(?![\p{L}\p{N}$])/uy;

/** Maximum length of a formula with its dollars, slightly above that of the pattern. */
const MAX_LENGTH = 1010;

/** Returns the offset after the formula whose first dollar is at `start`; undefined if there is none. */
export function inlineFormulaEnd(text: string, start: number): number | undefined {
  if (/[\p{L}\p{N}$\\]/u.test(text.charAt(start - 1))) return undefined;
  FORMULA.lastIndex = start;
  return FORMULA.test(text) ? FORMULA.lastIndex : undefined;
}

/** Returns whether Markdown marks inserted at `offset` could be inside a formula. */
export function isWithinFormula(text: string, offset: number): boolean {
  const [before, after] = [
    text.slice(Math.max(0, offset - MAX_LENGTH), offset),
    text.slice(offset, offset + MAX_LENGTH),
  ];
  return /\$(?!\s)[^\n`]*$/.test(before) && /^[^\n`]*[^\s\n`]?\$/.test(after);
}
