/**
 * Converts the words of all pages to blocks in two passes. The first collects what depends on the whole document: page
 * furniture, body text style and the vocabulary for dehyphenation.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { withDrawnUnderscores } from './lines/drawn-underscores.ts';
import { withFillInBlanks } from './lines/fill-in-blanks.ts';
import { findContents } from './lines/contents.ts';
import { findFurniture } from './furniture/page-furniture.ts';
import { bodyStyleOf } from './headings/headings.ts';
import { demoteColumnHeadings } from './headings/column-headings.ts';
import { followBookmarks, type OutlineEntry } from './headings/bookmarked-headings.ts';
import { demoteTerms } from './headings/list-terms.ts';
import { demoteLabels } from './headings/repeated-labels.ts';
import { demoteTitlePages } from './headings/title-page.ts';
import { Vocabulary } from './lines/join-lines.ts';
import type { Line } from './lines/line.ts';
import { placeCells } from './lines/line-map.ts';
import type { PageContent } from './page/page-content.ts';
import { layOutPage, type PageLayout } from './page/page-layout.ts';
import { withTickBoxes } from './page/tick-boxes.ts';
import { lineSegments } from './lines/line-segments.ts';
import { dropUnreliableTags } from './headings/structure-tags.ts';
import { joinTables } from './tables/join-tables.ts';
import { blocksOf } from './blocks/blocks.ts';
import { linkCells } from './lines/word-links.ts';

export interface LayoutOptions {
  signal: AbortSignal;
  /** Called with the completed share (0..1) after each page. */
  onProgress: (fraction: number) => void;
  outline: readonly OutlineEntry[];
}

/** Returns blocks in reading order. `ready` holds finished blocks (of recognised pictures) by page number. */
export function layOutDocument(
  read: readonly PageContent[],
  ready: ReadonlyMap<number, BlockDraft[]>,
  options: LayoutOptions,
): BlockDraft[] {
  const pages = read.map((page) => withFillInBlanks(withDrawnUnderscores(withTickBoxes(page))));
  const headingsAreTagged = dropUnreliableTags(pages);
  const lines = pages.map((page) => lineSegments(page.words));
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
  // On slides, the repeated small print can outweigh all other text.
  const body = bodyStyleOf(furniture.size > 0 ? all.filter((line) => !furniture.has(line)) : all);
  const vocabulary = new Vocabulary();
  const text = lines.map((own) => own.filter((line) => !furniture.has(line)));
  const contents = findContents(pages.map(({ rules }, index) => ({ lines: text[index] ?? [], rules })));
  const style = { body, headingsAreTagged };
  const layouts = pages.map((page, index): PageLayout => {
    options.signal.throwIfAborted();
    const kept = text[index] ?? [];
    for (const line of kept) vocabulary.add(line);
    const isWhole = kept.length === lines[index]?.length;
    const layout = layOutPage(isWhole ? page : withWordsOf(page, kept), kept, style, contents[index]);
    options.onProgress((index + 1) / pages.length);
    return layout;
  });
  demoteLabels(layouts);
  demoteTitlePages(layouts, body);
  demoteColumnHeadings(layouts, body);
  demoteTerms(layouts, body);
  followBookmarks(layouts, options.outline, body);
  linkCells(layouts);
  placeCells(layouts);
  joinTables(layouts);
  return blocksOf(layouts, ready, { body, vocabulary, outline: options.outline });
}

const withWordsOf = (page: PageContent, lines: readonly Line[]): PageContent => ({
  ...page,
  words: lines.flatMap((line) => line.words),
});
