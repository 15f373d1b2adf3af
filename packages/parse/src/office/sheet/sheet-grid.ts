/**
 * Stores the filled cells of one sheet sparsely and finds its tables. A table is a group of adjacent cells, separated
 * from others by blank rows and columns, so two cells at opposite corners of a sheet cost nothing in between.
 */
import type { BlockDraft, TableCell, TextLink, TextMark } from '@quire/blocks/block';
import type { CellRange } from './cell-reference.ts';
import { MAX_COLUMNS } from './cell-reference.ts';
import { CellGroups } from './cell-groups.ts';

export interface CellRanges {
  links?: readonly TextLink[];
  marks?: readonly TextMark[];
}

interface GridCell {
  row: number;
  column: number;
  text: string;
  /** Last row of a merged cell, inclusive. */
  bottom: number;
  right: number;
  links?: readonly TextLink[];
  marks?: readonly TextMark[];
}

/**
 * Maximum number of cells of a workbook (about 100 MB of tree). Larger ones are databases, and a warning states that
 * cells were left out.
 */
export const MAX_WORKBOOK_CELLS = 500_000;
/** Maximum number of characters of a workbook: one long shared string in many cells is small only on disk. */
export const MAX_WORKBOOK_CHARACTERS = 50_000_000;
/** Maximum length of a cell in Excel, in characters. */
const MAX_CELL_CHARACTERS = 32_767;
/** Maximum area of a merged cell; larger areas only format whole rows or columns. */
const MAX_MERGED_CELLS = 10_000;
/** Number of blank cells that are always permitted to keep columns aligned. */
const FREE_PADDING = 20_000;
/** Number of blank cells that are permitted for each filled cell, if that is more than `FREE_PADDING`. */
const PADDING_PER_CELL = 20;
const MAX_SPACERS = 20_000;
/** Maximum number of groups whose rectangles are compared pairwise to join overlapping ones. */
const MAX_JOINED_GROUPS = 2_000;

/** A drawing over a sheet's cells, and the cell under its upper left corner if known. */
export interface PlacedBlocks {
  row?: number;
  column?: number;
  blocks: readonly BlockDraft[];
}

export class SheetGrid {
  readonly #cells = new Map<number, GridCell>();
  readonly #spacerColumns = new Set<number>();
  readonly #spacerRows = new Set<number>();

  #characters = 0;

  get size(): number {
    return this.#cells.size;
  }

  get characters(): number {
    return this.#characters;
  }

  /** Adds a cell. Offsets of `ranges` refer to the given text, which then has no leading white space. */
  add(row: number, column: number, text: string, { links = [], marks = [] }: CellRanges = {}): void {
    const trimmed = text.trim().slice(0, MAX_CELL_CHARACTERS);
    this.#characters += trimmed.length;
    if (trimmed === '') return;
    const cell: GridCell = { row, column, text: trimmed, bottom: row, right: column };
    if (links.length > 0) cell.links = links;
    if (marks.length > 0) cell.marks = marks;
    this.#cells.set(row * MAX_COLUMNS + column, cell);
  }

  /** Adds a link over whole cells; blank cells are ignored. */
  link(range: CellRange, href: string): void {
    const area = (range.bottom - range.top + 1) * (range.right - range.left + 1);
    if (area > MAX_MERGED_CELLS) return;
    for (let row = range.top; row <= range.bottom; row += 1) {
      for (let column = range.left; column <= range.right; column += 1) {
        const cell = this.#cells.get(row * MAX_COLUMNS + column);
        if (cell) cell.links = [{ start: 0, end: cell.text.length, href }];
      }
    }
  }

  /** Merges a range; only its first cell has a value. */
  merge(range: CellRange): void {
    const cell = this.#cells.get(range.top * MAX_COLUMNS + range.left);
    const area = (range.bottom - range.top + 1) * (range.right - range.left + 1);
    if (!cell || area > MAX_MERGED_CELLS) return;
    cell.bottom = Math.max(cell.bottom, range.bottom);
    cell.right = Math.max(cell.right, range.right);
  }

