import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import { MAX_WORKBOOK_CELLS, MAX_WORKBOOK_CHARACTERS } from './sheet-grid.ts';
import type { PlacedBlocks, SheetGrid } from './sheet-grid.ts';

/** Collects a workbook's sheets as sections in order; each counts as a page. Shared by xlsx, ods and xls. */
export class WorkbookBuilder {
  readonly #blocks: BlockDraft[] = [];
  readonly #warnings: ContentWarning[] = [];
  #pages = 0;
  #cells = 0;
  #characters = 0;

  /** Returns whether the workbook limits are reached with the sheet that is being read. */
  isFull(grid: SheetGrid): boolean {
    return (
      this.#cells + grid.size >= MAX_WORKBOOK_CELLS || this.#characters + grid.characters >= MAX_WORKBOOK_CHARACTERS
    );
  }

  /** Records that content was left out. */
  #leaveOut(message: string, pages: readonly number[] = []): void {
    if (this.#warnings.length < 30) this.#warnings.push(contentWarning('truncated', message, pages));
  }

  skipHidden(name: string): void {
    this.#leaveOut(`The hidden sheet "${name}" was left out`);
  }

  /**
   * Adds a sheet. `others` are ordered among the tables by position. `complete` is false if the sheet has more cells
   * than the limit.
   */
  addSheet(name: string, grid: SheetGrid, others: readonly PlacedBlocks[] = [], complete = true): void {
    this.#pages += 1;
    this.#cells += grid.size;
    this.#characters += grid.characters;
    const page = this.#pages;
    if (!complete) {
      const message = `The workbook holds more than can be read; sheet "${name}" is cut off after ${grid.size} cells`;
      this.#leaveOut(message, [page]);
    }
    const content = grid.content(page, others).filter((block) => block.type !== 'figure' || (block.text ?? '') !== '');
    // A blank sheet is omitted; its name alone would make an empty workbook look like a document.
    if (content.length > 0) this.#blocks.push({ type: 'heading', level: 1, text: name, page });
    for (const block of content) this.#blocks.push({ ...block, page });
  }

  finish(title: string | null): ParsedContent {
    return { blocks: this.#blocks, pageCount: this.#pages, title, warnings: this.#warnings };
  }
}
