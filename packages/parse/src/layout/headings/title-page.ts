/** Finds the subtitles, authors, versions and dates of a title page, which are no headings. */
import { isNumbered, LARGE, sizeRatio, type BodyStyle } from './headings.ts';
import { demote, taggedLevel, textOfElement } from './repeated-labels.ts';
import { centreX, width } from '../geometry.ts';
import type { PageElement, PageLayout, TextElement } from '../page/page-layout.ts';

/** Minimum size of a title relative to the running text, and of text as large as the title. */
const TITLE_RATIO = 1.4;
const SAME_SIZE = 0.95;
/** Maximum number of text elements of a page without running text that is a title page. */
const MAX_ON_TITLE_PAGE = 12;
/** Number of lines that makes running text. */
const TEXT_LINES = 3;
/** Maximum distance of the centres of centred lines, as a share of the page width. */
const CENTRED = 0.01;

/** Release or version of a volume. */
const COLOPHON = /^(?:release|version|edition|revision|ausgabe|fassung|versi[óo]n|vers[ãa]o|versione)\s+\d/iu;

const isDatedRelease = (text: string): boolean => COLOPHON.test(text) && /\b\d{4}\)?$/.test(text);

/** Turns headings of title pages that are no titles into paragraphs. */
export function demoteTitlePages(layouts: readonly PageLayout[], body: BodyStyle): void {
  demoteFirstPage(layouts, body);
  // The title pages of further volumes may be those of parts, whose lines are titles.
  for (const { elements } of layouts.slice(1)) {
    if (!isTitlePage(elements)) continue;
    const [title, ...others] = elements.filter((element): element is TextElement => element.kind === 'heading');
    for (const element of others) {
      const isSmaller = title !== undefined && element.group.size < SAME_SIZE * title.group.size;
      if (isSmaller && taggedLevel(element) === undefined && COLOPHON.test(textOfElement(element))) demote(element);
    }
  }
}

/** Turns headings of the first page that follow its title and have no text of their own into paragraphs. */
function demoteFirstPage(layouts: readonly PageLayout[], body: BodyStyle): void {
  const [first] = layouts;
  if (first === undefined || layouts.length < 2) return;
  const { elements, page } = first;
  const headings = elements.filter((element): element is TextElement => element.kind === 'heading');
  const size = Math.max(...headings.map(({ group }) => group.size));
  const title = headings.find(({ group }) => group.size === size);
  if (title === undefined || sizeRatio(title.group, body) < TITLE_RATIO) return;
  const isCover = isTitlePage(elements);
  const isCentred = (element: PageElement): boolean =>
    Math.abs(centreX(element) - centreX(title)) < CENTRED * page.width &&
    width(element) < 0.9 * width(title) + page.width / 4;
  for (let index = elements.indexOf(title) + 1; index < elements.length; index++) {
    const element = elements[index];
    if (element?.kind !== 'heading' || element.group.size >= SAME_SIZE * size) continue;
    if (isNumbered(textOfElement(element)) || taggedLevel(element) !== undefined) continue;
    if (index === elements.indexOf(title) + 1 && isDatedRelease(textOfElement(element))) demote(element);
    if (!isCover && !isCentred(element)) continue;
    if (!leadsText(elements[index + 1], body)) demote(element);
  }
}

/** Checks for a page with few lines and no running text, tables or fields. */
function isTitlePage(elements: readonly PageElement[]): boolean {
  const texts = elements.filter((element): element is TextElement => 'group' in element);
  return (
    texts.length <= MAX_ON_TITLE_PAGE &&
    texts.every(({ kind, group }) => (kind !== 'entry' && group.lines.length < TEXT_LINES) || kind === 'heading') &&
    elements.every(({ kind }) => kind !== 'table' && kind !== 'field')
  );
}

/** Checks for an element that has a heading: running text, a list, a table. */
function leadsText(next: PageElement | undefined, body: BodyStyle): boolean {
  if (next === undefined || next.kind === 'heading' || next.kind === 'figure') return false;
  if (next.kind !== 'paragraph') return true;
  return next.group.lines.length > 1 && sizeRatio(next.group, body) < LARGE;
}
