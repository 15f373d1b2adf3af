/** A table found on a page. */
import type { Box } from '../geometry.ts';
import type { Word } from '../page-content.ts';

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  colSpan: number;
  words: Word[];
  text: string;
}

export interface Table extends Box {
  rowCount: number;
  columnCount: number;
  /** Sorted by row, then column; empty cells included. */
  cells: GridCell[];
  ruled: boolean;
}
