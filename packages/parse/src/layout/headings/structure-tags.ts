/**
 * Decides whether a document's structure tags are reliable. Some programs tag every paragraph as a heading, some only a
 * title, some half of the text (`docs/decisions/2026-11-21-tagged-pdfs.md`).
 */
import type { Line } from '../lines/line.ts';
import type { PageContent, Tag, Word } from '../page/page-content.ts';

/** Minimum share of a page's characters that are tagged. */
const COVERAGE = 0.9;
/** Maximum share of the document's characters in headings. */
const MAX_HEADING_SHARE = 0.2;
/** Maximum heading length, in characters. */
const MAX_HEADING_LENGTH = 200;
/** Maximum pages per tagged heading for which untagged text cannot be a heading. */
const PAGES_PER_HEADING = 2;

/**
 * Removes unreliable tags from the words. Returns true if headings are tagged so often that text with another tag is
 * not a heading.
 */
export function dropUnreliableTags(pages: readonly PageContent[]): boolean {
  const lengths = new Map<Tag, number>();
  let characters = 0;
  for (const page of pages) {
    if (coverage(page.words) < COVERAGE) {
      removeTags(page);
      continue;
    }
    for (const { tag, text } of page.words) {
      characters += text.length;
      if (tag !== undefined && tag.level > 0) lengths.set(tag, (lengths.get(tag) ?? 0) + text.length);
    }
  }
  const headings = [...lengths.values()];
  const total = headings.reduce((sum, length) => sum + length, 0);
  if (total === 0 || total > MAX_HEADING_SHARE * characters || Math.max(...headings) > MAX_HEADING_LENGTH) {
    pages.forEach(removeTags);
    return false;
  }
  return headings.length >= Math.max(2, pages.length / PAGES_PER_HEADING);
}

function removeTags(page: PageContent): void {
  for (const word of page.words) if (word.tag !== undefined) delete word.tag;
}

function coverage(words: readonly Word[]): number {
  let [tagged, total] = [0, 0];
  for (const { tag, text } of words) {
    total += text.length;
    if (tag !== undefined) tagged += text.length;
  }
  return total === 0 ? 0 : tagged / total;
}

export const tagOf = ({ words }: Line): Tag | undefined => words[0]?.tag;

/** Checks whether a heading element begins or ends between two words. */
export function separatesHeadings(a: Tag | undefined, b: Tag | undefined): boolean {
  if (a === b) return false;
  return (a?.level ?? 0) > 0 || (b?.level ?? 0) > 0;
}
