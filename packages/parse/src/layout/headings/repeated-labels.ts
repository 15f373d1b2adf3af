/**
 * Finds headings that are labels, such as `Note` or `Tip`: two sections of one parent do not have the same title,
 * whereas labels repeat within a section.
 */
import { tagOf } from './structure-tags.ts';
import { headingLevels } from './headings.ts';
import { textOf } from '../lines/line.ts';
import type { PageLayout, TextElement } from '../page/page-layout.ts';
import { groupBy } from '../statistics.ts';

/** Minimum number of headings with the title, and of those that follow another one within the same parent. */
const MIN_REPEATS = 3;
const MIN_SIBLINGS = 2;
/** Maximum length of a label, in characters. */
const MAX_LABEL = 40;

export interface PlacedHeading {
  element: TextElement;
  page: number;
  text: string;
}

export const headingsOf = (layouts: readonly PageLayout[]): PlacedHeading[] =>
  layouts.flatMap(({ page, elements }) =>
    elements
      .filter((element): element is TextElement => element.kind === 'heading')
      .map((element) => ({
        element,
        page: page.number,
        text: element.group.lines.map((line) => textOf(line.words)).join(' '),
      })),
  );

/** Returns the levels of headings by their styles and numbers. */
export const levelsByStyle = (headings: readonly PlacedHeading[]): number[] =>
  headingLevels(
    headings.map(({ element: { group }, text }) => ({
      size: group.size,
      bold: group.bold,
      italic: group.italic,
      text,
    })),
  );

/** Turns headings that are labels into paragraphs. Headings that a tag names stay. */
export function demoteLabels(layouts: readonly PageLayout[]): void {
  const headings = headingsOf(layouts);
  const levels = levelsByStyle(headings);
  const placed = headings.map((heading, index) => ({ ...heading, index, level: levels[index] ?? 1 }));
  for (const [key, group] of groupBy(placed, ({ text, level }) => `${level}:${text.toLowerCase()}`)) {
    if (group.length < MIN_REPEATS || key.length > MAX_LABEL || /\d/.test(group[0]?.text ?? '')) continue;
    const siblings = group.filter(({ index, level }, at) => {
      const before = group[at - 1];
      return before !== undefined && levels.slice(before.index, index).every((between) => between >= level);
    });
    if (siblings.length < MIN_SIBLINGS) continue;
    for (const { element } of group) {
      const [first] = element.group.lines;
      if (((first && tagOf(first)?.level) ?? 0) === 0) element.kind = 'paragraph';
    }
  }
}
