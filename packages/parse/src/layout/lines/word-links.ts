/** Maps the links of a page to text ranges: a link covers the words whose centre its box contains. */
import type { TextLink } from '@quire/blocks/block';
import { holdsCentre } from '../geometry.ts';
import type { WordSpan } from './join-lines.ts';
import type { PageLink } from '../page/page-content.ts';
import type { PageLayout } from '../page/page-layout.ts';
import type { GridCell } from '../tables/table.ts';

/** Returns the links of a block; adjacent words with the same address form one link. */
export function linksOf(spans: readonly WordSpan[], links: readonly PageLink[]): { links?: TextLink[] } {
  const found: TextLink[] = [];
  for (const { word, start, end } of spans) {
    const link = links.find((candidate) => holdsCentre(candidate, word));
    const last = found.at(-1);
    if (link === undefined) continue;
    if (last !== undefined && last.href === link.href && start - last.end <= 1) last.end = end;
    else found.push({ start, end, href: link.href });
  }
  return found.length > 0 ? { links: found } : {};
}

/** Sets the links of table cells. Runs before tables are joined over pages, after which a cell's page is unknown. */
export function linkCells(layouts: readonly PageLayout[]): void {
  for (const { page, elements } of layouts) {
    if (page.links.length === 0) continue;
    for (const element of elements) {
      if (element.kind !== 'table') continue;
      for (const cell of element.table.cells) Object.assign(cell, linksOf(spansOf(cell), page.links));
    }
  }
}

/** Locates the cell's words in its text; they occur in order, apart from list markers. */
function spansOf({ words, text }: GridCell): WordSpan[] {
  const spans: WordSpan[] = [];
  let from = 0;
  for (const word of words) {
    const start = text.indexOf(word.text, from);
    if (start < 0) continue;
    from = start + word.text.length;
    spans.push({ word, start, end: from });
  }
  return spans;
}
