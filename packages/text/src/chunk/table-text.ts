/** Tables as text for search: one line per row, cells separated by bars, and the header repeated in every part. */
import type { Block, BoundingBox, TableCell } from '@quire/blocks/block';
import { shiftLines } from '@quire/blocks/text-lines';
import { repeatedTexts, tableGrid } from '@quire/blocks/table-grid';
import type { TokenCounter } from './token-counter.ts';
import type { Lead, BlockText, BlockTextContext, Piece } from './block-text.ts';
import { splitText } from './split-text.ts';
import { sliceSpans, type TextSpan } from './text-spans.ts';

/** The text of a cell in one row, and the cell's position. */
interface RowCell {
  text: string;
  cell?: TableCell;
}

type Line = readonly RowCell[];

/** Text with its line map, which has one entry per cell. */
type PlacedText = Pick<Piece, 'text' | 'lines'>;

const SEPARATOR = ' | ';

/** Maximum length of a row-spanning cell that is repeated in each of its rows. */
const MAX_REPEATED_CHARACTERS = 100;
/** Maximum length of a column name in rows that are rendered as pairs of name and value. */
const MAX_NAME_CHARACTERS = 60;
/** Maximum share of a chunk for a header; a longer one is not repeated as a line. */
const MAX_HEADER_SHARE = 1 / 3;

export type TableText = Pick<BlockText, 'tokens' | 'whole' | 'divide'>;

export function tableText(
  table: Block,
  rows: readonly (readonly TableCell[])[],
  context: BlockTextContext,
  page: number | undefined,
): TableText {
  const own = table.page ?? page;
  const place = own === undefined || table.bbox === undefined ? undefined : { page: own, box: table.bbox };
  const lines = gridLines(rows).map((line) => line.map((cell) => placedCell(cell, place)));
  const headerRows = countHeaderRows(rows);
  const header = lines.slice(0, headerRows);
  const body = lines.slice(headerRows);
  const text = linesText(lines);
  const tokens = context.counter.count(text.text);
  const whole: Piece | undefined = tokens <= context.maxTokens ? { ...text, tokens, joiner: '\n' } : undefined;
  return { tokens, whole, divide: () => rowPieces(header, body, context) };
}

