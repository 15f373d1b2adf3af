import type { BlockDraft, ParsedContent } from '../../../../content/block.ts';
import { MAX_WORKBOOK_CELLS } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

/** Gathers a workbook's sheets as sections in order; each counts as a page. Shared by xlsx, ods and xls. */
export class WorkbookBuilder {
  readonly #blocks: BlockDraft[] = [];
  readonly #warnings: string[] = [];
  #pages = 0;
  #cells = 0;

  /** Cells that the next sheet may still hold. */
  get cellsLeft(): number {
    return MAX_WORKBOOK_CELLS - this.#cells;
  }

  warn(warning: string): void {
    if (this.#warnings.length < 30) this.#warnings.push(warning);
  }

  skipHidden(name: string): void {
    this.warn(`The hidden sheet "${name}" was left out`);
  }

  /** `complete` is false when the sheet holds more cells than could be kept. */
  addSheet(name: string, grid: SheetGrid, others: readonly BlockDraft[] = [], complete = true): void {
    this.#pages += 1;
    this.#cells += grid.size;
    const page = this.#pages;
    if (!complete) {
      this.warn(
        `Only the first ${MAX_WORKBOOK_CELLS.toLocaleString('en')} cells were read; sheet "${name}" is cut off`,
      );
    }
    const visible = others.filter((block) => block.type !== 'figure' || (block.text ?? '') !== '');
    const content = [...grid.tables(page), ...visible];
    // A blank sheet's name alone would make an empty workbook look like a document.
    if (content.length > 0) this.#blocks.push({ type: 'heading', level: 1, text: name, page });
    for (const block of content) this.#blocks.push({ ...block, page });
  }

  finish(title: string | null): ParsedContent {
    return { blocks: this.#blocks, pageCount: this.#pages, title, warnings: this.#warnings };
  }
}
