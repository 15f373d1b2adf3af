/**
 * Parses definition lists (Pandoc, PHP Markdown Extra, MyST): a line with the term, then `: text` for each definition.
 */
import type { StateBlock } from 'markdown-it';

const MARK = /^[:~][ \t]+(?=\S)/;
/** Indentation of lines that continue a definition, in columns. */
const INDENT = 4;

/**
 * Block rule with the tokens `definitions_open` to `definitions_close`, which contain `term_open`, inline, `term_close`
 * for a term and `definition_open` to `definition_close` around the blocks of each definition.
 */
export function definitionList(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!isTerm(state, startLine) || definitionAfter(state, startLine, endLine) === undefined) return false;
  if (silent) return true;
  state.push('definitions_open', '', 1);
  let line = startLine;
  while (line < endLine && isTerm(state, line)) {
    let definition = definitionAfter(state, line, endLine);
    if (definition === undefined) break;
    pushTerm(state, line);
    while (definition !== undefined) {
      line = readDefinition(state, definition, endLine);
      definition = isDefinition(state, line, endLine) ? line : undefined;
    }
  }
  state.push('definitions_close', '', -1);
  state.line = line;
  return true;
}

const textOf = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);

const isAtMargin = (state: StateBlock, line: number): boolean => {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  return indent >= 0 && indent < INDENT;
};

function isTerm(state: StateBlock, line: number): boolean {
  return (
    isAtMargin(state, line) &&
    !state.isEmpty(line) &&
    !/^(?:[:~|>#]|[-+*][ \t]|\d+[.)][ \t]|```)/.test(textOf(state, line))
  );
}

function isDefinition(state: StateBlock, line: number, endLine: number): boolean {
  return line < endLine && isAtMargin(state, line) && MARK.test(textOf(state, line));
}

/** Returns the line of the first definition: directly after the term, or after one blank line. */
function definitionAfter(state: StateBlock, term: number, endLine: number): number | undefined {
  const next = state.isEmpty(term + 1) ? term + 2 : term + 1;
  return isDefinition(state, next, endLine) ? next : undefined;
}

function pushTerm(state: StateBlock, line: number): void {
  state.push('term_open', '', 1);
  const inline = state.push('inline', '', 0);
  inline.content = textOf(state, line).trim();
  inline.children = [];
  state.push('term_close', '', -1);
}

/**
 * Reads the definition's blocks as if its first line had the indentation of the others. Returns the line after the
 * definition.
 */
function readDefinition(state: StateBlock, start: number, endLine: number): number {
  const end = endOfDefinition(state, start, endLine);
  const before = [state.bMarks[start] ?? 0, state.tShift[start] ?? 0, state.sCount[start] ?? 0] as const;
  const { parentType, blkIndent, tight } = state;
  const mark = MARK.exec(textOf(state, start))?.[0].length ?? 0;
  state.push('definition_open', '', 1);
  state.bMarks[start] = before[0] + before[1] + mark;
  state.tShift[start] = 0;
  state.blkIndent = blkIndent + Math.min(INDENT, before[2] - blkIndent + mark);
  state.sCount[start] = state.blkIndent;
  state.parentType = 'list';
  state.md.block.tokenize(state, start, end);
  state.parentType = parentType;
  state.blkIndent = blkIndent;
  state.tight = tight;
  [state.bMarks[start], state.tShift[start], state.sCount[start]] = before;
  state.push('definition_close', '', -1);
  let line = end;
  while (line < endLine && state.isEmpty(line)) line += 1;
  return line;
}

/**
 * Returns the end of the definition: the next definition, or an unindented line after a blank one. Other unindented
 * lines continue a paragraph.
 */
function endOfDefinition(state: StateBlock, start: number, endLine: number): number {
  let blank = false;
  for (let line = start + 1; line < endLine; line += 1) {
    if (state.isEmpty(line)) {
      blank = true;
      continue;
    }
    const indent = (state.sCount[line] ?? 0) - state.blkIndent;
    if (
      indent < 2 &&
      (blank || isDefinition(state, line, endLine) || definitionAfter(state, line, endLine) !== undefined)
    )
      return line;
    blank = false;
  }
  return endLine;
}
