/** Assigns slanted and vertical column headings to the column above which their text starts. */
import { boundsOf, centreX, centreY, grow, holdsCentre, holdsPoint, intersects, type Box } from '../../geometry.ts';
import { textOf, type Line } from '../../lines/line.ts';
import { columnExtents, emptyCell, type GridCell, type Table } from '../table.ts';

/** Maximum distance, in points, of a slanted or vertical heading from the table's text. */
const MAX_DISTANCE = 6;

const isRotated = (line: Line): boolean => (line.words[0]?.angle ?? 0) !== 0;

/** Adds the rotated lines in and directly above the table; lines that cells already contain are skipped. */
export function withRotatedHeadings(table: Table, lines: readonly Line[]): Table {
  const rotated = joinAlongText(lines.filter(isRotated)).filter((line) => isAtTable(line, table));
  if (rotated.length === 0) return table;
  const held = new Set(table.cells.flatMap((cell) => cell.words));
  const free = rotated.filter((line) => line.words[0] !== undefined && !held.has(line.words[0]));
  if (free.length === 0) return table;
  const above = free.length > 1 && free.every((line) => footOf(line) < table.y0);
  const band = boundsOf(free);
  const beside = lines.filter((line) => !isRotated(line) && above && isBeside(line, band, table));
  const target = above ? withHeadingRow(table) : { ...table, cells: table.cells.slice() };
  const columns = columnCentres(target);
  const tops = rowTops(target);
  for (const line of [...beside, ...free]) place(line, target.cells, columns, tops);
  return { ...target, ...boundsOf([target, ...free, ...beside]) };
}

/** x and y of the text start: the lower left of rising text, the centre of vertical text. */
const startOf = (line: Line): number => (isClimbing(line) ? line.x0 + 0.5 * line.size : centreX(line));
const footOf = (line: Line): number => (isClimbing(line) ? line.y1 - 0.5 * line.size : centreY(line));
const isClimbing = (line: Line): boolean => {
  const angle = line.words[0]?.angle ?? 0;
  return angle > 270 && angle < 360;
};

/** Checks for a line inside the table or starting at its top edge. */
const isAtTable = (line: Line, table: Table): boolean =>
  holdsCentre(table, line) || holdsPoint(grow(table, MAX_DISTANCE), startOf(line), line.y1);

/** Detects an upright heading in the same band above the table. */
const isBeside = (line: Line, band: Box, table: Table): boolean =>
  line.y1 > band.y0 && line.y1 < table.y0 + 2 && line.x0 > table.x0 - MAX_DISTANCE && line.x1 < band.x0;

/** Returns the table with an empty first row. */
const withHeadingRow = (table: Table): Table => ({
  ...table,
  rowCount: table.rowCount + 1,
  cells: [
    ...Array.from({ length: table.columnCount }, (_, column) => emptyCell(0, column)),
    ...table.cells.map((cell) => ({ ...cell, row: cell.row + 1 })),
  ],
});

/** Joins segments that continue in the direction of the text; kerning splits slanted text. */
function joinAlongText(lines: readonly Line[]): Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && continuesLine(last, line)) {
      const words = line.words.map((word, index) => (index === 0 ? { ...word, glued: true } : word));
      joined[joined.length - 1] = { ...last, ...boundsOf([last, line]), words: [...last.words, ...words] };
    } else {
      joined.push(line);
    }
  }
  return joined;
}

/** Maximum deviation, in degrees, of the next segment from the text's direction. */
const MAX_DEVIATION = 15;

function continuesLine(last: Line, line: Line): boolean {
  const angle = last.words[0]?.angle ?? 0;
  if (line.words[0]?.angle !== angle || !intersects(grow(last, 0.1 * last.size), line)) return false;
  const course = (Math.atan2(centreY(line) - centreY(last), centreX(line) - centreX(last)) * 180) / Math.PI;
  const off = Math.abs(((course - angle + 540) % 360) - 180);
  return off < MAX_DEVIATION;
}

const columnCentres = (table: Table): (number | undefined)[] =>
  columnExtents(table).map((extent) => extent && centreX(extent));

const rowTops = (table: Table): number[] =>
  Array.from({ length: table.rowCount }, (_, row) => {
    const words = table.cells.filter((cell) => cell.row === row).flatMap((cell) => cell.words);
    return words.length > 0 ? boundsOf(words).y0 : row === 0 ? -Infinity : Infinity;
  });

function place(line: Line, cells: GridCell[], columns: readonly (number | undefined)[], tops: readonly number[]): void {
  const start = startOf(line);
  const distances = columns.map((centre) => (centre === undefined ? Infinity : Math.abs(centre - start)));
  const column = distances.indexOf(Math.min(...distances));
  const row = Math.max(
    0,
    tops.findLastIndex((top) => top <= footOf(line)),
  );
  const covering = (cell: GridCell, at: number): boolean =>
    cell.row <= at && cell.row + cell.rowSpan > at && cell.column <= column && cell.column + cell.colSpan > column;
  const index = cells.findIndex((cell) => covering(cell, row));
  const cell = cells[index];
  if (cell === undefined) return;
  const text = textOf(line.words);
  cells[index] = {
    ...cell,
    words: [...cell.words, ...line.words],
    text: cell.text === '' ? text : `${cell.text} ${text}`,
  };
}
