/** Reads one worksheet as a stream. A cell's value is its cached value as displayed; formulas are not evaluated. */
import { MAX_COLUMNS, parseRange, parseReference } from '../../office/sheet/cell-reference.ts';
import type { CellRange } from '../../office/sheet/cell-reference.ts';
import { formatGeneral, formatNumber } from '../../office/sheet/number-format.ts';
import { SheetGrid } from '../../office/sheet/sheet-grid.ts';
import type { WorkbookBuilder } from '../../office/sheet/workbook-builder.ts';
import { shifted } from '../../structure/shifted.ts';
import type { XmlHandler } from '../../office/xml/parse-xml.ts';
import type { XmlAttributes } from '../../office/xml/xml-element.ts';
import { decodeEscapes } from './decode-escapes.ts';
import { RichTextReader, type RichText } from './rich-text.ts';
import type { CellFormat } from './workbook.ts';

/** Column width in characters and row height in points below which they only separate parts of a table. */
const SPACER_WIDTH = 3;
const SPACER_HEIGHT = 6;
/** Maximum length of a formula that is searched for a link address, in characters. */
const MAX_LINK_FORMULA = 2_000;

const GENERAL: CellFormat = { code: 'General', marks: [] };
const EMPTY: RichText = { text: '', marks: [] };

export interface SheetContext {
  strings: readonly RichText[];
  formats: readonly CellFormat[];
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
  #format = GENERAL;
  #value = '';
  /** The text of an `is` element. */
  readonly #inline = new RichTextReader();
  #isInline = false;
  #formula = '';
  #capture: 'value' | 'formula' | undefined;

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
      case 'is':
        this.#isInline = true;
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
        if (this.#isInline) this.#inline.open(name, attributes);
    }
    return false;
  }

  text(text: string): void {
    if (this.#capture === 'value') this.#value += text;
    else if (this.#capture === 'formula' && this.#formula.length < MAX_LINK_FORMULA) this.#formula += text;
    else if (this.#isInline) this.#inline.text(text);
  }

  close(name: string): void {
    if (name === 'v' || name === 'f') this.#capture = undefined;
    else if (name === 'is') this.#isInline = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'mergeCells') this.#applyMerges();
    else if (this.#isInline) this.#inline.close(name);
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
    this.#format = this.#context.formats[Number(attributes['s'] ?? 0)] ?? GENERAL;
    this.#value = '';
    this.#inline.start();
    this.#formula = '';
  }

  /** Links are stored after the cells. Links within the workbook have no address. */
  #link(attributes: XmlAttributes): void {
    const range = parseRange(attributes['ref'] ?? '');
    const href = this.#targets.get(attributes['r:id'] ?? '');
    if (range && href !== undefined) this.grid.link(range, href);
  }

  #closeCell(): void {
    const { text, marks } = this.#shown();
    if (text === '') return;
    if (this.#workbook.isFull(this.grid)) throw new SheetFull();
    const lead = text.length - text.trimStart().length;
    const shown = text.trim();
    const whole = this.#format.marks.map((kind) => ({ start: 0, end: shown.length, kind }));
    const href = linkAddress(this.#formula);
    const links = href === undefined ? [] : [{ start: 0, end: shown.length, href }];
    this.grid.add(this.#row, this.#column, shown, { links, marks: [...whole, ...shifted(marks, -lead)] });
  }

  #shown(): RichText {
    if (this.#type === 's') return this.#context.strings[Number(this.#value)] ?? EMPTY;
    if (this.#type === 'inlineStr') return this.#inline.finish();
    const text = this.#plain();
    return text === undefined ? this.#inline.finish() : { text, marks: [] };
  }

  /** Returns undefined if the cell has no value of its own. */
  #plain(): string | undefined {
    switch (this.#type) {
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

  #number(): string | undefined {
    const raw = this.#value.trim();
    if (raw === '') return undefined;
    const value = Number(raw);
    if (Number.isNaN(value)) return raw;
    const { code } = this.#format;
    return code === 'General' ? formatGeneral(value) : formatNumber(value, code, this.#context.date1904);
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
