/** Parses A1 references; rows and columns count from 0. */
export interface CellPosition {
  row: number;
  column: number;
}

export interface CellRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

export function parseReference(reference: string): CellPosition | undefined {
  let column = 0;
  let index = 0;
  for (; index < reference.length; index += 1) {
    const code = reference.charCodeAt(index) & 0xdf;
    if (code < 65 || code > 90) break;
    column = column * 26 + (code - 64);
  }
  const row = Number(reference.slice(index));
  if (column < 1 || column > MAX_COLUMNS || !Number.isInteger(row) || row < 1 || row > MAX_ROWS) return undefined;
  return { row: row - 1, column: column - 1 };
}

export function parseRange(reference: string): CellRange | undefined {
  const [first = '', last = first] = reference.replaceAll('$', '').split(':');
  const start = parseReference(first);
  const end = parseReference(last);
  if (!start || !end) return undefined;
  return {
    top: Math.min(start.row, end.row),
    left: Math.min(start.column, end.column),
    bottom: Math.max(start.row, end.row),
    right: Math.max(start.column, end.column),
  };
}
