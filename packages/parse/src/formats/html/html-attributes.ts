import type { DefaultTreeAdapterTypes } from 'parse5';

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((it) => it.name === name)?.value;
}

/** Returns a span attribute as browsers read it: leading digits, or 1 if there are none. */
export function spanOf(element: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(attribute(element, name) ?? '1', 10);
  if (!Number.isFinite(value) || value < 0) return 1;
  // rowspan="0" extends to the end of the row group; the tree cuts it at the end of the table.
  if (value === 0) return name === 'rowspan' ? 65_534 : 1;
  return Math.min(value, name === 'rowspan' ? 65_534 : 1000);
}

const NEVER_SHOWN = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'iframe',
  'frame',
  'frameset',
  'noframes',
  'audio',
  'video',
  'canvas',
  'datalist',
  'param',
  'source',
  'track',
  'area',
  'noembed',
]);

/** Returns whether browsers hide the element because of its type, an attribute or its own style. */
export function isHidden(element: HtmlElement): boolean {
  if (NEVER_SHOWN.has(element.tagName)) return element.tagName !== 'script' || mathScript(element) === undefined;
  if (element.attrs.length === 0) return element.tagName === 'dialog';
  if (attribute(element, 'hidden') !== undefined) return attribute(element, 'hidden') !== 'until-found';
  if (element.tagName === 'dialog') return attribute(element, 'open') === undefined;
  if (element.tagName === 'input') return /^(?:hidden|password|image)$/i.test(attribute(element, 'type') ?? '');
  if (isShownOtherwise(element, attribute(element, 'class') ?? '')) return true;
  const style = attribute(element, 'style');
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style);
}

const MAX_SIBLINGS = 1000;

/**
 * Returns whether the element only repeats another one visually: formulas drawn by KaTeX and MathJax, and MediaWiki's
 * edit links.
 */
function isShownOtherwise(element: HtmlElement, names: string): boolean {
  if (/(?:^|\s)katex-html(?:\s|$)/.test(names)) return true;
  const parent = element.parentNode;
  if (parent === null) return false;
  if (/(?:^|\s)mw-editsection(?:\s|$)/.test(names)) return /^h[1-6]$/.test(parent.nodeName);
  // The search is linear in the number of siblings, and paragraphs do not have thousands.
  if (!/(?:^|\s)MathJax(?:_\w+)?(?:\s|$)/.test(names) || parent.childNodes.length > MAX_SIBLINGS) return false;
  const from = parent.childNodes.indexOf(element) + 1;
  return parent.childNodes.slice(from, from + 3).some((node) => isElement(node) && mathScript(node) !== undefined);
}

/** Returns the kind of formula if the script element holds TeX for MathJax. */
export function mathScript(element: HtmlElement): 'inline' | 'display' | undefined {
  const type = attribute(element, 'type') ?? '';
  if (!/^math\/tex\b/i.test(type)) return undefined;
  return /mode\s*=\s*display/i.test(type) ? 'display' : 'inline';
}

const CHROME_TAGS = new Set(['nav', 'aside', 'footer']);
const CHROME_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'menubar', 'dialog']);
const CHROME_NAMES =
  /(?:^|[\s_-])(?:nav(?:bar|igation)?|menu|breadcrumbs?|sidebar|footer|cookies?|consent|banner|share|social|advert(?:isement)?|ads?|promo|newsletter|popup|modal|skip-?link)(?:$|[\s_-])/i;

/**
 * Returns whether the element is navigation, a banner, a side bar or similar. Used only if the caller removes
 * boilerplate.
 */
export function isBoilerplate(element: HtmlElement): boolean {
  const { tagName } = element;
  if (tagName === 'body' || tagName === 'html' || tagName === 'main' || tagName === 'article') return false;
  if (CHROME_TAGS.has(tagName)) return true;
  const parent = element.parentNode;
  const atTop = parent !== null && 'tagName' in parent && parent.tagName === 'body';
  if (tagName === 'header' && atTop) return true;
  if (CHROME_ROLES.has(attribute(element, 'role')?.toLowerCase() ?? '')) return true;
  return CHROME_NAMES.test(attribute(element, 'class') ?? '') || CHROME_NAMES.test(attribute(element, 'id') ?? '');
}

/** Elements that a browser puts on lines of their own and that have no other meaning here. */
export const BLOCK_TAGS = new Set([
  'address',
  'article',
  'aside',
  'body',
  'center',
  'details',
  'dialog',
  'div',
  'fieldset',
  'footer',
  'form',
  'header',
  'hgroup',
  'hr',
  'html',
  'legend',
  'main',
  'nav',
  'optgroup',
  'option',
  'p',
  'search',
  'section',
  'summary',
  'tbody',
  'tfoot',
  'thead',
  'rtc',
]);
