/** A piece of a page's text: words, or TeX that a script of the page would typeset. */
export interface TexPiece {
  text: string;
  math?: 'inline' | 'display';
}

interface Delimiter {
  open: string;
  close: string;
  math: 'inline' | 'display';
}

/** What MathJax and KaTeX take for formulas unless told otherwise; single dollars mean money. */
const DELIMITERS: readonly Delimiter[] = [
  { open: '\\(', close: '\\)', math: 'inline' },
  { open: '\\[', close: '\\]', math: 'display' },
  { open: '$$', close: '$$', math: 'display' },
];
/** As MathJax: formulas in these are left alone. */
const CODE_TAGS = new Set(['code', 'kbd', 'samp', 'tt', 'var']);

/** Whether the page brings a script that typesets TeX in its text. */
export function typesetsTex(html: string): boolean {
  return /mathjax|katex|tex-mml-chtml|auto-render/i.test(html);
}

/** A lone letter or number reads as well without its marks. */
export function inlineFormula(tex: string): string {
  return /[\\^_{}]/.test(tex) ? `$${tex}$` : tex;
}

/** The formulas in a text node and what is around them; linear in the text. */
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
