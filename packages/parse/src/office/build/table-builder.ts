import type { BlockDraft, TableCell, TextLink, TextMark } from '@quire/blocks/block';

/** Maximum span in columns: formats allow 63 (Word) to 16,384. */
const MAX_SPAN = 16_384;

export interface CellInput {
  text: string;
  links?: readonly TextLink[];
  marks?: readonly TextMark[];
  colSpan?: number;
  rowSpan?: number;
  header?: boolean;
  /** True if the cell continues the one above, the notation for row spans in Word and PowerPoint. */
  continuesAbove?: boolean;
}

/**
 * Builds table rows from formats that store row spans as continued cells. Each cell is returned once, where it starts.
 */
export class TableBuilder {
  readonly rows: TableCell[][] = [];
  /** For each grid column, the last cell that starts in it or spans it. */
  #above: (TableCell | undefined)[] = [];
  #column = 0;

  get currentColumn(): number {
    return this.#column;
  }

  startRow(skipColumns = 0): void {
    this.rows.push([]);
    this.#column = 0;
    if (skipColumns > 0) this.addCell({ text: '', colSpan: skipColumns });
  }

  addCell(input: CellInput): void {
    const row = this.rows.at(-1);
    if (!row) return;
    const colSpan = Math.min(MAX_SPAN, Math.max(1, input.colSpan ?? 1));
    const above = this.#above[this.#column];
    if (input.continuesAbove === true && above) {
      above.rowSpan += 1;
      this.#column += colSpan;
      return;
    }
    const cell: TableCell = {
      text: input.text,
      rowSpan: Math.max(1, input.rowSpan ?? 1),
      colSpan,
      header: input.header === true,
    };
    if (input.links !== undefined && input.links.length > 0) cell.links = [...input.links];
    if (input.marks !== undefined && input.marks.length > 0) cell.marks = [...input.marks];
    row.push(cell);
    for (let column = this.#column; column < this.#column + colSpan; column += 1) this.#above[column] = cell;
    this.#column += colSpan;
  }

  markHeader(rowIndex: number): void {
    for (const cell of this.rows[rowIndex] ?? []) cell.header = true;
  }

  /** Returns the table; undefined if no cell has text. */
  finish(): BlockDraft | undefined {
    const filled = this.rows.some((row) => row.some((cell) => cell.text !== ''));
    return filled ? { type: 'table', rows: this.rows } : undefined;
  }
}
