import type { BlockDraft } from '../../content/block.ts';
import { mathmlToLatex } from './office/latex/mathml.ts';
import type { XmlElement, XmlNode } from './office/xml/xml-element.ts';
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

/** A `pre` element; the language is taken from the class names that highlighters and Markdown renderers write. */
export function codeBlock(element: HtmlElement): BlockDraft {
  const block: BlockDraft = { type: 'code', text: visibleText(element) };
  const parent = element.parentNode;
  const marked = [...element.childNodes.filter(isElement).filter((child) => child.tagName === 'code'), element];
  if (parent !== null && 'tagName' in parent) marked.push(parent);
  for (const candidate of marked) {
    const name = /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#.-]+)/.exec(
      attribute(candidate, 'class') ?? '',
    );
    if (name?.[1] !== undefined) {
      block.language = name[1];
      break;
    }
  }
  return block;
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

/** TeX when the page carries it (an annotation, the alternative text, a MathJax script), else made of the MathML. */
export function mathText(element: HtmlElement): MathText {
  const script = mathScript(element);
  if (script !== undefined) return { text: rawText(element).trim(), display: script === 'display' };
  const annotation = descendants(
    element,
    (it) =>
      it.tagName === 'annotation' && /^(?:application\/x-|text\/)(?:la)?tex$/i.test(attribute(it, 'encoding') ?? ''),
  )[0];
  const tex = annotation === undefined ? attribute(element, 'alttext') : rawText(annotation);
  const text = tex ?? mathmlToLatex(asXml(element, 0));
  return { text: text.trim(), display: attribute(element, 'display') === 'block' };
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
