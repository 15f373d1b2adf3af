/** Converts MathML (OpenDocument formulas) to LaTeX. An unknown element yields its content. */
import { attribute, child, childElements, textOf } from '../office/xml/xml-element.ts';
import type { XmlElement } from '../office/xml/xml-element.ts';
import { latexAccent, latexText, OPERATORS } from './symbols.ts';

export function mathmlToLatex(element: XmlElement): string {
  return write(element)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[{}^_)\]&]|$)/g, '')
    .trim();
}

const local = (element: XmlElement): string => element.name.slice(element.name.indexOf(':') + 1);

function all(element: XmlElement): string {
  return childElements(element).map(write).join('');
}

/** Returns the argument with this index in braces. */
function argument(element: XmlElement, index: number): string {
  const found = childElements(element)[index];
  return `{${found ? write(found).trim() : ''}}`;
}

const base = (element: XmlElement): string => argument(element, 0).replace(/^\{(\\[a-zA-Z]+|[^\\{}\s])\}$/u, '$1');

function write(element: XmlElement): string {
  switch (local(element)) {
    case 'semantics':
      return childElements(element).slice(0, 1).map(write).join('');
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'mi':
    case 'mn':
    case 'mo': {
      const text = textOf(element).trim();
      return OPERATORS.has(text) ? `\\${text} ` : latexText(text);
    }
    case 'mtext':
      return `\\text{${textOf(element)}}`;
    case 'mspace':
      return ' ';
    case 'mfrac':
      return `\\frac${argument(element, 0)}${argument(element, 1)}`;
    case 'msqrt':
      return `\\sqrt{${all(element)}}`;
    case 'mroot':
      return `\\sqrt[${argument(element, 1).slice(1, -1)}]${argument(element, 0)}`;
    case 'mtable':
      return `\\begin{matrix}${childElements(element).map(tableRow).join(' \\\\ ')}\\end{matrix}`;
    case 'mfenced':
      return fenced(element);
    default:
      return script(element);
  }
}

function script(element: XmlElement): string {
  switch (local(element)) {
    case 'msup':
      return `${base(element)}^${argument(element, 1)}`;
    case 'msub':
    case 'munder':
      return `${base(element)}_${argument(element, 1)}`;
    case 'msubsup':
    case 'munderover':
      return `${base(element)}_${argument(element, 1)}^${argument(element, 2)}`;
    case 'mover': {
      const mark = textOf(childElements(element)[1]).trim();
      if (attribute(element, 'accent') !== 'true') return `${base(element)}^${argument(element, 1)}`;
      return `\\${latexAccent(mark)}${argument(element, 0)}`;
    }
    default:
      return all(element);
  }
}

const tableRow = (row: XmlElement): string =>
  childElements(row)
    .map((cell) => write(cell).trim())
    .join(' & ');

function fenced(element: XmlElement): string {
  const inner = childElements(element)
    .map((each) => write(each).trim())
    .join(', ');
  const row = child(element, 'math:mrow');
  const content = row && childElements(element).length === 1 ? write(row).trim() : inner;
  return `\\left${latexText(attribute(element, 'open') ?? '(')}${content}\\right${latexText(attribute(element, 'close') ?? ')')}`;
}
