/** Detects running text that was divided into cells: columns of a page, margins, or wide spaces of justified lines. */
import { boundsOf, width } from '../../geometry.ts';
import { looksNumeric } from './wrapped-rows.ts';
import { columnExtents, type GridCell, type Table } from '../table.ts';

/** Minimum number of words of a piece of a sentence. */
const MIN_WORDS = 3;
/** Minimum number of pieces, and their minimum share of the cells with several words. */
const MIN_PIECES = 3;
const MIN_SHARE = 0.4;
/** Share of numbers from which the cells are those of a table. */
const MAX_NUMERIC = 0.3;
const END = /[.!?:;。！？]["'”’)\]]*$/u;

/** Minimum width of a full line, as a share of its column's width. */
const FULL = 0.75;
/** Maximum gap, in font sizes, between pieces of one line. */
const MAX_GAP = 2;

/** Checks whether many cells continue the sentence of a full line above, or of the cell right before them. */
export function holdsPieces(table: Table): boolean {
  const filled = table.cells.filter(({ text }) => text !== '');
  const numeric = filled.filter(({ words }) => looksNumeric(words)).length;
  if (numeric > MAX_NUMERIC * filled.length) return false;
  const widths = columnExtents(table).map((extent) => (extent === undefined ? 0 : width(extent)));
  const at = new Map(filled.map((cell) => [`${cell.row}:${cell.column}`, cell]));
  const texts = filled.filter(({ words }) => words.length >= MIN_WORDS);
  const pieces = texts.filter((cell) => {
    if (!/^\p{Ll}/u.test(cell.text)) return false;
    const above = at.get(`${cell.row - 1}:${cell.column}`);
    const before = at.get(`${cell.row}:${cell.column - 1}`);
    const isFull = above !== undefined && width(boundsOf(above.words)) > FULL * (widths[cell.column] ?? 0);
    return (isFull && isOpen(above)) || (before !== undefined && isOpen(before) && areClose(before, cell));
  });
  return pieces.length >= MIN_PIECES && pieces.length >= MIN_SHARE * texts.length;
}

/** Checks for a text that begins or continues a sentence without ending it. */
const isOpen = ({ words, text }: GridCell): boolean => words.length >= MIN_WORDS && !END.test(text);

const areClose = (before: GridCell, cell: GridCell): boolean =>
  boundsOf(cell.words).x0 - boundsOf(before.words).x1 < MAX_GAP * (cell.words[0]?.size ?? 0);
