/** Reads legacy Excel workbooks (xls, BIFF 2 to 8) through `@e965/xlsx` into the same sections and tables as xlsx. */
import { readFileSync } from 'node:fs';
import { read } from '@e965/xlsx';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { FormatReader } from '../../parser.ts';
import { isCompoundFile, type CompoundFile } from '../../compound/compound-file.ts';
import { encryptedError, openCompound } from '../../legacy/compound/open-compound.ts';
import { formatGeneral, formatNumber } from '../../office/sheet/number-format.ts';
import { SheetGrid } from '../../office/sheet/sheet-grid.ts';
import { WorkbookBuilder } from '../../office/sheet/workbook-builder.ts';
import { readDrawings, type SheetDrawings } from './drawings.ts';

/** Column width in characters below which a column only separates parts of a table. */
const SPACER_WIDTH = 3;

export const reader: FormatReader = {
  parse: async (file, context) => {
    const bytes = readFileSync(file.path);
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
      const { reader: xlsx } = await import('../xlsx/xlsx.ts');
      return xlsx.parse(file, context);
    }
    // Refuses encrypted packages and containers without a workbook.
    const stream = isCompoundFile(bytes) ? workbookStream(openCompound(bytes)) : undefined;
    return toContent(readWorkbook(bytes), stream ? readDrawings(stream) : []);
  },
};

function workbookStream(container: CompoundFile): Buffer {
  const stream = container.stream('Workbook') ?? container.stream('Book');
  if (!stream) throw new ContentError('corrupt', 'The file is damaged: it contains no workbook');
  return stream;
}

function readWorkbook(bytes: Buffer): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellStyles: true,
      cellFormula: false,
      cellHTML: false,
      // Dates in the viewer's locale format have no displayed text in the file.
      dateNF: 'yyyy-mm-dd',
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/password|encrypt/i.test(message)) throw encryptedError();
    throw new ContentError('corrupt', 'The file is damaged: its workbook cannot be read', { cause: error });
  }
}

function toContent(workbook: WorkBook, drawings: readonly SheetDrawings[]): ParsedContent {
  const builder = new WorkbookBuilder();
  const hidden = new Set(
    (workbook.Workbook?.Sheets ?? []).filter((sheet) => (sheet.Hidden ?? 0) !== 0).map((sheet) => sheet.name),
  );
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const allHidden = workbook.SheetNames.every((name) => hidden.has(name));
  for (const [index, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name];
    if (!sheet) continue;
    if (hidden.has(name) && !allHidden) builder.skipHidden(name);
    else addSheet(builder, name, sheet, { date1904, drawings: drawings[index] ?? { isChart: false, placed: [] } });
  }
  const title = workbook.Props?.Title?.trim() ?? '';
  return builder.finish(title === '' ? null : title);
}

interface SheetSurroundings {
  date1904: boolean;
  /** Drawings over the cells. */
  drawings: SheetDrawings;
}

function addSheet(
  builder: WorkbookBuilder,
  name: string,
  sheet: WorkSheet,
  { date1904, drawings }: SheetSurroundings,
): void {
  const grid = new SheetGrid();
  const comments: BlockDraft[] = [];
  const cells = drawings.isChart ? {} : sheet;
  const complete = eachCell(cells, (row, column, cell) => {
    if (builder.isFull(grid)) return false;
    grid.add(row, column, shownText(cell, date1904));
    // Links within the workbook begin with a number sign.
    const href = cell.l?.Target ?? '';
    if (href !== '' && !href.startsWith('#')) grid.link({ top: row, left: column, bottom: row, right: column }, href);
    const text = (cell.c ?? [])
      .map((comment) => comment.t)
      .join('\n')
      .trim();
    if (text !== '') comments.push({ type: 'footnote', text: `Comment on ${columnName(column)}${row + 1}: ${text}` });
    return true;
  });
  for (const range of sheet['!merges'] ?? []) {
    grid.merge({ top: range.s.r, left: range.s.c, bottom: range.e.r, right: range.e.c });
  }
  (sheet['!cols'] ?? []).forEach((column, index) => {
    if ((column?.wch ?? column?.width ?? Infinity) <= SPACER_WIDTH) grid.addSpacerColumn(index);
  });
  builder.addSheet(name, grid, [...drawings.placed, { blocks: comments }], complete);
}

/** Visits the cells row by row until `visit` returns false. */
function eachCell(sheet: WorkSheet, visit: (row: number, column: number, cell: CellObject) => boolean): boolean {
  const rows: (CellObject | undefined)[][] = sheet['!data'] ?? [];
  let goesOn = true;
  // Rows and cells may be sparse; `forEach` skips the holes.
  rows.forEach((cells, row) => {
    cells.forEach((cell, column) => {
      if (goesOn && cell) goesOn = visit(row, column, cell);
    });
  });
  return goesOn;
}

function shownText(cell: CellObject, date1904: boolean): string {
  if (cell.t === 'n' && typeof cell.v === 'number' && (cell.z ?? 'General') === 'General') return formatGeneral(cell.v);
  if (typeof cell.v === 'number' && typeof cell.z === 'string') {
    // The library falls back to the plain number for unknown codes and has no month names of other languages.
    if (cell.w === String(cell.v) || cell.z.includes('[$-')) return formatNumber(cell.v, cell.z, date1904);
  }
  if (cell.w !== undefined) return cell.w;
  if (cell.t === 'z' || cell.v === undefined) return '';
  return typeof cell.v === 'boolean' ? String(cell.v).toUpperCase() : String(cell.v);
}

function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
