/** Resolves labels centred between rows: each spans the rows above and below it. */
import { boundsOf } from '../../geometry.ts';
import { groupBy } from '../../statistics.ts';
import type { GridCell, Table } from '../table.ts';

/** Maximum distance of the surrounding rows, in font sizes. */
const PITCH = 1.7;
/** Maximum distance of the label from the middle between the rows, in font sizes. */
const MAX_OFFSET = 0.25;

/**
 * Moves each label that is centred between rows to the first of these rows, makes it span all of them, and removes the
 * row that the label occupied.
 */
export function withSpannedLabels(table: Table): Table {
  const rows = groupBy(table.cells, (cell) => cell.row);
  const labels = new Map<number, { column: number; reach: number }>();
  for (let row = 1; row < table.rowCount - 1; row++) {
    const label = loneCell(rows.get(row));
    if (label === undefined || !isBetween(label, rows.get(row - 1), rows.get(row + 1))) continue;
    const isOpen = (at: number): boolean =>
      rows.get(at)?.some((cell) => cell.column === label.column && cell.colSpan === 1 && cell.text === '') === true;
    let reach = 0;
    while (isOpen(row - reach - 1) && isOpen(row + reach + 1)) reach++;
    if (reach > 0) labels.set(row, { column: label.column, reach });
  }
  return labels.size === 0 ? table : spanned(table, labels);
}

function loneCell(cells: readonly GridCell[] = []): GridCell | undefined {
  const [cell, second] = cells.filter(({ text }) => text !== '');
  return second === undefined && cell?.colSpan === 1 && cell.rowSpan === 1 ? cell : undefined;
}

/** Checks that both rows have at least two cells and that the label is centred between them. */
function isBetween(label: GridCell, above: readonly GridCell[] = [], below: readonly GridCell[] = []): boolean {
  const words = [above, below].map((cells) => cells.flatMap((cell) => cell.words));
  const [upper, lower] = words;
  const [first] = label.words;
  if (upper?.[0] === undefined || lower?.[0] === undefined || first === undefined) return false;
  if ([above, below].some((cells) => cells.filter(({ text }) => text !== '').length < 2)) return false;
  // The label itself may have two lines.
  const box = boundsOf(label.words);
  const [top, foot] = [
    Math.max(...upper.map((word) => word.baseline)),
    Math.min(...lower.map((word) => word.baseline)),
  ];
  const middle = (box.y0 + box.y1) / 2 + (first.baseline - (first.y0 + first.y1) / 2);
  return foot - top <= PITCH * first.size && Math.abs(middle - (top + foot) / 2) <= MAX_OFFSET * first.size;
}

function spanned(table: Table, labels: ReadonlyMap<number, { column: number; reach: number }>): Table {
  const dropped = [...labels.keys()];
  const shifted = (row: number): number => row - dropped.filter((label) => label < row).length;
  const covered = new Map(
    [...labels].flatMap(([row, { column, reach }]) =>
      Array.from({ length: 2 * reach + 1 }, (_, index) => [`${row - reach + index}:${column}`, row] as const),
    ),
  );
  const cells = table.cells.flatMap((cell): GridCell[] => {
    const label = labels.get(cell.row);
    if (label !== undefined)
      return cell.column === label.column
        ? [{ ...cell, row: shifted(cell.row - label.reach), rowSpan: 2 * label.reach }]
        : [];
    return covered.has(`${cell.row}:${cell.column}`) ? [] : [{ ...cell, row: shifted(cell.row) }];
  });
  return {
    ...table,
    rowCount: table.rowCount - dropped.length,
    cells: cells.toSorted((a, b) => a.row - b.row || a.column - b.column),
  };
}
