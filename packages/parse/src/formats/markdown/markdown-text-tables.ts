/**
 * Parses tables drawn with characters as Pandoc does: grids of `+---+` with spans, and columns under runs of dashes.
 */
import type { StateBlock } from 'markdown-it';

/** A cell whose text is Markdown source. */
export interface TextTableCell {
  text: string;
  rowSpan: number;
  colSpan: number;
  header: boolean;
}

const MAX_LINES = 1000;
const MAX_COLUMNS = 100;
const BORDER = /^\+(?:[-=:]+\+)+$/;
const DASHES = /^ *-{2,}(?: +-{2,})+ *$/;

/** Block rule with a token `text_table` that has its `rows` in `meta`. */
export function textTable(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const lines = linesOf(state, startLine, endLine);
  const found = gridTable(lines) ?? simpleTable(lines);
  if (found === undefined) return false;
  if (silent) return true;
  state.push('text_table', '', 0).meta = { rows: found.rows };
  state.line = startLine + found.lines;
  return true;
}

/** Returns the lines up to the next blank line; none if the first two cannot begin a table. */
function linesOf(state: StateBlock, startLine: number, endLine: number): string[] {
  const lineAt = (line: number): string => state.getLines(line, line + 1, state.blkIndent, false).trimEnd();
  const last = Math.min(endLine, startLine + MAX_LINES);
  const first = lineAt(startLine);
  const second = startLine + 1 < endLine ? lineAt(startLine + 1) : '';
  const isGrid = BORDER.test(first.trim()) && /^ *[+|]/.test(second);
  // Dashes below dashes are thematic breaks.
  const isSimple = DASHES.test(first) !== DASHES.test(second) && second !== '';
  if (!isGrid && !isSimple) return [];
  const lines: string[] = [first];
  let dashes = DASHES.test(first) ? 1 : 0;
  for (let line = startLine + 1; line < last && !state.isEmpty(line) && dashes < 2; line += 1) {
    const text = lineAt(line);
    if (isGrid && !/^ *[+|]/.test(text)) break;
    if (/^ *-{2,}[- ]*$/.test(text)) dashes += 1;
    lines.push(text);
  }
  return lines;
}

interface FoundTable {
  rows: TextTableCell[][];
  /** Number of source lines of the table. */
  lines: number;
}

function gridTable(source: readonly string[]): FoundTable | undefined {
  const indent = source[0]?.indexOf('+') ?? -1;
  if (indent < 0 || indent > 3) return undefined;
  const drawn = source.map((line) => line.slice(indent));
  const width = drawn[0]?.length ?? 0;
  const end = drawn.findIndex((line) => line.length !== width || !/^[+|].*[+|]$/.test(line));
  const lines = end < 0 ? drawn : drawn.slice(0, end);
  if (lines.length < 3 || !BORDER.test(lines[0] ?? '') || !BORDER.test(lines.at(-1) ?? '')) return undefined;
  const columns = columnEdges(lines);
  const rows = lines.flatMap((line, index) => (isRowEdge(line) ? [index] : []));
  if (columns.length - 1 > MAX_COLUMNS) return undefined;
  const grid = new Grid(lines, rows, columns);
  return { rows: grid.cells(), lines: lines.length };
}

const isRowEdge = (line: string): boolean => /\+[-=:]+\+/.test(line) && !/\w/.test(line.replaceAll(/\|[^|+]*/g, ''));

function columnEdges(lines: readonly string[]): number[] {
  const edges = new Set<number>();
  for (const line of lines) {
    if (isRowEdge(line)) for (const match of line.matchAll(/\+/g)) edges.add(match.index);
  }
  return [...edges].toSorted((a, b) => a - b);
}

class Grid {
  readonly #lines: readonly string[];
  readonly #rows: readonly number[];
  readonly #columns: readonly number[];

  constructor(lines: readonly string[], rows: readonly number[], columns: readonly number[]) {
    this.#lines = lines;
    this.#rows = rows;
    this.#columns = columns;
  }

  cells(): TextTableCell[][] {
    const headerEnd = this.#rows.findIndex((line, index) => index > 0 && this.#lines[line]?.includes('=') === true);
    const taken = new Set<string>();
    return this.#rows.slice(0, -1).map((_, row) => {
      const cells: TextTableCell[] = [];
      for (let column = 0; column < this.#columns.length - 1; column += 1) {
        if (taken.has(`${row} ${column}`)) continue;
        const { rowSpan, colSpan } = this.#span(row, column);
        for (let down = 0; down < rowSpan; down += 1)
          for (let right = 0; right < colSpan; right += 1) taken.add(`${row + down} ${column + right}`);
        cells.push({ text: this.#text(row, column, rowSpan, colSpan), rowSpan, colSpan, header: row < headerEnd });
      }
      return cells;
    });
  }

  #span(row: number, column: number): { rowSpan: number; colSpan: number } {
    let colSpan = 1;
    const first = this.#lines[(this.#rows[row] ?? 0) + 1] ?? '';
    while (
      column + colSpan < this.#columns.length - 1 &&
      !'|+'.includes(first[this.#columns[column + colSpan] ?? 0] ?? '|')
    )
      colSpan += 1;
    let rowSpan = 1;
    while (row + rowSpan < this.#rows.length - 1 && !this.#hasBorder(row + rowSpan, column)) rowSpan += 1;
    return { rowSpan, colSpan };
  }

  /** Returns whether there is a border above the cell. */
  #hasBorder(row: number, column: number): boolean {
    const line = this.#lines[this.#rows[row] ?? 0] ?? '';
    return /^[-=:]+$/.test(line.slice((this.#columns[column] ?? 0) + 1, this.#columns[column + 1]));
  }

  #text(row: number, column: number, rowSpan: number, colSpan: number): string {
    const [left, right] = [(this.#columns[column] ?? 0) + 1, this.#columns[column + colSpan]];
    const inside = this.#lines.slice((this.#rows[row] ?? 0) + 1, this.#rows[row + rowSpan]);
    return unindented(inside.map((line) => line.slice(left, right).trimEnd()));
  }
}

function unindented(lines: readonly string[]): string {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const indent = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => line.slice(Number.isFinite(indent) ? indent : 0))
    .join('\n')
    .trim();
}

/** Reads a table with a header line above runs of dashes, or with dashes above and below the rows. */
function simpleTable(lines: readonly string[]): FoundTable | undefined {
  const dashes = lines.findIndex((line) => DASHES.test(line));
  if (dashes < 0 || dashes > 1) return undefined;
  const starts = Array.from((lines[dashes] ?? '').matchAll(/-+/g), (match) => match.index);
  const below = lines.slice(dashes + 1);
  const end = below.findIndex((line) => /^ *-{2,}[- ]*$/.test(line));
  const body = end < 0 ? below : below.slice(0, end);
  if (body.length === 0 || (dashes === 0 && end < 0) || starts.length > MAX_COLUMNS) return undefined;
  const shown = [...lines.slice(0, dashes), ...body];
  // A word across a column edge means that this is prose, or that the columns count character widths differently.
  const fits = (line: string): boolean => starts.every((start) => start === 0 || /^\s?$/.test(line[start - 1] ?? ''));
  if (!shown.every(fits)) return undefined;
  const rows = shown.map((line, index) =>
    starts.map((start, column): TextTableCell => {
      const text = line.slice(column === 0 ? 0 : start, starts[column + 1]).trim();
      return { text, rowSpan: 1, colSpan: 1, header: index < dashes };
    }),
  );
  return { rows, lines: dashes + 1 + body.length + (end < 0 ? 0 : 1) };
}
