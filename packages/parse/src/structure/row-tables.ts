import type { BlockDraft, TableCell } from '@quire/blocks/block';

/**
 * Number of rows in one table block. It bounds what a renderer or chunker holds at once, and each part repeats the
 * header.
 */
const ROWS_PER_TABLE = 500;
/** Maximum number of cells in tables (about 100 bytes each in the tree); further rows are kept as lines of text. */
const MAX_CELLS = 1_000_000;

/** Collects a stream of rows into table blocks, each beginning with the header row. */
export class RowTables {
  readonly blocks: BlockDraft[] = [];
  /** True if the file has more cells than the limit. */
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
