/** Reads the rows of a sheet's XML with the positions of everything that changes when a row moves. */
import { scanXml, type Span } from '../replace/scan-xml.ts';

export interface SheetRow {
  /** Row number, from 1. */
  number: number;
  span: Span;
  tag: Span;
  cells: SheetCell[];
}

export interface SheetCell {
  column: string;
  span: Span;
  tag: Span;
  /** Namespace prefix with its colon. */
  prefix: string;
  /** Index of the shared string that the cell refers to. */
  shared: number | undefined;
  /** The formula element: `start` is the start of the element, `text` is the range of its content. */
  formula: { start: number; text: Span } | undefined;
}

export function readSheetRows(source: string): SheetRow[] {
  const rows: SheetRow[] = [];
  let row: SheetRow | undefined;
  let cell: (SheetCell & { isShared: boolean }) | undefined;
  let element: { name: string; start: number; text: Span } | undefined;
  scanXml(source, {
    open: (name, span, { attributes, rawName }) => {
      if (name === 'row') {
        const number = Number(attributes['r'] ?? (rows.at(-1)?.number ?? 0) + 1);
        row = { number, span, tag: span, cells: [] };
      } else if (name === 'c' && row !== undefined) {
        const column = /^[A-Z]+/.exec(attributes['r'] ?? '')?.[0] ?? columnName(row.cells.length);
        const prefix = rawName.includes(':') ? rawName.slice(0, rawName.indexOf(':') + 1) : '';
        cell = {
          column,
          span,
          tag: span,
          prefix,
          shared: undefined,
          formula: undefined,
          isShared: attributes['t'] === 's',
        };
      } else if ((name === 'f' || name === 'v') && cell !== undefined) {
        element = { name, start: span.start, text: { start: span.end, end: span.end } };
      }
    },
    close: (name, span) => {
      if (element?.name === name && cell !== undefined) {
        const text = { start: element.text.start, end: Math.max(element.text.start, span.start) };
        if (name === 'f') cell.formula = { start: element.start, text };
        else if (cell.isShared) cell.shared = Number(source.slice(text.start, text.end));
        element = undefined;
      } else if (name === 'c' && cell !== undefined) {
        cell.span = { start: cell.tag.start, end: span.end };
        row?.cells.push(cell);
        cell = undefined;
      } else if (name === 'row' && row !== undefined) {
        row.span = { start: row.tag.start, end: span.end };
        rows.push(row);
        row = undefined;
      }
    },
  });
  return rows;
}

function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}
