/** Converts the tree of an MTEF formula to LaTeX in the style of the other formula readers. */
import { latexText, OPERATORS } from '../../latex/symbols.ts';
import type { MtefCharacter, MtefNode, MtefTemplate } from './mtef-reader.ts';
import {
  LEFT,
  LOOPED,
  ON_TOP,
  PRECEDES,
  RIGHT,
  SIGNS,
  SLASHED,
  TO_LEFT,
  TO_RIGHT,
  UNDER,
  type TemplateName,
} from './mtef-templates.ts';

const [TEXT, FUNCTION, VECTOR, TEXT_ASIAN, MARKER, SPACE] = [1, 2, 7, 12, 23, 24];

export function mtefToLatex(nodes: readonly MtefNode[]): string {
  const rows = nodes.filter((node) => node.kind !== 'line' || node.children.length > 0);
  const latex = rows.length > 1 && rows.every((node) => node.kind === 'line') ? stacked(rows) : content(rows);
  return latex
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<!\\) (?=[{}^_)\]&]|$)/g, '')
    .trim();
}

function content(nodes: readonly MtefNode[]): string {
  let latex = '';
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node?.kind === 'character') {
      const run = runFrom(nodes, index);
      latex += styled(run);
      index += run.length - 1;
    } else if (node) {
      latex += structure(node);
    }
  }
  return latex;
}

/** Returns the characters of one word of text, function or vector style. */
function runFrom(nodes: readonly MtefNode[], start: number): MtefCharacter[] {
  const run: MtefCharacter[] = [];
  for (const node of nodes.slice(start)) {
    if (node.kind !== 'character') break;
    const [first] = run;
    const joins =
      first === undefined || (isText(first) && (isText(node) || node.typeface === SPACE)) || sameWord(first, node);
    if (!joins) break;
    run.push(node);
  }
  return run;
}

const isText = ({ typeface }: MtefCharacter): boolean => typeface === TEXT || typeface === TEXT_ASIAN;

const sameWord = (first: MtefCharacter, node: MtefCharacter): boolean =>
  first.typeface === node.typeface &&
  (first.typeface === FUNCTION || first.typeface === VECTOR) &&
  isLetter(first) &&
  isLetter(node);

const isLetter = ({ code, embellishments }: MtefCharacter): boolean =>
  embellishments.length === 0 && /\p{L}/u.test(String.fromCharCode(code));

function styled(run: readonly MtefCharacter[]): string {
  const [first] = run;
  if (first === undefined) return '';
  if (isText(first)) return textOf(run);
  const word = run.map((character) => String.fromCharCode(character.code)).join('');
  if (first.typeface === FUNCTION && isLetter(first)) {
    if (OPERATORS.has(word)) return `\\${word} `;
    return run.length === 1 ? latexText(word) : `\\mathrm{${latexText(word).trim()}}`;
  }
  if (first.typeface === VECTOR && isLetter(first)) return `\\mathbf{${latexText(word).trim()}}`;
  return run.map(character).join('');
}

/** Returns text within a formula, including spaces. */
function textOf(run: readonly MtefCharacter[]): string {
  const text = run.map(({ code }) => (isPrivate(code) ? ' ' : String.fromCharCode(code))).join('');
  return /\p{L}{2}/u.test(text) ? `\\text{${text.replace(/[\\{}]/g, '')}}` : run.map(character).join('');
}

const isPrivate = (code: number): boolean => code >= 0xe000 && code <= 0xf8ff;
/** Codes of spaces: thin, medium, thick, and one em. */
const SPACES: Readonly<Record<number, string>> = { 0xeb02: '\\,', 0xeb03: '\\:', 0xeb04: '\\;', 0xeb05: '\\quad ' };

function character({ code, typeface, embellishments }: MtefCharacter): string {
  if (typeface === MARKER || code < 0x20) return '';
  const plain = isPrivate(code) ? (SPACES[code] ?? '') : latexText(String.fromCharCode(code));
  return embellishments.reduce(embellished, plain);
}

