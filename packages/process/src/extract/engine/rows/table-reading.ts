/** How a table was read: its rows, and the fields of its columns. */
import type { Field } from '../fields/fields.ts';
import type { Findings } from '../assignment/fill.ts';
import type { Grid } from '../document/segments.ts';

/** The values of one row by field, and the lists in its cells. */
export type Row = Findings;

export interface Column {
  field: Field;
  index: number;
  score: number;
}

export interface TableReading {
  grid: Grid;
  rows: readonly Row[];
  columns: readonly Column[];
  score: number;
}

/** Maximum confidence in a row whose amount is not its quantity times its price. */
export const CONTRADICTED = 0.6;
