/** Reads source code: `pre` elements, and tables or boxes of lines with line numbers. */
import type { BlockDraft } from '@quire/blocks/block';
import { attribute, type HtmlElement, type HtmlNode, isElement, isHidden } from './html-attributes.ts';
import { visibleText } from './html-leaf.ts';

const NUMBER_CLASS =
  /(?:^|[\s_-])(?:line-?no(?:div|s)?|line-?num(?:ber)?s?|lnt|lnum|gutter|blob-num|ln-num(?:ber)?s?)(?:$|[\s_-])/i;
const LINE_ELEMENTS = new Set(['div', 'li', 'p', 'tr']);
/** Elements whose direct white space is not part of the code. */
const LINE_CONTAINERS = new Set(['ol', 'ul', 'table', 'thead', 'tbody', 'tr']);

/** Returns whether the element holds only line numbers: it is marked as such and contains only digits. */
export function isLineNumbers(element: HtmlElement): boolean {
  if (attribute(element, 'data-line-number') !== undefined) return visibleText(element).trim() === '';
  const says =
    NUMBER_CLASS.test(attribute(element, 'class') ?? '') ||
    /user-select\s*:\s*none/i.test(attribute(element, 'style') ?? '');
  return says && /^[\d\s]+$/.test(visibleText(element));
}

/** Returns whether the element is code or contains lines of code (Doxygen's boxes, a table with one row per line). */
export function isListing(element: HtmlElement): boolean {
  const { tagName } = element;
  if (tagName === 'div') {
    if (!/(?:^|\s)fragment(?:\s|$)/.test(attribute(element, 'class') ?? '')) return false;
    const lines = element.childNodes.filter(isElement);
    return lines.length > 0 && lines.every((line) => attribute(line, 'class') === 'line');
  }
  if (tagName !== 'table') return false;
  const rows = rowsOf(element);
  return rows.length > 0 && rows.every(isNumberedLine);
}

/** Returns whether a cell holds the line numbers of the `pre` in the cell next to it: numbers that increase by one. */
export function isNumberColumn(cell: HtmlElement): boolean {
  if (!holdsPre(cell)) return false;
  const others = cell.parentNode?.childNodes.filter((node) => node !== cell && isElement(node)) ?? [];
  if (!others.some((other) => isElement(other) && holdsPre(other))) return false;
  const numbers = visibleText(cell).trim().split(/\s+/).map(Number);
  return numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
}

/** Returns whether the element or a box in it is a `pre`. */
function holdsPre(element: HtmlElement): boolean {
  const inside = element.childNodes.filter(isElement);
  const boxes = inside.flatMap((child) => (child.tagName === 'div' ? child.childNodes.filter(isElement) : []));
  return [...inside, ...boxes].some((child) => child.tagName === 'pre');
}

function rowsOf(table: HtmlElement): HtmlElement[] {
  const parts = table.childNodes.filter(isElement);
  return parts.flatMap((part) => (part.tagName === 'tbody' ? part.childNodes.filter(isElement) : [part]));
}

function isNumberedLine(row: HtmlElement): boolean {
  const [number, code, ...more] = row.childNodes.filter(isElement);
  if (code === undefined || holdsPre(code)) return false;
  return row.tagName === 'tr' && number !== undefined && more.length === 0 && isLineNumbers(number);
}

/** Returns a code block. The language comes from class names that highlighters and Markdown renderers write. */
export function codeBlock(element: HtmlElement): BlockDraft {
  const block: BlockDraft = { type: 'code', text: codeText(element) };
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

/**
 * Returns the visible text without line numbers and buttons. Elements that browsers put on a line of their own become
 * lines.
 */
function codeText(element: HtmlElement): string {
  const code = new Code(element);
  const todo: (HtmlNode | (() => void))[] = element.childNodes.toReversed();
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (typeof next === 'function') next();
    else if (!isElement(next)) code.addText(next);
    else if (next.tagName === 'br') code.text += '\n';
    else if (isLineNumbers(next)) code.afterNumber = true;
    else if (!isHidden(next) && next.tagName !== 'button') {
      if (LINE_ELEMENTS.has(next.tagName)) todo.push(code.line());
      for (const child of next.childNodes.toReversed()) todo.push(child);
    }
  }
  return code.text;
}

class Code {
  text = '';
  /** True after a skipped line number; the space that separates it from its line is skipped as well. */
  afterNumber = false;
  private isOpen = false;
  private readonly root: HtmlElement;

  constructor(root: HtmlElement) {
    this.root = root;
  }

  addText(node: HtmlNode): void {
    if (node.nodeName !== '#text' || !('value' in node)) return;
    const parent = node.parentNode;
    const isHolder = parent === this.root ? parent.nodeName !== 'pre' : LINE_CONTAINERS.has(parent?.nodeName ?? '');
    if (isHolder && node.value.trim() === '') return;
    const value = this.afterNumber ? node.value.replace(/^\u00a0/, '') : node.value;
    this.afterNumber = false;
    this.breakLine();
    this.text += value.replaceAll('\u00a0', ' ');
  }

  /** Begins a line, which may be empty, and returns a function that ends it. */
  line(): () => void {
    this.breakLine();
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += '\n';
    const start = this.text.length;
    return () => {
      this.breakLine();
      this.isOpen = this.text.length > start ? !this.text.endsWith('\n') : true;
    };
  }

  private breakLine(): void {
    if (this.isOpen) this.text += '\n';
    this.isOpen = false;
  }
}
