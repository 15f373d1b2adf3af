import type { BlockDraft } from '@quire/blocks/block';
import { TableBuilder } from '../../office/build/table-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import type { XmlAttributes } from '../../office/xml/xml-element.ts';

/** Repeated cells in a text document's table; a count beyond this is damage. */
const MAX_REPEAT = 100;

/** A table of a text or presentation while it is read. Positions under a span are `covered-table-cell`s, passed over. */
export class OdfTable {
  readonly #builder = new TableBuilder();
  #headerRows = 0;
  #cell = { colSpan: 1, rowSpan: 1, repeat: 1 };
  #onlyCell: BlockDraft[] | undefined;
  #cellCount = 0;

  open(name: string, _attributes: XmlAttributes): void {
    if (name === 'table:table-row') this.#builder.startRow();
  }

  closeHeader(): void {
    this.#headerRows = this.#builder.rows.length;
  }

  openCell(attributes: XmlAttributes): void {
    this.#cell = {
      colSpan: Number(attributes['table:number-columns-spanned'] ?? 1) || 1,
      rowSpan: Number(attributes['table:number-rows-spanned'] ?? 1) || 1,
      repeat: Math.min(MAX_REPEAT, Number(attributes['table:number-columns-repeated'] ?? 1) || 1),
    };
  }

  closeCell(content: BuiltText, blocks: BlockDraft[]): void {
    const { colSpan, rowSpan, repeat } = this.#cell;
    // Only blank cells repeat in earnest; text that did, table within table, would grow without bound.
    const times = content.text === '' ? repeat : 1;
    for (let count = 0; count < times; count += 1) this.#builder.addCell({ ...content, colSpan, rowSpan });
    // An inner table has used the fields for its own cells.
    this.#cell = { colSpan: 1, rowSpan: 1, repeat: 1 };
    this.#cellCount += times;
    this.#onlyCell = this.#cellCount === 1 ? blocks : undefined;
  }

  /** A table of one cell is only a frame around its content. */
  finish(): readonly BlockDraft[] {
    if (this.#onlyCell) return this.#onlyCell;
    for (let row = 0; row < this.#headerRows; row += 1) this.#builder.markHeader(row);
    const table = this.#builder.finish();
    return table ? [table] : [];
  }
}
