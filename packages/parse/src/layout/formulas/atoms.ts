/** Converts the words of a formula to atoms: pieces of LaTeX with positions. */
import { latexAccent, latexSymbol, OPERATORS } from '../../latex/symbols.ts';
import type { Box } from '../geometry.ts';
import type { Word } from '../page/page-content.ts';
import { alphabetOf, isTexFont } from './math-words.ts';

export interface Atom extends Box {
  latex: string;
  baseline: number;
  /** Nominal font size in points. */
  em: number;
  /** Operators take limits above and below, delimiters may be as tall as their content, radicals belong to a rule. */
  kind: 'plain' | 'operator' | 'delimiter' | 'radical';
}

const BIG_OPERATOR = /^[∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂]$/u;
const LIMIT_NAME = /^(?:lim|max|min|sup|inf|limsup|liminf|argmax|argmin|det|gcd|Pr)$/;
/** Splits text into letters, numbers and single symbols with their combining marks. */
const PIECE = /[A-Za-z]{2,}|\d+(?:[.,]\d+)*|(?:\P{M})\p{M}*/gu;
/** Upper parts of assembled brackets represent the whole bracket; the other parts are dropped. */
const BRACKET_TOPS = new Map([
  ['⎛', '('],
  ['⎞', ')'],
  ['⎡', '['],
  ['⎤', ']'],
  ['⎣', '\\lfloor'],
  ['⎦', '\\rfloor'],
]);
const TALL = /^[()[\]{}|‖⟨⟩⌊⌋⌈⌉⎛⎞⎡⎤]$/u;
/** Greek variants that TeX fonts name `phi` and `epsilon`. */
const TEX_FORMS = new Map([
  ['φ', '\\phi'],
  ['ϕ', '\\varphi'],
  ['ε', '\\epsilon'],
  ['ϵ', '\\varepsilon'],
]);

/** Returns the atoms of `words`; undefined if a character has no reliable LaTeX. */
export function atomsOf(words: readonly Word[]): Atom[] | undefined {
  const atoms: Atom[] = [];
  for (const word of words) {
    const latex = latexOf(word);
    if (latex === undefined) return undefined;
    const { x0, y0, x1, y1, baseline, em = 0.8 * word.size } = word;
    atoms.push({ x0, y0, x1, y1, baseline, em, latex, kind: kindOf(word.text) });
  }
  return atoms;
}

/** Returns the largest font size of plain atoms; the sizes of big operators vary by font. */
export function sizeOf(atoms: readonly Atom[]): number {
  const plain = atoms.filter((atom) => atom.kind === 'plain');
  return Math.max(...(plain.length > 0 ? plain : atoms).map((atom) => atom.em));
}

function kindOf(text: string): Atom['kind'] {
  if (BIG_OPERATOR.test(text) || LIMIT_NAME.test(text)) return 'operator';
  if (text === '√') return 'radical';
  return TALL.test(text) ? 'delimiter' : 'plain';
}

function latexOf(word: Word): string | undefined {
  const pieces: string[] = [];
  for (const [piece] of word.text.matchAll(PIECE)) {
    const latex = pieceLatex(piece, word);
    if (latex === undefined) return undefined;
    pieces.push(latex);
  }
  return pieces.join(' ');
}

function pieceLatex(piece: string, word: Word): string | undefined {
  if (/^\d/.test(piece)) return piece;
  if (/^[A-Za-z]/.test(piece)) return lettersLatex(piece, word);
  if (BRACKET_TOPS.has(piece)) return BRACKET_TOPS.get(piece);
  const [base = '', mark] = piece.normalize('NFD');
  if (mark !== undefined && /\p{L}/u.test(base)) return `\\${latexAccent(mark)}{${symbolLatex(base, word) ?? base}}`;
  return symbolLatex(piece, word);
}

function lettersLatex(letters: string, word: Word): string {
  const alphabet = /^[A-Z]+$/.test(letters) ? alphabetOf(word) : undefined;
  if (alphabet !== undefined) return Array.from(letters, (letter) => `\\${alphabet}{${letter}}`).join(' ');
  if (word.style.italic) return Array.from(letters).join(' ');
  if (OPERATORS.has(letters)) return `\\${letters}`;
  if (word.style.bold) return `\\mathbf{${letters}}`;
  return letters.length === 1 ? letters : `\\operatorname{${letters}}`;
}

function symbolLatex(symbol: string, word: Word): string | undefined {
  if (/^[A-Za-z]$/.test(symbol)) return lettersLatex(symbol, word);
  const tex = isTexFont(word) ? TEX_FORMS.get(symbol) : undefined;
  const latex = tex ?? (symbol === '−' || symbol === '–' ? '-' : latexSymbol(symbol));
  return latex.startsWith('\\') || /^[\x21-\x7e]+$/.test(latex) ? latex : undefined;
}
