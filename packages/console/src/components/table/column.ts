/** A column of a table of records. */
export interface Column<T> {
  id: string;
  header: React.ReactNode;
  /** Width in CSS, such as `9rem`; the columns without one share the rest. */
  width?: string;
  align?: 'right';
  /** Whether phones leave the column out. */
  isWide?: boolean;
  cell: (row: T) => React.ReactNode;
}
