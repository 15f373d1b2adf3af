/** Builds line maps: the position on the displayed page of each line of a block's text, and of each table cell. */
import type { BoundingBox, TextLine } from '@quire/blocks/block';
import { boundsOf, type Box } from '../geometry.ts';
import { displayBox } from '../page/display-box.ts';
import type { PageContent } from '../page/page-content.ts';
import type { PageLayout } from '../page/page-layout.ts';
import { cellLines } from '../tables/cells/cell-text.ts';
import type { Line } from './line.ts';

/** The range of the text that one line occupies. */
export interface LineSpan {
  line: Line;
  start: number;
  end: number;
}

/** Returns the line map of a text on one page, to spread into a block. */
export function lineMap(spans: readonly LineSpan[], page: PageContent): { lines?: TextLine[] } {
  const lines = spans
    .filter(({ start, end }) => end > start)
    .map(({ line, start, end }) => ({ start, end, page: page.number, box: boxOnPage(page, line) }));
  return lines.length === 0 ? {} : { lines };
}

/** Returns the spans of lines that are joined by line breaks, starting at offset `start`. */
export function brokenLineSpans(lines: readonly Line[], texts: readonly string[], start = 0): LineSpan[] {
  let at = start;
  return lines.map((line, index) => {
    const span = { line, start: at, end: at + (texts[index] ?? '').length };
    at = span.end + 1;
    return span;
  });
}

/** Maps a box of the reading frame to the displayed page. */
export const boxOnPage = (page: PageContent, box: Box): BoundingBox =>
  page.displayBox?.(box) ?? displayBox(box, page.width, page.height, page.turn);

/**
 * Sets the positions of table cells and of their lines. Runs before tables are joined over pages, after which a cell's
 * page is unknown.
 */
export function placeCells(layouts: readonly PageLayout[]): void {
  for (const { page, elements } of layouts) {
    for (const element of elements) {
      if (element.kind !== 'table') continue;
      for (const cell of element.table.cells) {
        if (cell.words.length === 0) continue;
        const lines = cellLines(cell.words, cell.text).map(({ words, start, end }) => ({
          start,
          end,
          page: page.number,
          box: boxOnPage(page, boundsOf(words)),
        }));
        Object.assign(cell, {
          page: page.number,
          box: boxOnPage(page, boundsOf(cell.words)),
          ...(lines.length === 0 ? {} : { lines }),
        });
      }
    }
  }
}
