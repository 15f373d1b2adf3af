/**
 * Converts Office mathematics (OMML) to LaTeX. Each OMML element has one function; an unknown element yields its
 * content.
 */
import { attribute, child, childElements, childrenNamed, isOn, textOf } from '../office/xml/xml-element.ts';
import type { XmlElement } from '../office/xml/xml-element.ts';
import { latexAccent, latexSymbol, latexText, OPERATORS } from './symbols.ts';

/** Returns the LaTeX of an `m:oMath` element or any part of one. */
export function ommlToLatex(element: XmlElement): string {
  return tidy(content(element));
}

type Writer = (element: XmlElement) => string;

function content(element: XmlElement | undefined): string {
  return childElements(element).map(write).join('');
}

function write(element: XmlElement): string {
  const writer = WRITERS[element.name];
  if (writer) return writer(element);
  // Property elements have no content; all other unknown elements are wrappers.
  return element.name.endsWith('Pr') ? '' : content(element);
}

const part = (element: XmlElement, name: string): string => content(child(element, name)).trim();
const property = (element: XmlElement, properties: string, name: string): string | undefined =>
  attribute(child(child(element, properties), name), 'm:val');
const group = (latex: string): string => `{${latex}}`;

/** Returns the base of a script. A single letter or command needs no braces. */
function base(latex: string): string {
  return /^(?:[^\s\\{}]|\\[a-zA-Z]+)?$/u.test(latex) ? latex : group(latex);
}

const WRITERS: Readonly<Record<string, Writer>> = {
  'm:r': run,
  'm:f': fraction,
  'm:sSup': (element) => `${base(part(element, 'm:e'))}^${group(part(element, 'm:sup'))}`,
  'm:sSub': (element) => `${base(part(element, 'm:e'))}_${group(part(element, 'm:sub'))}`,
  'm:sSubSup': (element) =>
    `${base(part(element, 'm:e'))}_${group(part(element, 'm:sub'))}^${group(part(element, 'm:sup'))}`,
  'm:sPre': (element) =>
    `{}_${group(part(element, 'm:sub'))}^${group(part(element, 'm:sup'))}${base(part(element, 'm:e'))}`,
  'm:rad': radical,
  'm:nary': nary,
  'm:d': delimiters,
  'm:func': (element) => `${functionName(child(element, 'm:fName'))}${operand(part(element, 'm:e'))}`,
  'm:limLow': (element) => limit(element, '_', 'underset'),
  'm:limUpp': (element) => limit(element, '^', 'overset'),
  'm:acc': (element) => `\\${latexAccent(property(element, 'm:accPr', 'm:chr'))}${group(part(element, 'm:e'))}`,
  'm:bar': (element) =>
    `\\${property(element, 'm:barPr', 'm:pos') === 'bot' ? 'underline' : 'overline'}${group(part(element, 'm:e'))}`,
  'm:groupChr': (element) =>
    `\\${property(element, 'm:groupChrPr', 'm:chr') === '⏞' ? 'overbrace' : 'underbrace'}${group(part(element, 'm:e'))}`,
  'm:borderBox': (element) => `\\boxed${group(part(element, 'm:e'))}`,
  'm:m': (element) => environment('matrix', childrenNamed(element, 'm:mr').map(matrixRow)),
  'm:eqArr': (element) =>
    aligned(childrenNamed(element, 'm:e').map((row) => content(row).replaceAll('\\&', '&').trim())),
  'm:phant': (element) => `\\phantom${group(part(element, 'm:e'))}`,
};

function run(element: XmlElement): string {
  const text = childrenNamed(element, 'm:t').map(textOf).join('');
  const properties = child(element, 'm:rPr');
  if (isOn(child(properties, 'm:nor'), 'm:val') === true) return text.trim() === '' ? text : `\\text{${text}}`;
  if (OPERATORS.has(text.trim())) return `\\${text.trim()} `;
  return latexText(text);
}

function fraction(element: XmlElement): string {
  const [numerator, denominator] = [part(element, 'm:num'), part(element, 'm:den')];
  const type = property(element, 'm:fPr', 'm:type');
  // A fraction without a bar is the content of a binomial, whose brackets are separate delimiters.
  if (type === 'noBar') return group(`${numerator} \\atop ${denominator}`);
  if (type === 'lin') return `${numerator}/${denominator}`;
  return `\\frac${group(numerator)}${group(denominator)}`;
}

function radical(element: XmlElement): string {
  const degree = part(element, 'm:deg');
  return degree === '' ? `\\sqrt${group(part(element, 'm:e'))}` : `\\sqrt[${degree}]${group(part(element, 'm:e'))}`;
}

function nary(element: XmlElement): string {
  const [sub, sup] = [part(element, 'm:sub'), part(element, 'm:sup')];
  const symbol = latexSymbol(property(element, 'm:naryPr', 'm:chr') ?? '∫');
  return `${symbol}${sub === '' ? '' : `_${group(sub)}`}${sup === '' ? '' : `^${group(sup)}`}${operand(part(element, 'm:e'))}`;
}

function delimiters(element: XmlElement): string {
  const open = property(element, 'm:dPr', 'm:begChr') ?? '(';
  const close = property(element, 'm:dPr', 'm:endChr') ?? ')';
  const separator = property(element, 'm:dPr', 'm:sepChr') ?? '|';
  const inner = childrenNamed(element, 'm:e')
    .map((each) => content(each).trim())
    .join(latexSymbol(separator));
  return `\\left${bracket(open)}${inner}\\right${bracket(close)}`;
}

/** LaTeX writes a missing bracket as a dot. */
const bracket = (text: string): string => (text === '' ? '.' : latexSymbol(text));

function functionName(name: XmlElement | undefined): string {
  const latex = content(name).trim();
  return OPERATORS.has(latex) ? `\\${latex}` : latex;
}

function limit(element: XmlElement, script: string, stacked: string): string {
  const [inner, bound] = [part(element, 'm:e'), part(element, 'm:lim')];
  // \lim, \max and braces accept a script; limits of anything else are set above or below.
  return /^\\(?:[a-zA-Z]+|(?:under|over)brace\{.*\})$/u.test(inner)
    ? `${inner}${script}${group(bound)}`
    : `\\${stacked}${group(bound)}${group(inner)}`;
}

/** A single row needs no environment, and its alignment mark is dropped. */
const aligned = (rows: readonly string[]): string =>
  rows.length === 1 ? (rows[0] ?? '').replaceAll('&', '') : environment('aligned', rows);

const matrixRow = (row: XmlElement): string =>
  childrenNamed(row, 'm:e')
    .map((cell) => content(cell).trim())
    .join(' & ');

const environment = (name: string, rows: readonly string[]): string =>
  `\\begin{${name}}${rows.join(' \\\\ ')}\\end{${name}}`;

/** A letter directly after a command name would become part of the name. */
const operand = (latex: string): string => (/^[a-zA-Z]/.test(latex) ? ` ${latex}` : latex);

function tidy(latex: string): string {
  return latex
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[{}^_)\]&]|$)/g, '')
    .trim();
}
