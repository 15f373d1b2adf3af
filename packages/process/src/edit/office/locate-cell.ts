/** Finds the position of a cell in a sheet's XML, or the position where it must be inserted. */
import { ContentError } from '@quire/blocks/content-error';
import { parseReference, type CellPosition } from '@quire/parse/office/sheet/cell-reference';
import { scanXml, type Span } from '../replace/scan-xml.ts';

interface Place {
  /** Range of the source to replace; empty for an insertion. */
  span: Span;
  /** Namespace prefix of the sheet's elements, with its colon. */
  prefix: string;
  /** Style index to write into the cell. */
  style: string | undefined;
  /** The cell's formula element, as written. */
  formula?: string;
  /** Tags to write around the insertion when its parent element was self-closing. */
  opened?: { before: string; after: string };
}

export type CellPlace =
  | (Place & { kind: 'cell' })
  /** The row exists, but the cell does not. */
  | (Place & { kind: 'row' })
  | (Place & { kind: 'sheet'; row: number });

class Found extends Error {}

export function locateCell(source: string, position: CellPosition): CellPlace {
  const locator = new CellLocator(source, position);
  try {
    scanXml(source, locator);
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  if (locator.place === undefined) throw new ContentError('unsupported', 'The sheet is a chart and has no cells');
  return locator.place;
}

class CellLocator {
  place: CellPlace | undefined;
  readonly #source: string;
  readonly #position: CellPosition;
  #prefix = '';
  #inData = false;
  #row = -1;
  #rowTag: { span: Span; selfClosing: boolean; rawName: string; style: string | undefined } | undefined;
  #dataTag: { span: Span; selfClosing: boolean; rawName: string } | undefined;
  #column = -1;
  #cell: { start: number; style: string | undefined; formulaStart?: number; formula?: string } | undefined;

  constructor(source: string, position: CellPosition) {
    this.#source = source;
    this.#position = position;
  }

  open(
    name: string,
    span: Span,
    element: { attributes: Readonly<Record<string, string>>; selfClosing: boolean; rawName: string },
  ): void {
    const { attributes, selfClosing, rawName } = element;
    if (name === 'sheetData') {
      this.#inData = true;
      this.#prefix = rawName.includes(':') ? rawName.slice(0, rawName.indexOf(':') + 1) : '';
      this.#dataTag = { span, selfClosing, rawName };
    }
    if (!this.#inData) return;
    if (name === 'row') {
      this.#row = attributes['r'] === undefined ? this.#row + 1 : Number(attributes['r']) - 1;
      this.#column = -1;
      this.#rowTag = { span, selfClosing, rawName, style: attributes['s'] };
      if (this.#row > this.#position.row) this.#insertRow(span.start);
    } else if (name === 'c' && this.#row === this.#position.row) {
      const written = parseReference(attributes['r'] ?? '');
      this.#column = written?.column ?? this.#column + 1;
      if (this.#column > this.#position.column) this.#insertCell(span.start);
      if (this.#column === this.#position.column) this.#cell = { start: span.start, style: attributes['s'] };
    } else if (name === 'f' && this.#cell) this.#cell.formulaStart = span.start;
  }

  close(name: string, span: Span): void {
    if (!this.#inData) return;
    if (name === 'f' && this.#cell?.formulaStart !== undefined) {
      const tag = this.#source.slice(this.#cell.formulaStart, span.end);
      this.#cell.formula = tag.slice(0, tag.indexOf('>') + 1);
    }
    if (name === 'c' && this.#cell) {
      const { start, style, formula } = this.#cell;
      const place = { kind: 'cell', span: { start, end: span.end }, prefix: this.#prefix, style } as const;
      this.#stop(formula === undefined ? place : { ...place, formula });
    }
    if (name === 'row' && this.#row === this.#position.row) this.#insertCell(span.start);
    if (name === 'sheetData') this.#insertRow(span.start);
  }

  #insertCell(at: number): void {
    const tag = this.#rowTag;
    const place = { kind: 'row', prefix: this.#prefix, style: tag?.style, span: { start: at, end: at } } as const;
    this.#stop(tag?.selfClosing === true ? { ...place, ...this.#reopened(tag) } : place);
  }

  #insertRow(at: number): void {
    const tag = this.#dataTag;
    const row = this.#position.row + 1;
    const place = { kind: 'sheet', row, prefix: this.#prefix, style: undefined, span: { start: at, end: at } } as const;
    this.#stop(tag?.selfClosing === true ? { ...place, ...this.#reopened(tag) } : place);
  }

  #reopened(tag: { span: Span; rawName: string }): Required<Pick<Place, 'span' | 'opened'>> {
    const before = `${this.#source.slice(tag.span.start, tag.span.end).replace(/\s*\/>$/, '')}>`;
    return { span: tag.span, opened: { before, after: `</${tag.rawName}>` } };
  }

  #stop(place: CellPlace): never {
    this.place = place;
    throw new Found();
  }
}
