/** Parses footnotes of GitHub's Markdown: `[^label]: text` followed by indented lines, and `[^label]` in the text. */
import type { StateBlock, StateInline } from 'markdown-it';

const DEFINITION = /^\[\^([^\]\s\\[]{1,200})\]:[ \t]*/;
const REFERENCE = /^\[\^([^\]\s\\[]{1,200})\]/;
const INDENT = 4;

/** Returns the labels that the document defines, in lower case. */
export function footnoteLabels(body: string): Set<string> {
  const definitions = body.matchAll(/^ {0,3}\[\^([^\]\s\\[]{1,200})\]:/gm);
  return new Set(Array.from(definitions, (match) => (match[1] ?? '').toLowerCase()));
}

/** Block rule with the tokens `footnote_open` (the label in `content`) to `footnote_close` around the note's blocks. */
export function footnoteDefinition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const match = DEFINITION.exec(state.src.slice(start, state.eMarks[startLine]));
  if (!match || (state.sCount[startLine] ?? 0) - state.blkIndent >= INDENT) return false;
  if (silent) return true;
  const before = [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] as const;
  const { parentType } = state;
  state.push('footnote_open', '', 1).content = match[1] ?? '';
  // The text of the first line is treated as if it had the indentation of the note, which the following lines must
  // have.
  state.bMarks[startLine] = start + match[0].length;
  state.tShift[startLine] = 0;
  state.blkIndent += INDENT;
  state.sCount[startLine] = state.blkIndent;
  state.parentType = 'footnote';
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent -= INDENT;
  [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] = before.map((each) => each ?? 0) as [
    number,
    number,
    number,
  ];
  state.push('footnote_close', '', -1);
  return true;
}

/** Inline rule with a token `footnote_reference` for labels that are defined. */
export function footnoteReference(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[^', state.pos)) return false;
  const match = REFERENCE.exec(state.src.slice(state.pos, state.pos + 210));
  const label = match?.[1];
  const { footnotes } = state.env;
  if (!match || label === undefined || !(footnotes instanceof Set) || !footnotes.has(label.toLowerCase())) return false;
  if (!silent) state.push('footnote_reference', '', 0).content = label;
  state.pos += match[0].length;
  return true;
}
