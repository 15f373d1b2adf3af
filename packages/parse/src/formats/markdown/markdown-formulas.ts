/** Parses formulas within a line of Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Their LaTeX is not changed. */
import type { StateInline } from 'markdown-it';
import { inlineFormulaEnd } from '@quire/blocks/inline-formula';

const MAX_LENGTH = 2000;

interface Formula {
  latex: string;
  mark: string;
  end: number;
}

/** Inline rule with a token `formula`: the LaTeX in `content`, the surrounding dollars in `markup`. */
export function formula(state: StateInline, silent: boolean): boolean {
  const found = formulaAt(state.src, state.pos);
  if (found === undefined || found.end > state.posMax) return false;
  if (!silent) {
    const token = state.push('formula', '', 0);
    token.content = found.latex;
    token.markup = found.mark;
  }
  state.pos = found.end;
  return true;
}

function formulaAt(source: string, start: number): Formula | undefined {
  if (source.startsWith('\\(', start)) return bracketed(source, start, '\\)', '$');
  if (source.startsWith('\\[', start)) return bracketed(source, start, '\\]', '$$');
  const end = source.startsWith('$', start) ? inlineFormulaEnd(source, start) : undefined;
  if (end === undefined) return undefined;
  const mark = source.startsWith('$$', start) ? '$$' : '$';
  return { latex: source.slice(start + mark.length, end - mark.length), mark, end };
}

function bracketed(source: string, start: number, closing: string, mark: string): Formula | undefined {
  const window = source.slice(start + 2, start + MAX_LENGTH);
  const close = window.indexOf(closing);
  if (close < 0) return undefined;
  const inner = window.slice(0, close);
  const latex = inner.trim();
  if (latex === '' || latex.includes('$')) return undefined;
  // Prose also contains escaped square brackets: "\[sic\]".
  const plausible = mark === '$' || /(?<!\\)\\[a-z]{2}|(?<!\\)_\{/i.test(latex) || /^\s[\s\S]*\^[\s\S]*\s$/.test(inner);
  return plausible ? { latex, mark, end: start + close + 4 } : undefined;
}
