/**
 * Compares headings with the document's bookmarks. The title of a bookmark is a heading in any style, and a style of
 * the running text's size that no bookmark names is one of labels or terms.
 */
import { isNumbered, sizeRatio, LARGER, type BodyStyle } from './headings.ts';
import { headingsOf, styleOf, demote, taggedLevel, textOfElement, type PlacedHeading } from './repeated-labels.ts';
import type { PageLayout, TextElement } from '../page/page-layout.ts';
import { groupBy } from '../statistics.ts';

/** A bookmark of the document outline. */
export interface OutlineEntry {
  title: string;
  /** From 1. */
  level: number;
  /** Target page, from 1; 0 if the bookmark has no target. */
  page: number;
}

/** Maximum number of lines of a bookmarked title. */
const MAX_LINES = 4;
/** Minimum number of headings with a bookmark, and their minimum share of all bookmarks with a target. */
const MIN_BOOKMARKED = 5;
const MIN_SHARE = 0.3;
/** Minimum number of headings of a style that is judged. */
const MIN_OF_STYLE = 3;
/** Number at the start of a title, which bookmarks may lack. */
const NUMBER = /^(?:\d{1,2}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,5})\.?\s+/;

/** Returns the letters and digits of a title, which may differ in punctuation from its bookmark. */
export const titleKey = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Returns the keys of a title with and without its number. */
const keysOf = (title: string): string[] =>
  [...new Set([title, title.trim().replace(NUMBER, '')].map(titleKey))].filter((key) => key !== '');

/** Makes bookmarked titles headings, and headings in the style of labels paragraphs. Tagged headings stay. */
export function followBookmarks(
  layouts: readonly PageLayout[],
  outline: readonly OutlineEntry[],
  body: BodyStyle,
): void {
  const entries = outline.filter(({ page }) => page > 0);
  if (entries.length === 0) return;
  const bookmarked = bookmarkedHeadings(headingsOf(layouts), entries);
  const found = new Set(bookmarked.values());
  promoteTitles(
    layouts,
    entries.filter((entry) => !found.has(entry)),
  );
  if (found.size >= Math.max(MIN_BOOKMARKED, MIN_SHARE * entries.length))
    demoteUnmarkedStyles(headingsOf(layouts), new Set(bookmarked.keys()), body);
}

/** Returns the headings with a bookmark to their page or the one before or after it. */
function bookmarkedHeadings(
  headings: readonly PlacedHeading[],
  entries: readonly OutlineEntry[],
): Map<TextElement, OutlineEntry> {
  const byKey = groupBy(
    entries.flatMap((entry) => keysOf(entry.title).map((key) => ({ entry, key }))),
    ({ key }) => key,
  );
  const found = new Map<TextElement, OutlineEntry>();
  const used = new Set<OutlineEntry>();
  for (const { element, page, text } of headings) {
    const candidates = keysOf(text).flatMap((key) => byKey.get(key) ?? []);
    const match = candidates.find(({ entry }) => !used.has(entry) && Math.abs(entry.page - page) <= 1);
    if (match === undefined) continue;
    used.add(match.entry);
    found.set(element, match.entry);
  }
  return found;
}

/** Makes the largest text of a page with the title of its bookmark a heading. */
function promoteTitles(layouts: readonly PageLayout[], entries: readonly OutlineEntry[]): void {
  const pages = new Map(layouts.map((layout) => [layout.page.number, layout.elements]));
  for (const { title, page } of entries) {
    const keys = keysOf(title);
    const [largest] = (pages.get(page) ?? [])
      .filter(
        (element): element is TextElement =>
          (element.kind === 'paragraph' || element.kind === 'listItem' || element.kind === 'code') &&
          element.group.lines.length <= MAX_LINES &&
          keysOf(textOfElement(element)).some((key) => keys.includes(key)),
      )
      .toSorted((a, b) => b.group.size - a.group.size);
    if (largest !== undefined) largest.kind = 'heading';
  }
}

/** Makes headings paragraphs whose style, of the running text's size, has no bookmark. */
function demoteUnmarkedStyles(
  headings: readonly PlacedHeading[],
  bookmarked: ReadonlySet<TextElement>,
  body: BodyStyle,
): void {
  const small = headings.filter(
    ({ element, text }) =>
      sizeRatio(element.group, body) < LARGER && !isNumbered(text) && taggedLevel(element) === undefined,
  );
  for (const group of groupBy(small, ({ element }) => styleOf(element)).values()) {
    if (group.length < MIN_OF_STYLE || group.some(({ element }) => bookmarked.has(element))) continue;
    for (const { element } of group) demote(element);
  }
}
