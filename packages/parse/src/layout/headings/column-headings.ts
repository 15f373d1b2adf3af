/** Finds headings that are the headings of columns: small titles side by side, without text between them. */
import { isNumbered, LARGE, sizeRatio, type BodyStyle } from './headings.ts';
import { demote, taggedLevel, textOfElement } from './repeated-labels.ts';
import type { PageElement, PageLayout, TextElement } from '../page/page-layout.ts';

/** Maximum distance of the baselines, in sizes. */
const SAME_LINE = 0.3;

/** Turns headings that follow each other on one line into paragraphs. */
export function demoteColumnHeadings(layouts: readonly PageLayout[], body: BodyStyle): void {
  for (const { elements } of layouts) {
    const found = new Set<TextElement>();
    elements.forEach((element, index) => {
      const next = elements[index + 1];
      if (next === undefined || !isSmall(element, body) || !isSmall(next, body) || !areLevel(element, next)) return;
      found.add(element).add(next);
    });
    for (const element of found) demote(element);
  }
}

const isSmall = (element: PageElement, body: BodyStyle): element is TextElement =>
  element.kind === 'heading' &&
  element.group.lines.length === 1 &&
  sizeRatio(element.group, body) < LARGE &&
  taggedLevel(element) === undefined &&
  !isNumbered(textOfElement(element));

const areLevel = ({ group: a }: TextElement, { group: b }: TextElement): boolean =>
  Math.abs((a.lines[0]?.baseline ?? 0) - (b.lines[0]?.baseline ?? Infinity)) < SAME_LINE * a.size;
