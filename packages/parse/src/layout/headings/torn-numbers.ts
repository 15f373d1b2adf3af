/** Joins headings with their numbers, which many templates set on a line of their own: `Chapter 2`, `Prerequisites`. */
import { boundsOf, overlapX } from '../geometry.ts';
import { textOf } from '../lines/line.ts';
import type { PageElement, TextElement } from '../page/page-layout.ts';
import { CHAPTER, LARGE, sizeRatio, type BodyStyle } from './headings.ts';

const BARE_NUMBER = /^(?:\d{1,2}(?:\.\d{1,3}){0,4}|[IVX]{1,5}|[A-H])\.?$/;
/** Maximum length, in characters, of a chapter's number without its title. */
const MAX_NUMBER = 20;
/** Maximum distance of title and number, in sizes of the title. */
const MAX_GAP = 3.5;

export function joinTornNumbers(elements: readonly PageElement[], body: BodyStyle): PageElement[] {
  const joined: PageElement[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    if (element.kind === 'heading' && last !== undefined && isNumber(last, body) && isTitleOf(element, last))
      joined[joined.length - 1] = merged(last, element);
    else joined.push(element);
  }
  return joined;
}

function isNumber(element: PageElement, body: BodyStyle): element is TextElement {
  if (!('group' in element)) return false;
  const { group } = element;
  const text = group.lines.map((line) => textOf(line.words)).join(' ');
  if (CHAPTER.test(text) && text.length <= MAX_NUMBER) return /[\d章A-Z]\.?$/u.test(text);
  return BARE_NUMBER.test(text) && (group.bold || sizeRatio(group, body) >= LARGE);
}

/** Checks for a heading right below or beside the number. */
function isTitleOf(title: TextElement, number: TextElement): boolean {
  const text = title.group.lines.map((line) => textOf(line.words)).join(' ');
  if (CHAPTER.test(text) || /^\d/.test(text)) return false;
  const { size } = title.group;
  const below = title.y0 - number.y1;
  const isBelow = below > -0.5 * size && below < MAX_GAP * size && overlapX(title, number) > 0;
  const distance = Math.abs((title.group.lines[0]?.baseline ?? 0) - (number.group.lines[0]?.baseline ?? Infinity));
  return isBelow || (distance < 0.4 * size && title.x0 > number.x1);
}

/** Returns one heading in the style of the title. */
function merged(number: TextElement, title: TextElement): TextElement {
  const box = boundsOf([number, title]);
  const lines = [...number.group.lines, ...title.group.lines];
  const group = { ...title.group, ...box, lines, order: number.group.order };
  return { ...title, ...box, order: number.order, weight: number.weight + title.weight, group };
}
