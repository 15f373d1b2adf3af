/**
 * Builds tables of Word's binary files and RTF, whose rows state the edges of their cells. Column spans follow from the
 * edges.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { cellContent } from './plain-text.ts';
import { TableBuilder } from './table-builder.ts';
import type { BuiltText } from './text-builder.ts';

/** The cells of a row: their edges in twips (one more than cells) and how they are merged. */
export interface RowDefinition {
  edges: number[];
  merges: ('none' | 'continuesLeft' | 'continuesAbove')[];
}

interface Row {
  cells: { content: BuiltText; blocks: BlockDraft[] }[];
  definition: RowDefinition | undefined;
}

/** Distance in twips (1/1440 inch) below which two edges are equal; rows are often slightly misaligned. */
const SAME_EDGE = 30;

export class EdgeTable {
  readonly #rows: Row[] = [];
  #cells: Row['cells'] = [];

  addCell(blocks: BlockDraft[]): void {
    this.#cells.push({ content: cellContent(blocks), blocks });
  }

  endRow(definition: RowDefinition | undefined): void {
    if (this.#cells.length > 0) this.#rows.push({ cells: this.#cells, definition });
    this.#cells = [];
  }

  /** Returns the content without the table if it has one cell, which only frames the content. */
  finish(): readonly BlockDraft[] {
    this.endRow(undefined);
    const first = this.#rows[0];
    if (this.#rows.length === 1 && first?.cells.length === 1) return first.cells[0]?.blocks ?? [];
    const edges = this.#edges();
    const builder = new TableBuilder();
    for (const row of this.#rows) {
      builder.startRow();
      this.#addRow(builder, row, edges);
    }
    const table = builder.finish();
    return table ? [table] : [];
  }

  #addRow(builder: TableBuilder, { cells, definition }: Row, edges: readonly number[]): void {
    cells.forEach((cell, index) => {
      const merge = definition?.merges[index] ?? 'none';
      if (merge === 'continuesLeft') return;
      let last = index;
      while (definition?.merges[last + 1] === 'continuesLeft') last += 1;
      const colSpan = definition ? spanOf(definition.edges[index], definition.edges[last + 1], edges) : 1;
      builder.addCell({ ...cell.content, colSpan, continuesAbove: merge === 'continuesAbove' });
    });
  }

  /** Returns all distinct edges of the table, which delimit its columns. */
  #edges(): number[] {
    const sorted = this.#rows.flatMap((row) => row.definition?.edges ?? []).toSorted((a, b) => a - b);
    return sorted.filter((edge, index) => index === 0 || edge - (sorted[index - 1] ?? edge) > SAME_EDGE);
  }
}

function spanOf(left: number | undefined, right: number | undefined, edges: readonly number[]): number {
  if (left === undefined || right === undefined) return 1;
  return Math.max(1, edges.filter((edge) => edge > left + SAME_EDGE && edge <= right + SAME_EDGE).length);
}