function gridLines(rows: readonly (readonly TableCell[])[]): Line[] {
  const hasSpans = rows.some((row) => row.some((cell) => cell.rowSpan > 1 || cell.colSpan > 1));
  if (!hasSpans) return rows.map((row) => row.map((cell) => ({ text: oneLine(cell.text), cell })));
  const repeats = repeatedTexts(rows, MAX_REPEATED_CHARACTERS);
  return tableGrid(rows).map((line) => {
    const cells: RowCell[] = [];
    line.forEach((position, column) => {
      if (position === undefined) return;
      const left = line[column - 1];
      if (left?.cell !== position.cell && (position.origin || repeats(position)))
        cells[column] = { text: oneLine(position.cell.text), cell: position.cell };
    });
    return Array.from(cells, (cell: RowCell | undefined) => cell ?? { text: '' });
  });
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** Returns the number of rows at the top whose cells are all headers. */
function countHeaderRows(rows: readonly (readonly TableCell[])[]): number {
  const first = rows.findIndex((row) => row.length === 0 || row.some((cell) => !cell.header && cell.text !== ''));
  return first < 0 ? 0 : first;
}

/** A cell without a position of its own gets the position of the table. */
function placedCell({ text, cell }: RowCell, place: { page: number; box: BoundingBox } | undefined): RowCell {
  if (cell === undefined || cell.box !== undefined || place === undefined)
    return cell === undefined ? { text } : { text, cell };
  return { text, cell: { ...cell, ...place } };
}

function linesText(lines: readonly Line[]): PlacedText {
  const texts = lines.map(lineText);
  let at = 0;
  const placed = texts.flatMap(({ text, lines: own }) => {
    const start = at;
    at += text.length + 1;
    return shiftLines(own, start);
  });
  return { text: texts.map(({ text }) => text).join('\n'), lines: placed };
}

function lineText(line: Line): PlacedText {
  const joined = line.map(({ text }) => text).join(SEPARATOR);
  const text = joined.trim();
  const start = joined.length - joined.trimStart().length;
  let at = 0;
  const lines = line.flatMap((cell) => {
    const from = at;
    at += cell.text.length + SEPARATOR.length;
    return cellLines(cell, from, from + cell.text.length);
  });
  return { text, lines: sliceSpans(lines, start, start + text.length) };
}

function cellLines({ cell }: RowCell, start: number, end: number): TextSpan[] {
  if (cell?.page === undefined || cell.box === undefined || end <= start) return [];
  return [{ start, end, page: cell.page, box: cell.box }];
}

function rowPieces(header: readonly Line[], body: readonly Line[], context: BlockTextContext): Piece[] {
  const { counter, maxTokens } = context;
  const { text: headerText, lines: headerLines } = linesText(header);
  const lead: Lead = { text: headerText, tokens: counter.count(headerText), lines: headerLines };
  const repeats = headerText !== '' && lead.tokens <= maxTokens * MAX_HEADER_SHARE;
  const limit = repeats ? maxTokens - lead.tokens : maxTokens;
  const names = columnNames(header);
  const rows = body.flatMap((line): Piece[] => {
    const { text, lines } = lineText(line);
    const tokens = counter.count(text);
    if (tokens > limit || (headerText !== '' && !repeats)) return cellPieces(line, names, context);
    if (text === '') return [];
    return [{ text, tokens, joiner: '\n', lines, ...(repeats ? { lead } : {}) }];
  });
  const inEveryPart = rows.some((row) => row.lead !== undefined) || (repeats && repeatsAllNames(names, body, context));
  // A header that the parts do not contain is added once, as a piece of its own.
  const said = inEveryPart ? [] : header.flatMap((line) => cellPieces(line, [], context));
  return said.concat(rows);
}

/** Returns for each column the texts of its header from top to bottom. */
function columnNames(header: readonly Line[]): string[] {
  const width = header.reduce((most, line) => Math.max(most, line.length), 0);
  return Array.from({ length: width }, (_, column) => {
    const name = header
      .map((line) => line[column]?.text ?? '')
      .filter((text) => text !== '')
      .join(' ');
    return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
  });
}

/**
 * Returns whether the pieces of rows that are divided by cells contain the name of every column. A piece names the
 * columns of its filled cells only, and only if the names fit into the limit of tokens.
 */
function repeatsAllNames(
  names: readonly string[],
  body: readonly Line[],
  { counter, maxTokens }: BlockTextContext,
): boolean {
  return names.every((name, column) => {
    const fits = !name.endsWith('…') && counter.count(name) * 2 <= maxTokens;
    return name === '' || (fits && body.some((line) => (line[column]?.text ?? '') !== ''));
  });
}

/** Divides a row that does not fit: each cell with its column's name, long cells in several parts. */
function cellPieces(line: Line, names: readonly string[], context: BlockTextContext): Piece[] {
  const { counter, maxTokens } = context;
  return line.flatMap((place, column): Piece[] => {
    const { text: cell } = place;
    if (cell === '') return [];
    const name = names[column] ?? '';
    const named = name === '' || counter.count(name) * 2 > maxTokens ? '' : `${name}: `;
    const room = Math.max(1, maxTokens - counter.count(named));
    const parts = counter.count(cell) <= room ? [cell] : groupParts(splitText(cell, room, counter), room, counter);
    return parts.map((part) => {
      const text = named + part.trimEnd();
      const lines = cellLines(place, named.length, text.length);
      return { text, tokens: counter.count(text), joiner: '\n', lines };
    });
  });
}

/** Joins neighbouring parts while they fit. */
function groupParts(parts: readonly string[], maxTokens: number, counter: TokenCounter): string[] {
  const groups: string[] = [];
  let tokens = 0;
  for (const part of parts) {
    const cost = counter.count(part);
    if (groups.length > 0 && tokens + cost <= maxTokens) {
      groups[groups.length - 1] += part;
      tokens += cost;
    } else {
      groups.push(part);
      tokens = cost;
    }
  }
  return groups;
}
