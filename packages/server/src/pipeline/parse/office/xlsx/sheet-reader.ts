/** One worksheet as a stream: a cell is worth its cached value as shown, formulas are not evaluated. */
import { MAX_COLUMNS, parseRange, parseReference } from '../sheet/cell-reference.ts';
import type { CellRange } from '../sheet/cell-reference.ts';
import { formatGeneral, formatNumber } from '../sheet/number-format.ts';
import { SheetGrid } from '../sheet/sheet-grid.ts';
import type { WorkbookBuilder } from '../sheet/workbook-builder.ts';
import type { XmlHandler } from '../xml/parse-xml.ts';
import type { XmlAttributes } from '../xml/xml-element.ts';
import { decodeEscapes } from './shared-strings.ts';

/** In characters and in points: narrower columns and lower rows hold no text, they only set parts of a table apart. */
const SPACER_WIDTH = 3;
const SPACER_HEIGHT = 6;

export interface SheetContext {
  strings: readonly string[];
  formats: readonly string[];
  date1904: boolean;
}

/** Thrown to leave the parser in the middle of a sheet that holds more cells than are kept. */
export class SheetFull extends Error {
  override readonly name = 'SheetFull';
}

export class SheetReader implements XmlHandler {
  readonly grid = new SheetGrid();
  readonly #context: SheetContext;
  readonly #workbook: WorkbookBuilder;
  readonly #merges: CellRange[] = [];
  #row = -1;
  #column = -1;
  #type = 'n';
  #format = 'General';
  #value = '';
  #inline = '';
  #capture: 'value' | 'inline' | undefined;
  #inPhonetic = false;

  constructor(context: SheetContext, workbook: WorkbookBuilder) {
    this.#context = context;
    this.#workbook = workbook;
  }

  open(name: string, attributes: XmlAttributes): boolean {
    switch (name) {
      case 'col':
        this.#spacerColumns(attributes);
        break;
      case 'row':
        this.#row = rowIndex(attributes['r']) ?? this.#row + 1;
        this.#column = -1;
        if (Number(attributes['ht'] ?? Infinity) <= SPACER_HEIGHT) this.grid.addSpacerRow(this.#row);
        break;
      case 'c':
        this.#openCell(attributes);
        break;
      case 'v':
        this.#capture = 'value';
        break;
      case 't':
        if (!this.#inPhonetic) this.#capture = 'inline';
        break;
      case 'rPh':
        this.#inPhonetic = true;
        break;
      case 'mergeCell': {
        const range = parseRange(attributes['ref'] ?? '');
        if (range) this.#merges.push(range);
        break;
      }
      default:
    }
    return false;
  }

  text(text: string): void {
    if (this.#capture === 'value') this.#value += text;
    else if (this.#capture === 'inline') this.#inline += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#capture = undefined;
    else if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'mergeCells') this.#applyMerges();
  }

  /** Merged ranges are listed after the cells. */
  #applyMerges(): void {
    for (const range of this.#merges.splice(0)) this.grid.merge(range);
  }

  #spacerColumns(attributes: XmlAttributes): void {
    if (Number(attributes['width'] ?? Infinity) > SPACER_WIDTH) return;
    const last = Math.min(MAX_COLUMNS, Number(attributes['max']));
    for (let column = Number(attributes['min']); column <= last; column += 1) this.grid.addSpacerColumn(column - 1);
  }

  #openCell(attributes: XmlAttributes): void {
    const position = parseReference(attributes['r'] ?? '');
    if (position && this.#row < 0) this.#row = position.row;
    this.#column = position?.column ?? this.#column + 1;
    this.#row = position?.row ?? this.#row;
    this.#type = attributes['t'] ?? 'n';
    this.#format = this.#context.formats[Number(attributes['s'] ?? 0)] ?? 'General';
    this.#value = '';
    this.#inline = '';
  }

  #closeCell(): void {
    const text = this.#shown();
    if (text === '') return;
    if (this.#workbook.isFull(this.grid)) throw new SheetFull();
    this.grid.add(this.#row, this.#column, text);
  }

  #shown(): string {
    switch (this.#type) {
      case 's':
        return this.#context.strings[Number(this.#value)] ?? '';
      case 'inlineStr':
        return decodeEscapes(this.#inline);
      case 'str':
        return decodeEscapes(this.#value);
      case 'b':
        return this.#value === '1' || this.#value === 'true' ? 'TRUE' : this.#value === '' ? '' : 'FALSE';
      case 'e':
        return this.#value;
      case 'd':
        return this.#value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ');
      default:
        return this.#number();
    }
  }

  #number(): string {
    const raw = this.#value.trim();
    if (raw === '') return decodeEscapes(this.#inline);
    const value = Number(raw);
    if (Number.isNaN(value)) return raw;
    return this.#format === 'General'
      ? formatGeneral(value)
      : formatNumber(value, this.#format, this.#context.date1904);
  }
}

function rowIndex(reference: string | undefined): number | undefined {
  const row = Number(reference ?? '');
  return Number.isInteger(row) && row >= 1 ? row - 1 : undefined;
}
