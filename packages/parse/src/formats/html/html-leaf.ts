import { mathmlToLatex } from '../../latex/mathml.ts';
import type { XmlElement, XmlNode } from '../../office/xml/xml-element.ts';
import { attribute, type HtmlElement, type HtmlNode, isElement, isHidden, mathScript } from './html-attributes.ts';

/** Returns the visible text of the element with its white space; `<br>` becomes a line break. */
export function visibleText(element: HtmlElement): string {
  const parts: string[] = [];
  const todo: HtmlNode[] = element.childNodes.toReversed();
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (isElement(node)) {
      if (node.tagName === 'br') parts.push('\n');
      else if (!isHidden(node)) for (const child of node.childNodes.toReversed()) todo.push(child);
    } else if (node.nodeName === '#text' && 'value' in node) {
      parts.push(node.value);
    }
  }
  return parts.join('');
}

function descendants(element: HtmlElement, test: (element: HtmlElement) => boolean): HtmlElement[] {
  const found: HtmlElement[] = [];
  const todo: HtmlNode[] = [...element.childNodes];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (!isElement(node)) continue;
    if (test(node)) found.push(node);
    for (const child of node.childNodes) todo.push(child);
  }
  return found.toReversed();
}

/** Returns the alternative text of an image, or the title and text of a drawing. */
export function pictureText(element: HtmlElement): string {
  if (element.tagName === 'img') return attribute(element, 'alt') ?? '';
  const label = attribute(element, 'aria-label');
  if (label !== undefined) return label;
  return descendants(element, (it) => it.tagName === 'title' || it.tagName === 'text')
    .map((it) => visibleText(it).trim())
    .join(' ');
}

interface MathText {
  text: string;
  /** True if the formula is on a line of its own. */
  display: boolean;
}

/** Returns whether the element is an image of a formula with its TeX as alternative text (MediaWiki, Sphinx). */
export function isMathPicture(element: HtmlElement): boolean {
  const name = attribute(element, 'class') ?? '';
  return element.tagName === 'img' && /(?:^|\s)(?:math|tex|latex|mwe-math-fallback-image-\w+)(?:\s|$)/.test(name);
}

/**
 * Returns the TeX that the page provides (an annotation, the alternative text, a MathJax script), else converts the
 * MathML.
 */
export function mathText(element: HtmlElement): MathText {
  const script = mathScript(element);
  if (script !== undefined) return { text: rawText(element).trim(), display: script === 'display' };
  if (element.tagName === 'img') {
    const display = /-display(?:\s|$)/.test(attribute(element, 'class') ?? '');
    return { text: undisplayed(pictureText(element)), display };
  }
  const annotation = descendants(
    element,
    (it) =>
      it.tagName === 'annotation' && /^(?:application\/x-|text\/)(?:la)?tex$/i.test(attribute(it, 'encoding') ?? ''),
  )[0];
  const tex = annotation === undefined ? attribute(element, 'alttext') : rawText(annotation);
  const text = tex ?? mathmlToLatex(asXml(element, 0));
  return { text: undisplayed(text), display: attribute(element, 'display') === 'block' };
}

/** Removes the style that MediaWiki wraps around each formula. */
function undisplayed(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle)\b\s*([^]*)\}$/.exec(tex.trim())?.[1]?.trim() ?? tex.trim();
}

/** Maximum nesting of a formula; deeper MathML is ignored, because the conversion is recursive. */
const MAX_MATH_DEPTH = 200;

function asXml(element: HtmlElement, depth: number): XmlElement {
  const shown = depth < MAX_MATH_DEPTH ? element.childNodes : [];
  return {
    name: `math:${element.tagName}`,
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    children: shown.flatMap((node): XmlNode[] => {
      if (isElement(node)) return isHidden(node) ? [] : [asXml(node, depth + 1)];
      return 'value' in node && node.nodeName === '#text' ? [node.value] : [];
    }),
  };
}

function rawText(element: HtmlElement): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}
