import type { BlockDraft } from '@quire/blocks/block';
import { TableBuilder } from '../../office/build/table-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import type { XmlAttributes } from '../../office/xml/xml-element.ts';

/** Maximum repetition of a cell in a text document's table; larger counts are damage. */
const MAX_REPEAT = 100;

/**
 * Builds a table of a text or presentation while it is read. Positions under a span are `covered-table-cell`s and
 * skipped.
 */
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
    // Only blank cells are repeated; repeated text in nested tables would grow without bound.
    const times = content.text === '' ? repeat : 1;
    for (let count = 0; count < times; count += 1) this.#builder.addCell({ ...content, colSpan, rowSpan });
    // An inner table has overwritten these fields with its own cells.
    this.#cell = { colSpan: 1, rowSpan: 1, repeat: 1 };
    this.#cellCount += times;
    this.#onlyCell = this.#cellCount === 1 ? blocks : undefined;
  }

  /** Returns the content without the table if it has one cell, which only frames the content. */
  finish(): readonly BlockDraft[] {
    if (this.#onlyCell) return this.#onlyCell;
    for (let row = 0; row < this.#headerRows; row += 1) this.#builder.markHeader(row);
    const table = this.#builder.finish();
    return table ? [table] : [];
  }
}
