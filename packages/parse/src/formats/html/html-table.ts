import type { BlockDraft, TableCell } from '@quire/blocks/block';
import { walkBlocks } from '@quire/blocks/walk';
import { flattenBlocks } from '../../structure/flatten-blocks.ts';
import { attribute, type HtmlElement, spanOf } from './html-attributes.ts';

interface HtmlCell {
  element: HtmlElement;
  header: boolean;
  blocks: BlockDraft[];
}

/** Collects the rows of a table while its elements are read. */
export class HtmlTable {
  readonly element: HtmlElement;
  readonly captions: BlockDraft[] = [];
  private readonly bodyRows: HtmlCell[][] = [];
  private readonly footRows: HtmlCell[][] = [];

  constructor(element: HtmlElement) {
    this.element = element;
  }

  startRow(row: HtmlElement): void {
    const group = parentTag(row);
    (group === 'tfoot' ? this.footRows : this.bodyRows).push([]);
  }

  addCell(element: HtmlElement, blocks: BlockDraft[]): void {
    const row = element.parentNode;
    const group = row !== null && 'tagName' in row ? parentTag(row) : undefined;
    const rows = group === 'tfoot' ? this.footRows : this.bodyRows;
    if (rows.length === 0) rows.push([]);
    rows.at(-1)?.push({ element, header: element.tagName === 'th' || group === 'thead', blocks });
  }

  /** Returns the captions and the table, or the blocks of the cells if the table only arranges the page. */
  finish(): BlockDraft[] {
    const rows = [...this.bodyRows, ...this.footRows].filter((row) => row.length > 0);
    if (rows.length === 0) return this.captions;
    if (this.isLayout(rows)) return [...this.captions, ...rows.flat().flatMap((cell) => cell.blocks)];
    return [...this.captions, { type: 'table', rows: rows.map((row) => row.map(tableCell)) }];
  }

  /**
   * Returns whether the table is used for layout: it is marked so, or has a single cell with content, or contains
   * another table with all its text and has neither header nor caption.
   */
  private isLayout(rows: readonly (readonly HtmlCell[])[]): boolean {
    if (/^(?:presentation|none)$/i.test(attribute(this.element, 'role') ?? '')) return true;
    const cells = rows.flat();
    if (this.captions.length > 0 || cells.some((cell) => cell.header)) return false;
    if (cells.filter((cell) => textLength(cell.blocks) > 0).length <= 1) return true;
    const blocks = cells.flatMap((cell) => cell.blocks);
    if (rows.every((row) => row.length === 1)) return blocks.some((block) => block.type !== 'paragraph');
    const nested = blocks.filter((block) => block.type === 'table' || block.type === 'heading');
    return nested.some((block) => block.type === 'table') && textLength(nested) > 0.5 * textLength(blocks);
  }
}

function parentTag(element: HtmlElement): string | undefined {
  const parent = element.parentNode;
  return parent !== null && 'tagName' in parent ? parent.tagName : undefined;
}

function tableCell(cell: HtmlCell): TableCell {
  const { text, links, marks } = flattenBlocks(cell.blocks);
  return {
    text,
    rowSpan: spanOf(cell.element, 'rowspan'),
    colSpan: spanOf(cell.element, 'colspan'),
    header: cell.header,
    ...(links.length > 0 ? { links } : {}),
    ...(marks === undefined ? {} : { marks }),
  };
}

function textLength(blocks: readonly BlockDraft[]): number {
  let length = 0;
  for (const block of walkBlocks(blocks)) {
    length += block.text?.length ?? 0;
    for (const row of block.rows ?? []) for (const cell of row) length += cell.text.length;
  }
  return length;
}
