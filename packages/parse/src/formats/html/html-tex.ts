/** A piece of a page's text: words, or TeX that a script of the page typesets. */
export interface TexPiece {
  text: string;
  math?: 'inline' | 'display';
}

interface Delimiter {
  open: string;
  close: string;
  math: 'inline' | 'display';
}

/**
 * Default formula delimiters of MathJax and KaTeX. Single dollars are not among them, since they are used for amounts
 * of money.
 */
const DELIMITERS: readonly Delimiter[] = [
  { open: '\\(', close: '\\)', math: 'inline' },
  { open: '\\[', close: '\\]', math: 'display' },
  { open: '$$', close: '$$', math: 'display' },
];
/** Elements in which formulas are ignored, as in MathJax. */
const CODE_TAGS = new Set(['code', 'kbd', 'samp', 'tt', 'var']);

/** Returns whether the page loads a script that typesets TeX in its text. */
export function typesetsTex(html: string): boolean {
  return /mathjax|katex|tex-mml-chtml|auto-render/i.test(html);
}

/** Wraps TeX in dollars unless it is a plain letter or number. */
export function inlineFormula(tex: string): string {
  return /[\\^_{}]/.test(tex) ? `$${tex}$` : tex;
}

/** Splits a text node into formulas and the text around them, in linear time. */
export function texPieces(text: string, parentTag: string): TexPiece[] {
  if (CODE_TAGS.has(parentTag)) return [{ text }];
  const pieces: TexPiece[] = [];
  const unclosed = new Set<Delimiter>();
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const next = nextDelimiter(text, at);
    if (next === undefined) break;
    const { delimiter, start } = next;
    const end = unclosed.has(delimiter) ? -1 : text.indexOf(delimiter.close, start + 2);
    if (end === -1) {
      unclosed.add(delimiter);
      at = start + 2;
      continue;
    }
    if (start > from) pieces.push({ text: text.slice(from, start) });
    pieces.push({ text: text.slice(start + 2, end).trim(), math: delimiter.math });
    from = end + 2;
    at = from;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

const OPENING = /\\[([]|\$\$/g;

function nextDelimiter(text: string, from: number): { delimiter: Delimiter; start: number } | undefined {
  OPENING.lastIndex = from;
  const found = OPENING.exec(text);
  const delimiter = DELIMITERS.find(({ open }) => open === found?.[0]);
  return found === null || delimiter === undefined ? undefined : { delimiter, start: found.index };
}
