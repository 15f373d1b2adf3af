/** Reads one worksheet as a stream. A cell's value is its cached value as displayed; formulas are not evaluated. */
import { MAX_COLUMNS, parseRange, parseReference } from '../../office/sheet/cell-reference.ts';
import type { CellRange } from '../../office/sheet/cell-reference.ts';
import { formatGeneral, formatNumber } from '../../office/sheet/number-format.ts';
import { SheetGrid } from '../../office/sheet/sheet-grid.ts';
import type { WorkbookBuilder } from '../../office/sheet/workbook-builder.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import type { XmlAttributes } from '../../office/xml/xml-element.ts';
import { decodeEscapes } from './shared-strings.ts';

/** Column width in characters and row height in points below which they only separate parts of a table. */
const SPACER_WIDTH = 3;
const SPACER_HEIGHT = 6;
/** Maximum length of a formula that is searched for a link address, in characters. */
const MAX_LINK_FORMULA = 2_000;

export interface SheetContext {
  strings: readonly string[];
  formats: readonly string[];
  date1904: boolean;
}

/** External addresses by relationship id. */
export type LinkTargets = ReadonlyMap<string, string>;

/** Thrown to stop the parser if a sheet has more cells than the limit. */
export class SheetFull extends Error {
  override readonly name = 'SheetFull';
}

export class SheetReader implements XmlHandler {
  readonly grid = new SheetGrid();
  readonly #context: SheetContext;
  readonly #workbook: WorkbookBuilder;
  readonly #targets: LinkTargets;
  readonly #merges: CellRange[] = [];
  #row = -1;
  #column = -1;
  #type = 'n';
  #format = 'General';
  #value = '';
  #inline = '';
  #formula = '';
  #capture: 'value' | 'inline' | 'formula' | undefined;
  #inPhonetic = false;

  constructor(context: SheetContext, workbook: WorkbookBuilder, targets: LinkTargets) {
    this.#targets = targets;
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
      case 'f':
        this.#capture = 'formula';
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
      case 'hyperlink':
        this.#link(attributes);
        break;
      default:
    }
    return false;
  }

  text(text: string): void {
    if (this.#capture === 'value') this.#value += text;
    else if (this.#capture === 'inline') this.#inline += text;
    else if (this.#capture === 'formula' && this.#formula.length < MAX_LINK_FORMULA) this.#formula += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't' || name === 'f') this.#capture = undefined;
    else if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'mergeCells') this.#applyMerges();
  }

  /** Merged ranges are stored after the cells. */
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
    this.#formula = '';
  }

  /** Links are stored after the cells. Links within the workbook have no address. */
  #link(attributes: XmlAttributes): void {
    const range = parseRange(attributes['ref'] ?? '');
    const href = this.#targets.get(attributes['r:id'] ?? '');
    if (range && href !== undefined) this.grid.link(range, href);
  }

  #closeCell(): void {
    const text = this.#shown();
    if (text === '') return;
    if (this.#workbook.isFull(this.grid)) throw new SheetFull();
    const shown = text.trim();
    const href = linkAddress(this.#formula);
    this.grid.add(this.#row, this.#column, shown, href === undefined ? [] : [{ start: 0, end: shown.length, href }]);
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

/** Returns the address of a HYPERLINK formula with a literal address; most are built from other cells. */
function linkAddress(formula: string): string | undefined {
  const address = /^\s*HYPERLINK\(\s*"([^"]+)"\s*[,)]/i.exec(formula)?.[1];
  return address?.startsWith('#') === true ? undefined : address;
}

function rowIndex(reference: string | undefined): number | undefined {
  const row = Number(reference ?? '');
  return Number.isInteger(row) && row >= 1 ? row - 1 : undefined;
}
