import { mathmlToLatex } from '../../latex/mathml.ts';
import type { XmlElement, XmlNode } from '../../office/xml/xml-element.ts';
import { attribute, type HtmlElement, type HtmlNode, isElement, isHidden, mathScript } from './html-attributes.ts';

/** All text in the element that is shown, its white space as it is; `<br>` becomes a line break. */
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

/** Alternative text of a picture; of a drawing its title and its lettering. */
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
  /** Stands on a line of its own. */
  display: boolean;
}

/** A picture of a formula (MediaWiki, Sphinx) that has its TeX as alternative text. */
export function isMathPicture(element: HtmlElement): boolean {
  const name = attribute(element, 'class') ?? '';
  return element.tagName === 'img' && /(?:^|\s)(?:math|tex|latex|mwe-math-fallback-image-\w+)(?:\s|$)/.test(name);
}

/** TeX when the page carries it (an annotation, the alternative text, a MathJax script), else made of the MathML. */
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

/** MediaWiki wraps each formula into its style. */
function undisplayed(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle)\b\s*([^]*)\}$/.exec(tex.trim())?.[1]?.trim() ?? tex.trim();
}

/** Deeper formulas are none; what turns MathML into LaTeX calls itself. */
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

const RAISED = new Map(Object.entries({ '+': '⁺', '-': '⁻', '−': '⁻', '=': '⁼', '(': '⁽', ')': '⁾', n: 'ⁿ', i: 'ⁱ' }));
const LOWERED = new Map(Object.entries({ '+': '₊', '-': '₋', '−': '₋', '=': '₌', '(': '₍', ')': '₎' }));
Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹').forEach((digit, value) => RAISED.set(String(value), digit));
Array.from('₀₁₂₃₄₅₆₇₈₉').forEach((digit, value) => LOWERED.set(String(value), digit));

/** Raised or lowered characters when all of the text has them, else the text as it is. Same length either way. */
export function scriptDigits(text: string, kind: 'sup' | 'sub'): string {
  const table = kind === 'sup' ? RAISED : LOWERED;
  const mapped = Array.from(text, (character) => table.get(character));
  return mapped.includes(undefined) ? text : mapped.join('');
}
