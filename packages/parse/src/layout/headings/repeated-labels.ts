/**
 * Finds headings that are labels, such as `Note` or `Tip`: two sections of one parent do not have the same title,
 * whereas labels repeat within a section.
 */
import { tagOf } from './structure-tags.ts';
import { headingLevels } from './headings.ts';
import { textOf } from '../lines/line.ts';
import { listMarker } from '../lines/list-marker.ts';
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

export const textOfElement = ({ group: { lines } }: TextElement): string =>
  lines.map((line) => textOf(line.words)).join(' ');

/** Turns a heading into text. */
export function demote(element: TextElement): void {
  element.kind = listMarker(textOfElement(element)) === undefined ? 'paragraph' : 'listItem';
}

/** Returns the level that a structure tag gives a heading. */
export function taggedLevel({ group: { lines } }: TextElement): number | undefined {
  const level = lines[0] && tagOf(lines[0])?.level;
  return level === 0 ? undefined : level;
}

export const headingsOf = (layouts: readonly PageLayout[]): PlacedHeading[] =>
  layouts.flatMap(({ page, elements }) =>
    elements
      .filter((element): element is TextElement => element.kind === 'heading')
      .map((element) => ({
        element,
        page: page.number,
        text: textOfElement(element),
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
  const repeated = [...groupBy(placed, ({ text, level }) => `${level}:${text.toLowerCase()}`).values()].filter(
    (group) => group.length >= MIN_REPEATS && group.every(({ text }) => text.length <= MAX_LABEL && !/\d/.test(text)),
  );
  const labels = repeated.filter(
    (group) => group[0]?.text.endsWith(':') === true || countSiblings(group, levels) >= MIN_SIBLINGS,
  );
  // Labels share a style: a rare one may not repeat within a section.
  const styles = new Set(labels.flatMap((group) => group.map(({ element }) => styleOf(element))));
  for (const { element } of repeated.filter((group) => group.every((own) => styles.has(styleOf(own.element)))).flat()) {
    if (taggedLevel(element) === undefined) demote(element);
  }
}

export const styleOf = ({ group: { size, bold, italic } }: TextElement): string =>
  `${Math.round(size)}:${bold}:${italic}`;

/** Counts the headings that follow one with the same title without a heading of a higher level between them. */
const countSiblings = (group: readonly { index: number; level: number }[], levels: readonly number[]): number =>
  group.filter(({ index, level }, at) => {
    const before = group[at - 1];
    return before !== undefined && levels.slice(before.index, index).every((between) => between >= level);
  }).length;
