/**
 * The filled cells of one sheet, kept sparsely, and the tables they form. A table is a group of cells that touch each
 * other; blank rows and columns separate tables, so two cells at opposite corners of a sheet cost nothing in between.
 */
import type { BlockDraft, TableCell, TextLink } from '@quire/blocks/block';
import type { CellRange } from './cell-reference.ts';
import { MAX_COLUMNS } from './cell-reference.ts';
import { CellGroups } from './cell-groups.ts';

interface GridCell {
  row: number;
  column: number;
  text: string;
  /** Where the cell ends when it is merged, inclusive. */
  bottom: number;
  right: number;
  links?: readonly TextLink[];
}

/** Cells of a workbook that are kept: about 100 MB of tree. More is a database, and the reader says what is left out. */
export const MAX_WORKBOOK_CELLS = 500_000;
/** Characters of a workbook that are kept: one long shared string in many cells is small on disk only. */
export const MAX_WORKBOOK_CHARACTERS = 50_000_000;
/** The most that Excel lets a cell hold. */
const MAX_CELL_CHARACTERS = 32_767;
/** Merged areas larger than this are formatting of whole rows or columns. */
const MAX_MERGED_CELLS = 10_000;
/** Blank cells that may be written to keep columns aligned: this many, or this many for each filled cell. */
const FREE_PADDING = 20_000;
const PADDING_PER_CELL = 20;
const MAX_SPACERS = 20_000;
/** Groups whose rectangles overlap are joined; beyond this many groups the comparison of all pairs is not worth it. */
const MAX_JOINED_GROUPS = 2_000;

/** What lies over a sheet's cells, and where its upper left corner is, if that is known. */
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

  /** `links` lie over the text as it is given; it begins with no white space then. */
  add(row: number, column: number, text: string, links: readonly TextLink[] = []): void {
    const trimmed = text.trim().slice(0, MAX_CELL_CHARACTERS);
    this.#characters += trimmed.length;
    if (trimmed === '') return;
    const cell: GridCell = { row, column, text: trimmed, bottom: row, right: column };
    if (links.length > 0) cell.links = links;
    this.#cells.set(row * MAX_COLUMNS + column, cell);
  }

  /** A link over whole cells; those that are blank do not count. */
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

  /** Merges a range; only its first cell holds a value. */
  merge(range: CellRange): void {
    const cell = this.#cells.get(range.top * MAX_COLUMNS + range.left);
    const area = (range.bottom - range.top + 1) * (range.right - range.left + 1);
    if (!cell || area > MAX_MERGED_CELLS) return;
    cell.bottom = Math.max(cell.bottom, range.bottom);
    cell.right = Math.max(cell.right, range.right);
  }

  /** A column too narrow to hold anything: blank, it is spacing inside a table and does not part it. */
  addSpacerColumn(column: number): void {
    if (column < MAX_COLUMNS && this.#spacerColumns.size < MAX_SPACERS) this.#spacerColumns.add(column);
  }

  addSpacerRow(row: number): void {
    if (this.#spacerRows.size < MAX_SPACERS) this.#spacerRows.add(row);
  }

  /** The sheet's tables, and what lies over its cells, from top to bottom; what has no place comes last. */
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

/** How many of the sorted positions lie before `position`. */
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

/** A lone cell inside a sparse table's rectangle belongs to the table. */
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

/** Rows with blanks where needed; a group too sparse for that gives its filled cells only, row by row. */
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
  /** For each column, the first row that is free again below a merged cell. */
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

function tableCell({ text, links }: GridCell, rowSpan: number, colSpan: number): TableCell {
  const cell: TableCell = { text, rowSpan, colSpan, header: false };
  return links === undefined ? cell : { ...cell, links: [...links] };
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
