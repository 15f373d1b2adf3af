/**
 * Reads an OpenDocument spreadsheet as a stream of cells. Cells contain their displayed text, so no formatting is
 * needed.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { cellContent } from '../../office/build/plain-text.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { MAX_ROWS } from '../../office/sheet/cell-reference.ts';
import { SheetGrid } from '../../office/sheet/sheet-grid.ts';
import type { PlacedBlocks } from '../../office/sheet/sheet-grid.ts';
import type { WorkbookBuilder } from '../../office/sheet/workbook-builder.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import { childElements } from '../../office/xml/xml-element.ts';
import type { XmlAttributes, XmlElement } from '../../office/xml/xml-element.ts';
import { readFrame } from './frame.ts';
import type { OdfContext } from './odf-context.ts';

/** Maximum number of repetitions of a value. Sheets are padded with repeated cells up to their last row and column. */
const MAX_REPEATED_VALUES = 1_000;
/** Size in points below which columns and rows only separate parts of a table. */
const SPACER_WIDTH = 20;
const SPACER_HEIGHT = 6;
/** Maximum number of repeated spacers; a sheet may repeat a column up to its last one. */
const MAX_REPEATED_SPACERS = 100;

export class OdsReader implements XmlHandler {
  readonly #context: OdfContext;
  readonly #workbook: WorkbookBuilder;
  #grid: SheetGrid | undefined;
  #name = '';
  #hidden = false;
  #complete = true;
  #others: PlacedBlocks[] = [];
  #row = 0;
  /** Number of columns described so far. */
  #described = 0;
  #column = 0;
  #rowRepeat = 1;
  #rowCells: { column: number; content: BuiltText; right: number; bottom: number }[] = [];

  constructor(context: OdfContext, workbook: WorkbookBuilder) {
    this.#context = context;
    this.#workbook = workbook;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    switch (name) {
      case 'table:table':
        this.#openSheet(attributes);
        return false;
      case 'table:table-column':
        this.#spacers(attributes);
        return false;
      case 'table:table-row':
        this.#column = 0;
        this.#rowRepeat = repeat(attributes['table:number-rows-repeated']);
        this.#rowCells = [];
        if ((this.#context.styles.rowHeight(attributes['table:style-name']) ?? Infinity) <= SPACER_HEIGHT)
          this.#grid?.addSpacerRow(this.#row);
        return false;
      case 'table:table-cell':
      case 'table:covered-table-cell':
      case 'table:shapes':
      case 'office:automatic-styles':
      case 'table:tracked-changes':
      case 'office:forms':
        return true;
      default:
        return false;
    }
  }

  close(name: string): void {
    if (name === 'table:table-row') this.#closeRow();
    else if (name === 'table:table') this.#closeSheet();
  }

  element(element: XmlElement): void {
    if (element.name === 'office:automatic-styles') this.#context.styles.add(element);
    else if (element.name === 'table:table-cell') this.#cell(element);
    else if (element.name === 'table:covered-table-cell') this.#column += columnsRepeated(element.attributes);
    else if (element.name === 'table:shapes') this.#shapes(childElements(element));
  }

  #openSheet(attributes: XmlAttributes): void {
    this.#grid = new SheetGrid();
    this.#name = attributes['table:name'] ?? '';
    this.#hidden = this.#context.styles.isHiddenTable(attributes['table:style-name']);
    this.#complete = true;
    this.#others = [];
    this.#row = 0;
    this.#described = 0;
  }

  /** Records spacer columns; columns are described in order before the rows. */
  #spacers(attributes: XmlAttributes): void {
    const first = this.#described;
    const times = columnsRepeated(attributes);
    this.#described += times;
    const width = this.#context.styles.columnWidth(attributes['table:style-name']);
    if (width === undefined || width > SPACER_WIDTH) return;
    const last = first + Math.min(times, MAX_REPEATED_SPACERS);
    for (let column = first; column < last; column += 1) this.#grid?.addSpacerColumn(column);
  }

  #cell(element: XmlElement): void {
    const { attributes } = element;
    const times = columnsRepeated(attributes);
    if (element.children.length > 0) {
      const content = childElements(element);
      const place = { row: this.#row, column: this.#column };
      this.#shapes(
        content.filter((each) => each.name.startsWith('draw:')),
        place,
      );
      const paragraphs = content.filter((each) => !each.name.startsWith('draw:'));
      const cell = cellContent(this.#context.readTree({ ...element, children: paragraphs }));
      for (const kind of this.#context.styles.marks('table-cell', attributes['table:style-name'])) {
        cell.marks.push({ start: 0, end: cell.text.length, kind });
      }
      const right = repeat(attributes['table:number-columns-spanned']) - 1;
      const bottom = repeat(attributes['table:number-rows-spanned']) - 1;
      const filled = cell.text === '' ? 0 : Math.min(times, MAX_REPEATED_VALUES);
      for (let index = 0; index < filled; index += 1) {
        this.#rowCells.push({ column: this.#column + index, content: cell, right, bottom });
      }
    }
    this.#column += times;
  }

  #shapes(shapes: readonly XmlElement[], place: { row?: number; column?: number } = {}): void {
    for (const shape of shapes) this.#others.push({ ...place, blocks: readFrame(shape, this.#context) });
  }

  #closeRow(): void {
    const times = this.#rowCells.length === 0 ? 0 : Math.min(this.#rowRepeat, MAX_REPEATED_VALUES);
    for (let index = 0; index < times; index += 1) this.#addRow(this.#row + index);
    this.#row = Math.min(MAX_ROWS, this.#row + this.#rowRepeat);
  }

  #addRow(row: number): void {
    for (const { column, content, right, bottom } of this.#rowCells) {
      if (!this.#grid) return;
      if (this.#workbook.isFull(this.#grid)) {
        this.#complete = false;
        return;
      }
      this.#grid.add(row, column, content.text, content);
      if (right + bottom > 0) this.#grid.merge({ top: row, left: column, bottom: row + bottom, right: column + right });
    }
  }

  #closeSheet(): void {
    if (!this.#grid) return;
    if (this.#hidden) this.#workbook.skipHidden(this.#name);
    else
      this.#workbook.addSheet(this.#name, this.#grid, [...this.#others, { blocks: this.#comments() }], this.#complete);
    this.#grid = undefined;
  }

  #comments(): BlockDraft[] {
    return this.#context.comments.splice(0).map((text) => ({ type: 'footnote', text }));
  }
}

function repeat(value: string | undefined): number {
  const count = Number(value ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

const columnsRepeated = (attributes: XmlAttributes): number => repeat(attributes['table:number-columns-repeated']);
