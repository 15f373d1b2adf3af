import { attribute, type HtmlElement } from './html-attributes.ts';
import { visibleText } from './html-leaf.ts';

/** Returns 1 to 6, or the value of `aria-level`, for elements that are headings by tag or role. */
export function headingLevel(element: HtmlElement): number | undefined {
  if (/^h[1-6]$/.test(element.tagName)) return Number(element.tagName.slice(1));
  if (attribute(element, 'role') !== 'heading') return undefined;
  const level = Number(attribute(element, 'aria-level'));
  return Number.isInteger(level) && level > 0 ? level : 2;
}

/** Signs of permalinks, including private-use characters and zero-width spaces that icon fonts leave. */
const PERMALINK = /^(?:[¶#§∞🔗⚓◆]\ufe0f?|[\p{Co}\u200b]+)$/u;
const PERMALINK_CLASS =
  /(?:^|\s)(?:header-?link|perma-?link|anchor(?:js-link|-link)?|hash-link|heading-?(?:link|anchor))(?:\s|$)/i;
const LABELLED = /^(?:h[1-6]|dt|caption|figcaption)$/;

/**
 * Returns whether the link consists of one sign and leads to the heading, term or caption that contains it.
 * Documentation tools add such links.
 */
export function isPermalink(link: HtmlElement): boolean {
  if (attribute(link, 'href')?.startsWith('#') !== true || !PERMALINK.test(visibleText(link).trim())) return false;
  return PERMALINK_CLASS.test(attribute(link, 'class') ?? '') || standsInLabel(link);
}

const MAX_STEPS_UP = 5;

function standsInLabel(element: HtmlElement): boolean {
  let parent = element.parentNode;
  for (let step = 0; step < MAX_STEPS_UP && parent !== null && 'tagName' in parent; step += 1) {
    if (LABELLED.test(parent.tagName)) return true;
    parent = parent.parentNode;
  }
  return false;
}
