/**
 * Formulas within a line, `$…$` and `$$…$$`. A single dollar begins one as pandoc has it, so that money stays money:
 * nothing blank inside of either dollar, no digit after the second; nor a letter, digit or dollar outside. `<br>` ends a
 * line. Markdown's reader and writer share this, so that what one leaves as it is the other reads as it is.
 */
const FORMULA =
  /\$\$(?=[^$]*[^$\s])(?:(?!<br>)[^$`\n]){1,998}\$\$(?!\$)|\$(?![\s$])(?:(?!<br>)[^$`\n]){0,998}?[^\s$`\\]\$(?![\p{L}\p{N}$])/uy;

/** Of a formula with its dollars, a little more than the pattern takes. */
const MAX_LENGTH = 1010;

/** The offset after the formula whose first dollar stands at `start`; undefined when there is none. */
export function inlineFormulaEnd(text: string, start: number): number | undefined {
  if (/[\p{L}\p{N}$\\]/u.test(text.charAt(start - 1))) return undefined;
  FORMULA.lastIndex = start;
  return FORMULA.test(text) ? FORMULA.lastIndex : undefined;
}

/** Whether marks of Markdown put in at `offset` could come to stand within a formula. */
export function isWithinFormula(text: string, offset: number): boolean {
  const [before, after] = [
    text.slice(Math.max(0, offset - MAX_LENGTH), offset),
    text.slice(offset, offset + MAX_LENGTH),
  ];
  return /\$(?!\s)[^\n`]*$/.test(before) && /^[^\n`]*[^\s\n`]?\$/.test(after);
}
