/** A table found on a page. */
import type { BoundingBox, TextLine, TextLink } from '@quire/blocks/block';
import { boundsOf, type Box } from '../geometry.ts';
import type { Word } from '../page/page-content.ts';

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  colSpan: number;
  words: Word[];
  text: string;
  links?: TextLink[];
  /** Position of the words on the displayed page. */
  page?: number;
  box?: BoundingBox;
  /** Position of each line of the text, if there are several. */
  lines?: TextLine[];
}

export interface Table extends Box {
  rowCount: number;
  columnCount: number;
  /** Sorted by row, then column; empty cells included. */
  cells: GridCell[];
  ruled: boolean;
}

export const emptyCell = (row: number, column: number): GridCell => ({
  row,
  column,
  rowSpan: 1,
  colSpan: 1,
  words: [],
  text: '',
});

/** Returns the extent of each column's words, from cells without column span. */
export function columnExtents(table: Table): (Box | undefined)[] {
  return Array.from({ length: table.columnCount }, (_, column) => {
    const words = table.cells
      .filter((cell) => cell.column === column && cell.colSpan === 1)
      .flatMap((cell) => cell.words);
    return words.length > 0 ? boundsOf(words) : undefined;
  });
}

/** Mirrors the columns for right-to-left text. */
export const mirrored = (table: Table): Table => ({
  ...table,
  cells: table.cells
    .map((cell) => ({ ...cell, column: table.columnCount - cell.column - cell.colSpan }))
    .toSorted((a, b) => a.row - b.row || a.column - b.column),
});