  /** Registers a column that is too narrow for text: if blank, it does not separate tables. */
  addSpacerColumn(column: number): void {
    if (column < MAX_COLUMNS && this.#spacerColumns.size < MAX_SPACERS) this.#spacerColumns.add(column);
  }

  addSpacerRow(row: number): void {
    if (this.#spacerRows.size < MAX_SPACERS) this.#spacerRows.add(row);
  }

  /** Returns the sheet's tables and drawings from top to bottom; drawings without a position come last. */
  content(page: number, others: readonly PlacedBlocks[]): BlockDraft[] {
    const cells = this.#withoutSpacers().toSorted((a, b) => a.row - b.row || a.column - b.column);
    const spacers = [...this.#spacerRows].toSorted((a, b) => a - b);
    const tables = joinOverlapping(groupTouching(cells)).map((group) => ({
      row: group.top,
      column: group.left,
      blocks: [{ type: 'table' as const, page, rows: layOut(group) }],
    }));
    const over = others.map(({ row = Infinity, column = 0, blocks }) => ({
      row: row - countBefore(spacers, row),
      column,
      blocks,
    }));
    return [...tables, ...over]
      .toSorted((a, b) => (a.row === b.row ? a.column - b.column : a.row - b.row))
      .flatMap(({ blocks }) => blocks);
  }

  #withoutSpacers(): GridCell[] {
    const cells = [...this.#cells.values()];
    for (const cell of cells) {
      this.#spacerColumns.delete(cell.column);
      this.#spacerRows.delete(cell.row);
    }
    const columns = [...this.#spacerColumns].toSorted((a, b) => a - b);
    const rows = [...this.#spacerRows].toSorted((a, b) => a - b);
    if (columns.length + rows.length === 0) return cells;
    return cells.map((cell) => ({
      ...cell,
      row: cell.row - countBefore(rows, cell.row),
      column: cell.column - countBefore(columns, cell.column),
      bottom: cell.bottom - countBefore(rows, cell.bottom + 1),
      right: cell.right - countBefore(columns, cell.right + 1),
    }));
  }
}

/** Returns how many of the sorted positions are before `position`. */
function countBefore(positions: readonly number[], position: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Group extends CellRange {
  cells: GridCell[];
}

function groupTouching(cells: readonly GridCell[]): Group[] {
  const groups = new CellGroups(cells.length);
  const occupied = new Map<number, number>();
  cells.forEach((cell, index) => {
    for (let row = cell.row; row <= cell.bottom; row += 1) {
      for (let column = cell.column; column <= cell.right; column += 1) occupied.set(row * MAX_COLUMNS + column, index);
    }
  });
  for (const [position, index] of occupied) {
    const right = (position + 1) % MAX_COLUMNS === 0 ? undefined : occupied.get(position + 1);
    if (right !== undefined) groups.join(index, right);
    const below = occupied.get(position + MAX_COLUMNS);
    if (below !== undefined) groups.join(index, below);
  }
  const byRoot = new Map<number, Group>();
  cells.forEach((cell, index) => {
    const root = groups.rootOf(index);
    const group = byRoot.get(root);
    if (group) extend(group, { top: cell.row, left: cell.column, bottom: cell.bottom, right: cell.right }, [cell]);
    else byRoot.set(root, { top: cell.row, left: cell.column, bottom: cell.bottom, right: cell.right, cells: [cell] });
  });
  return [...byRoot.values()];
}

function extend(group: Group, range: CellRange, cells: readonly GridCell[]): void {
  group.top = Math.min(group.top, range.top);
  group.left = Math.min(group.left, range.left);
  group.bottom = Math.max(group.bottom, range.bottom);
  group.right = Math.max(group.right, range.right);
  for (const cell of cells) group.cells.push(cell);
}

/** Joins overlapping groups: a single cell inside the rectangle of a sparse table belongs to the table. */
function joinOverlapping(groups: Group[]): Group[] {
  if (groups.length > MAX_JOINED_GROUPS) return groups;
  let open = groups;
  for (;;) {
    const joined: Group[] = [];
    for (const group of open) {
      const over = joined.find((other) => overlaps(group, other));
      if (over) extend(over, group, group.cells);
      else joined.push(group);
    }
    if (joined.length === open.length) return joined;
    open = joined;
  }
}

const overlaps = (a: CellRange, b: CellRange): boolean =>
  a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right;

/** Returns rows with blank cells where needed; a group that is too sparse returns only its filled cells. */
function layOut(group: Group): TableCell[][] {
  const cells = group.cells.toSorted((a, b) => a.row - b.row || a.column - b.column);
  const area = (group.bottom - group.top + 1) * (group.right - group.left + 1);
  const aligned = area <= FREE_PADDING || area <= cells.length * PADDING_PER_CELL;
  if (aligned) return alignedRows(group, cells);
  const rows = new Map<number, TableCell[]>();
  for (const cell of cells) {
    const row = rows.get(cell.row) ?? [];
    row.push(tableCell(cell, 1, 1));
    rows.set(cell.row, row);
  }
  return [...rows.values()];
}

function alignedRows(group: Group, cells: readonly GridCell[]): TableCell[][] {
  const width = group.right - group.left + 1;
  const height = group.bottom - group.top + 1;
  const rows = Array.from({ length: height }, (): TableCell[] => []);
  /** For each column, the first free row below a merged cell. */
  const freeFrom = new Uint32Array(width);
  let next = 0;
  for (let row = 0; row < height; row += 1) {
    let column = 0;
    while (column < width) {
      const cell = cells[next];
      if (cell && cell.row - group.top === row && cell.column - group.left === column) {
        next += 1;
        column = place(cell, rows[row] ?? [], freeFrom, { row, column, group });
      } else {
        if ((freeFrom[column] ?? 0) <= row) rows[row]?.push({ text: '', rowSpan: 1, colSpan: 1, header: false });
        column += 1;
      }
    }
  }
  if (height > 1) for (const cell of rows[0] ?? []) cell.header = true;
  return rows;
}

function tableCell({ text, links, marks }: GridCell, rowSpan: number, colSpan: number): TableCell {
  const cell: TableCell = { text, rowSpan, colSpan, header: false };
  if (links !== undefined) cell.links = [...links];
  if (marks !== undefined) cell.marks = [...marks];
  return cell;
}

function place(
  cell: GridCell,
  row: TableCell[],
  freeFrom: Uint32Array,
  at: { row: number; column: number; group: Group },
): number {
  const colSpan = cell.right - cell.column + 1;
  const rowSpan = cell.bottom - cell.row + 1;
  row.push(tableCell(cell, rowSpan, colSpan));
  freeFrom.fill(at.row + rowSpan, at.column, at.column + colSpan);
  return at.column + colSpan;
}