/** Embellishments by number, over, behind or under the character: LaTeX commands or primes. */
const OVER: Readonly<Record<number, string>> = {
  2: 'dot',
  3: 'ddot',
  4: 'dddot',
  8: 'tilde',
  9: 'hat',
  10: 'not',
  11: 'vec',
  12: 'overleftarrow',
  13: 'overleftrightarrow',
  14: 'vec',
  17: 'bar',
  19: 'widehat',
  24: 'ddddot',
  29: 'underline',
  33: 'underrightarrow',
  34: 'underleftarrow',
};
const BEHIND: Readonly<Record<number, string>> = { 5: "'", 6: "''", 18: "'''" };

function embellished(latex: string, number: number): string {
  const behind = BEHIND[number];
  if (behind !== undefined) return `${latex.trimEnd()}${behind}`;
  const over = OVER[number];
  return over === undefined ? latex : `\\${over}{${latex.trim()}}`;
}

function structure(node: Exclude<MtefNode, MtefCharacter>): string {
  switch (node.kind) {
    case 'line':
      return content(node.children);
    case 'pile':
      return node.children.length > 1 ? stacked(node.children) : content(node.children);
    case 'matrix': {
      const cells = node.children.map((cell) => content([cell]).trim());
      const rows = Array.from({ length: node.rows }, (_, row) =>
        cells.slice(row * node.columns, (row + 1) * node.columns).join(' & '),
      );
      return `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`;
    }
    case 'template':
      return TEMPLATES[node.name](node, slots(node));
  }
}

const stacked = (lines: readonly MtefNode[]): string =>
  `\\begin{aligned}${lines.map((line) => content([line]).trim()).join(' \\\\ ')}\\end{aligned}`;

/** Returns the slots of a template, which are lines or piles; characters are its own signs. */
const slots = ({ parts }: MtefTemplate): string[] =>
  parts.filter((part) => part.kind !== 'character').map((part) => content([part]).trim());

const signs = ({ parts }: MtefTemplate): string =>
  parts
    .map((part) => (part.kind === 'character' ? character(part) : ''))
    .join('')
    .trim();

type Writer = (template: MtefTemplate, slots: readonly string[]) => string;

const group = (latex = ''): string => `{${latex}}`;
const scripts = (sub = '', sup = ''): string =>
  `${sub === '' ? '' : `_${group(sub)}`}${sup === '' ? '' : `^${group(sup)}`}`;
/** A letter directly after a command name would become part of the name. */
const operand = (latex = ''): string => (/^[a-zA-Z]/.test(latex) ? ` ${latex}` : latex);

const fence =
  (left: string, right: string): Writer =>
  ({ variation }, [inner = '']) =>
    fenced((variation & LEFT) === 0 ? '.' : left, inner, (variation & RIGHT) === 0 ? '.' : right);

const fenced = (left: string, inner: string, right: string): string =>
  `\\left${left}${/^\\[a-z]+$/i.test(left) ? ' ' : ''}${inner}\\right${right}${/^\\[a-z]+$/i.test(right) ? ' ' : ''}`;

const INTERVAL_ENDS = ['(', ')', '[', ']'];

/** Slots are the main one, the lower and the upper limit; a fourth slot holds an unknown sign. */
const bigOperator =
  (sign?: string): Writer =>
  (template, [main, lower, upper, own = '']) =>
    `${sign ?? (own === '' ? signs(template) : own)}${scripts(lower, upper)}${operand(main)} `;

const over =
  (command: string): Writer =>
  (_template, [main]) =>
    `\\${command}${group(main)}`;

const bars =
  (command: string): Writer =>
  ({ variation }, [main]) =>
    (variation & 1) === 0 ? `\\${command}${group(main)}` : `\\${command}{\\${command}${group(main)}}`;

