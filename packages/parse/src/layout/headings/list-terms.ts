/**
 * Finds headings that are terms of a list: bold lines above text that is indented, in a document whose running text is
 * flush with them. Below the headings of a section, text is flush with the titles, or all text is indented.
 */
import { isNumbered, LARGER, sizeRatio, type BodyStyle } from './headings.ts';
import { demote, styleOf, taggedLevel, textOfElement } from './repeated-labels.ts';
import type { PageElement, PageLayout, TextElement } from '../page/page-layout.ts';
import { groupBy } from '../statistics.ts';

/** Minimum and maximum indentation of the text below a term, in sizes of the term. */
const MIN_INDENT = 1;
const MAX_INDENT = 6;
/** Maximum distance of a term and its text, in sizes of the term. */
const MAX_GAP = 1;
/** Minimum number of terms of a style, and their minimum share of its headings. */
const MIN_TERMS = 3;
const MIN_SHARE = 0.6;
/** Minimum share of the pages with terms that have running text flush with them. */
const MIN_FLUSH = 0.3;
/** Maximum distance of edges that are flush, in sizes. */
const FLUSH = 0.4;

interface Candidate {
  element: TextElement;
  /** Elements of the same page. */
  beside: readonly PageElement[];
  isTerm: boolean;
}

/** Turns headings that are terms into paragraphs. */
export function demoteTerms(layouts: readonly PageLayout[], body: BodyStyle): void {
  const candidates = layouts.flatMap(({ elements }) =>
    elements.flatMap((element, index): Candidate[] =>
      element.kind === 'heading' && isSmall(element, body)
        ? [{ element, beside: elements, isTerm: isAboveIndented(element, elements[index + 1]) }]
        : [],
    ),
  );
  for (const group of groupBy(candidates, ({ element }) => styleOf(element)).values()) {
    const terms = group.filter(({ isTerm }) => isTerm);
    if (terms.length < MIN_TERMS || terms.length < MIN_SHARE * group.length) continue;
    const pages = [...groupBy(terms, ({ beside }) => beside).values()];
    const flush = pages.filter(([term]) => term !== undefined && hasFlushText(term));
    if (flush.length < MIN_FLUSH * pages.length) continue;
    for (const { element } of group) demote(element);
  }
}

const isSmall = (element: TextElement, body: BodyStyle): boolean =>
  sizeRatio(element.group, body) < LARGER &&
  element.group.lines.length === 1 &&
  taggedLevel(element) === undefined &&
  !isNumbered(textOfElement(element));

function isAboveIndented({ group }: TextElement, next: PageElement | undefined): boolean {
  if (next === undefined || next.kind === 'heading') return false;
  const indent = (next.x0 - group.x0) / group.size;
  const gap = (next.y0 - group.y1) / group.size;
  return indent >= MIN_INDENT && indent <= MAX_INDENT && gap > -1 && gap < MAX_GAP;
}

/** Checks for running text of several lines that begins at the edge of the term. */
const hasFlushText = ({ element: { group }, beside }: Candidate): boolean =>
  beside.some(
    (other) =>
      other.kind === 'paragraph' && other.group.lines.length > 1 && Math.abs(other.x0 - group.x0) < FLUSH * group.size,
  );
