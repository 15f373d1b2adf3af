/**
 * From the words of all pages to blocks. Two passes: what repeats over the pages (running headers, the look of the
 * body text, which words are divided at line ends) must be known before a page can be laid out.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { withBlanks } from './blanks.ts';
import { findFurniture } from './furniture.ts';
import { bodyStyleOf } from './headings.ts';
import { Vocabulary } from './joining.ts';
import type { Line } from './line.ts';
import type { PageContent } from './page-content.ts';
import { layOutPage, type PageLayout } from './page-layout.ts';
import { segmentsOf } from './segments.ts';
import { keepBelievedTags } from './tags.ts';
import { joinTables } from './tables/join-tables.ts';
import { blocksOf, type OutlineEntry } from './blocks.ts';
import { linkCells } from './word-links.ts';

export interface LayoutOptions {
  signal: AbortSignal;
  /** Called with 0..1 after each page. */
  onProgress: (fraction: number) => void;
  outline: readonly OutlineEntry[];
}

/** Blocks in reading order. `ready` holds the blocks of pages that need no layout (recognised pictures), by page. */
export function layOutDocument(
  read: readonly PageContent[],
  ready: ReadonlyMap<number, BlockDraft[]>,
  options: LayoutOptions,
): BlockDraft[] {
  const pages = read.map(withBlanks);
  const onlyTagged = keepBelievedTags(pages);
  const lines = pages.map((page) => segmentsOf(page.words));
  const all = lines.flat();
  const furniture = findFurniture(
    pages.map((page, index) => ({
      width: page.width,
      height: page.height,
      lines: lines[index] ?? [],
      rules: page.rules,
    })),
    bodyStyleOf(all).size,
  );
  // Of slides, the small print at the foot of each may be the most there is.
  const body = bodyStyleOf(furniture.size > 0 ? all.filter((line) => !furniture.has(line)) : all);
  const vocabulary = new Vocabulary();
  const layouts = pages.map((page, index): PageLayout => {
    options.signal.throwIfAborted();
    const own = lines[index] ?? [];
    const kept = own.filter((line) => !furniture.has(line));
    for (const line of kept) vocabulary.add(line);
    const layout = layOutPage(kept.length === own.length ? page : withWordsOf(page, kept), kept, { body, onlyTagged });
    options.onProgress((index + 1) / pages.length);
    return layout;
  });
  linkCells(layouts);
  joinTables(layouts);
  return blocksOf(layouts, ready, { body, vocabulary, outline: options.outline });
}

const withWordsOf = (page: PageContent, lines: readonly Line[]): PageContent => ({
  ...page,
  words: lines.flatMap((line) => line.words),
});
