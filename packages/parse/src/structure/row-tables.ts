import type { BlockDraft, TableCell } from '@quire/blocks/block';

/** Rows of one table block: what a renderer or chunker holds at once stays small, and each part names its columns. */
const ROWS_PER_TABLE = 500;
/** Cells kept as cells (about 100 bytes each in the tree); rows after that are kept as lines of text. */
const MAX_CELLS = 1_000_000;

/** Turns a stream of rows into table blocks of some hundred rows, each beginning with the header row. */
export class RowTables {
  readonly blocks: BlockDraft[] = [];
  /** The file had more cells than are kept as cells. */
  truncated = false;
  private header: TableCell[] | undefined;
  private rows: TableCell[][] = [];
  private lines: string[] = [];
  private cells = 0;

  setHeader(names: readonly string[]): void {
    this.header = names.map((text) => tableCell(text, true));
  }

  add(values: readonly string[]): void {
    this.cells += values.length;
    if (this.cells > MAX_CELLS) {
      this.addLine(values);
      return;
    }
    this.rows.push(values.map((text) => tableCell(text, false)));
    if (this.rows.length >= ROWS_PER_TABLE) this.closeTable();
  }

  end(): BlockDraft[] {
    this.closeTable();
    this.closeLines();
    if (this.blocks.length === 0 && this.header !== undefined) this.blocks.push({ type: 'table', rows: [this.header] });
    return this.blocks;
  }

  private closeTable(): void {
    if (this.rows.length === 0) return;
    const header = this.header === undefined ? [] : [this.header];
    this.blocks.push({ type: 'table', rows: [...header, ...this.rows] });
    this.rows = [];
  }

  private addLine(values: readonly string[]): void {
    this.truncated = true;
    this.closeTable();
    this.lines.push(values.join('\t').replaceAll('\n', ' '));
    if (this.lines.length >= ROWS_PER_TABLE) this.closeLines();
  }

  private closeLines(): void {
    if (this.lines.length === 0) return;
    const header = this.header === undefined ? [] : [this.header.map((cell) => cell.text).join('\t')];
    this.blocks.push({ type: 'code', text: [...header, ...this.lines].join('\n') });
    this.lines = [];
  }
}

function tableCell(text: string, header: boolean): TableCell {
  return { text, rowSpan: 1, colSpan: 1, header };
}