const TEMPLATES: Readonly<Record<TemplateName, Writer>> = {
  angle: fence('\\langle', '\\rangle'),
  parenthesis: fence('(', ')'),
  brace: fence('\\{', '\\}'),
  bracket: fence('[', ']'),
  bar: fence('|', '|'),
  doubleBar: fence('\\|', '\\|'),
  floor: fence('\\lfloor', '\\rfloor'),
  ceiling: fence('\\lceil', '\\rceil'),
  openBracket: fence('[', ']'),
  interval: ({ variation }, [inner = '']) =>
    fenced(INTERVAL_ENDS[variation & 3] ?? '(', inner, INTERVAL_ENDS[(variation >> 4) & 3] ?? ')'),
  root: (_template, [main, index = '']) => `\\sqrt${index === '' ? '' : `[${index}]`}${group(main)}`,
  fraction: ({ variation }, [numerator = '', denominator = '']) =>
    (variation & SLASHED) === 0 ? `\\frac${group(numerator)}${group(denominator)}` : `${numerator}/${denominator}`,
  underBar: bars('underline'),
  overBar: bars('overline'),
  arrow: ({ variation }, [top = '', bottom = '']) => {
    const name = ['rightarrow', 'leftarrow', 'rightarrow', 'leftrightarrow'][(variation & (TO_LEFT | TO_RIGHT)) >> 4];
    return `\\x${name ?? 'rightarrow'}${bottom === '' ? '' : `[${bottom}]`}${group(top)}`;
  },
  integral: (template, slotTexts) => bigOperator(integralSign(template.variation))(template, slotTexts),
  sum: bigOperator('\\sum'),
  product: bigOperator('\\prod'),
  coproduct: bigOperator('\\coprod'),
  union: bigOperator('\\bigcup'),
  intersection: bigOperator('\\bigcap'),
  integralOperator: bigOperator(),
  sumOperator: bigOperator(),
  limit: (_template, [main = '', lower = '', upper = '']) =>
    /^\\[a-zA-Z]+$/.test(main)
      ? `${main}${scripts(lower, upper)} `
      : `${lower === '' ? '' : `\\underset${group(lower)}`}${upper === '' ? group(main) : `{\\overset${group(upper)}${group(main)}}`}`,
  horizontalBrace: ({ variation }, [main, label]) =>
    (variation & ON_TOP) === 0
      ? `\\underbrace${group(main)}${scripts(label)}`
      : `\\overbrace${group(main)}${scripts('', label)}`,
  horizontalBracket: ({ variation }, [main, label]) =>
    (variation & ON_TOP) === 0
      ? `\\underbrace${group(main)}${scripts(label)}`
      : `\\overbrace${group(main)}${scripts('', label)}`,
  longDivision: (_template, [main = '', quotient = '']) =>
    quotient === '' ? `\\overline{)${main}}` : `\\overset${group(quotient)}{\\overline{)${main}}}`,
  // The base precedes the script; a script that precedes its base needs an empty one.
  scripts: ({ variation }, [sub, sup]) => `${(variation & PRECEDES) === 0 ? '' : '{}'}${scripts(sub, sup)}`,
  dirac: (_template, [left = '', right = '']) =>
    right === '' ? `\\langle ${left}|` : left === '' ? `|${right}\\rangle ` : `\\langle ${left}|${right}\\rangle `,
  vector: ({ variation }, [main]) => {
    const side = (variation & UNDER) === 0 ? 'over' : 'under';
    const name = ['rightarrow', 'leftarrow', 'rightarrow', 'leftrightarrow'][variation & (LEFT | RIGHT)];
    return `\\${side}${name ?? 'rightarrow'}${group(main)}`;
  },
  tilde: over('widetilde'),
  hat: over('widehat'),
  arc: (_template, [main]) => `\\overset{\\frown}${group(main)}`,
  plain: (_template, slotTexts) => slotTexts.join(' '),
  box: over('boxed'),
};

function integralSign(variation: number): string {
  const count = Math.max(1, variation & SIGNS);
  if ((variation & LOOPED) !== 0) return ['\\oint', '\\oiint', '\\oiiint'][count - 1] ?? '\\oint';
  return ['\\int', '\\iint', '\\iiint'][count - 1] ?? '\\int';
}
