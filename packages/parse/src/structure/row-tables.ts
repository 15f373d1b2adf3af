import type { BlockDraft, TableCell } from '@quire/blocks/block';

/**
 * Minimum number of rows in one table block. It bounds what a renderer or chunker holds at once. Each block repeats the
 * header, so a block also has at least as many cells, or as much text, as the header.
 */
const ROWS_PER_TABLE = 500;
/** Maximum number of cells in tables (about 100 bytes each in the tree); further rows are kept as lines of text. */
const MAX_CELLS = 1_000_000;

/** Collects a stream of rows into table blocks, each beginning with the header row. */
export class RowTables {
  readonly blocks: BlockDraft[] = [];
  /** True if the file has more cells than the limit. */
  truncated = false;
  private header: TableCell[] = [];
  private headerLine = '';
  private rows: TableCell[][] = [];
  private lines: string[] = [];
  private cells = 0;
  private cellsOfTable = 0;
  private lengthOfLines = 0;

  /** Call it before the first row. A header with more cells than the limit is kept as a line of text. */
  setHeader(names: readonly string[]): void {
    if (names.length > MAX_CELLS) {
      this.addLine(names);
      return;
    }
    this.header = names.map((text) => tableCell(text, true));
    this.headerLine = lineOf(names);
  }

  add(values: readonly string[]): void {
    this.cells += values.length;
    if (this.cells > MAX_CELLS) {
      this.addLine(values);
      return;
    }
    this.rows.push(values.map((text) => tableCell(text, false)));
    this.cellsOfTable += values.length;
    if (this.rows.length >= ROWS_PER_TABLE && this.cellsOfTable >= this.header.length) this.closeTable();
  }

  end(): BlockDraft[] {
    this.closeTable();
    this.closeLines();
    if (this.blocks.length === 0 && this.header.length > 0) this.blocks.push({ type: 'table', rows: [this.header] });
    return this.blocks;
  }

  private closeTable(): void {
    if (this.rows.length === 0) return;
    const header = this.header.length === 0 ? [] : [this.header];
    this.blocks.push({ type: 'table', rows: [...header, ...this.rows] });
    this.rows = [];
    this.cellsOfTable = 0;
  }

  private addLine(values: readonly string[]): void {
    this.truncated = true;
    this.closeTable();
    const line = lineOf(values);
    this.lines.push(line);
    this.lengthOfLines += line.length;
    if (this.lines.length >= ROWS_PER_TABLE && this.lengthOfLines >= this.headerLine.length) this.closeLines();
  }

  private closeLines(): void {
    if (this.lines.length === 0) return;
    const header = this.header.length === 0 ? [] : [this.headerLine];
    this.blocks.push({ type: 'code', text: [...header, ...this.lines].join('\n') });
    this.lines = [];
    this.lengthOfLines = 0;
  }
}

const lineOf = (values: readonly string[]): string => values.join('\t').replaceAll('\n', ' ');

function tableCell(text: string, header: boolean): TableCell {
  return { text, rowSpan: 1, colSpan: 1, header };
}
