/** Builds a Word table while it is read. Spans come from `w:gridSpan` and `w:vMerge`; deleted rows are left out. */
import type { BlockDraft } from '@quire/blocks/block';
import { TableBuilder } from '../../office/build/table-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { attribute, child, integerAttribute, isOn } from '../../office/xml/xml-element.ts';
import type { XmlElement } from '../../office/xml/xml-element.ts';

interface CellProperties {
  colSpan: number;
  continuesAbove: boolean;
}

const PLAIN_CELL: CellProperties = { colSpan: 1, continuesAbove: false };

export class DocxTable {
  readonly #builder = new TableBuilder();
  #firstRowIsHeader = false;
  #rowStarted = false;
  #skipColumns = 0;
  #rowDeleted = false;
  #rowIsHeader = false;
  #headerRows = 0;
  #cell = PLAIN_CELL;
  /** The blocks of the only cell so far; undefined after a second cell. */
  #onlyCell: BlockDraft[] | undefined;
  #cellCount = 0;

  /** Reads a `w:tblPr`, `w:trPr` or `w:tcPr`. */
  properties(element: XmlElement): void {
    if (element.name === 'w:tblPr') this.#firstRowIsHeader = firstRowIsHeader(child(element, 'w:tblLook'));
    if (element.name === 'w:trPr') {
      this.#skipColumns = integerAttribute(child(element, 'w:gridBefore'), 'w:val') ?? 0;
      this.#rowDeleted = child(element, 'w:del') !== undefined;
      this.#rowIsHeader = isOn(child(element, 'w:tblHeader')) ?? false;
    }
    if (element.name === 'w:tcPr') {
      const merge = child(element, 'w:vMerge');
      this.#cell = {
        colSpan: integerAttribute(child(element, 'w:gridSpan'), 'w:val') ?? 1,
        continuesAbove: merge !== undefined && attribute(merge, 'w:val') !== 'restart',
      };
    }
  }

  openRow(): void {
    this.#rowStarted = false;
    this.#skipColumns = 0;
    this.#rowDeleted = false;
    this.#rowIsHeader = false;
  }

  openCell(): void {
    this.#cell = PLAIN_CELL;
  }

  closeCell(content: BuiltText, blocks: BlockDraft[]): void {
    if (this.#rowDeleted) return;
    if (!this.#rowStarted) this.#builder.startRow(this.#skipColumns);
    this.#rowStarted = true;
    this.#builder.addCell({ ...content, ...this.#cell });
    this.#cellCount += 1;
    this.#onlyCell = this.#cellCount === 1 ? blocks : undefined;
  }

  closeRow(): void {
    // Header rows repeat on each page; they are recognised only at the top.
    const rows = this.#builder.rows.length;
    if (this.#rowStarted && this.#rowIsHeader && this.#headerRows === rows - 1) {
      this.#headerRows = rows;
      this.#builder.markHeader(rows - 1);
    }
  }

  /** Returns the content without the table if it has one cell, which only frames the content. */
  finish(): readonly BlockDraft[] {
    if (this.#onlyCell) return this.#onlyCell;
    if (this.#headerRows === 0 && this.#firstRowIsHeader && this.#builder.rows.length > 1) this.#builder.markHeader(0);
    const table = this.#builder.finish();
    return table ? [table] : [];
  }
}

function firstRowIsHeader(look: XmlElement | undefined): boolean {
  const direct = attribute(look, 'w:firstRow');
  if (direct !== undefined) return /^(?:1|true|on)$/.test(direct);
  return (Number.parseInt(attribute(look, 'w:val') ?? '0', 16) & 0x20) !== 0;
}
