/**
 * Computes sums, differences, ratios and changes in percent over cells of one table, if the question names the
 * operation and each operand: two columns of one row, or two rows of one column.
 */
import { decimalSign, findNumbers, numericValue } from '@quire/process/extract/engine/values/numbers';
import { plainPeriods } from './periods.ts';
import type { Question } from './question.ts';
import type { Quotable } from './quotables.ts';
import { cellIn, cellsOf, missingYears, unitOf, type RowCell } from './table-cells.ts';
import { namedColumns, namedRows } from './table-names.ts';

type Operation = 'sum' | 'difference' | 'ratio' | 'share' | 'change';

/** A row of a table in a chunk. */
export interface TableRow extends Quotable {
  chunk: number;
}

/** A number in a cell. */
export interface Operand<Row> {
  row: Row;
  cell: RowCell;
  value: number;
}

export interface Computation<Row> {
  /** The result as text, with the unit of its operands. */
  result: string;
  operands: readonly Operand<Row>[];
  /** Signs between the operands, which repeat. */
  signs: readonly string[];
  /** Text before, between and behind the operands, in place of the signs. */
  around?: readonly string[];
  /** Text behind the result, " = " by default. */
  link?: string;
}

/** Phrases of a question by operation; the first operation that matches counts. */
const ASKED: Readonly<Record<string, Readonly<Record<Operation, RegExp>>>> = {
  en: {
    change:
      /\b(?:by|what) (?:what )?percent(?:age)?\b.{0,80}\b(?:grow|grew|rise|rose|fall|fell|drop|increas|decreas|declin|chang)|\b(?:percent(?:age)?|year[- ]over[- ]year|annual|yoy) (?:change|increase|decrease|growth|decline)\b|\bgrowth rate\b/iu,
    share: /\b(?:percent(?:age)?|per cent|pour cent|por ciento|share|proportion|fraction) of\b/iu,
    ratio: /\bratio (?:of|between)\b|\bhow many times\b|\bdivided by\b/iu,
    difference:
      /\bdifference\b|\bhow (?:much|many) (?:\w{1,30} )?(?:more|less|fewer|higher|lower|larger|smaller)\b|\b(?:how much|by how much|how many)\b.{0,80}\b(?:grow|grew|rise|rose|fall|fell|drop|dropped|increase|increased|decrease|decreased|decline|declined|change|changed)\b|\b(?:change|increase|decrease|drop|decline|growth|fall|rise) (?:in|of)\b|\bminus\b/iu,
    sum: /\b(?:sum|total) of\b|\b(?:together|combined|altogether|in total|plus|added)\b/iu,
  },
  de: {
    change:
      /\bum wie ?viel prozent\b|\bprozentuale[nr]? (?:veränderung|änderung|anstieg|rückgang)\b|\bwachstumsrate\b/iu,
    share: /\b(?:prozent (?:von|des|der)|anteil)\b/iu,
    ratio: /\bverhältnis\b|\bwie ?viel ?mal\b|\bgeteilt durch\b/iu,
    difference:
      /\b(?:unterschied|differenz|veränderung)\b|\b(?:um )?wie ?viele?\b.{0,80}\b(?:mehr|weniger|höher|niedriger|gestiegen|gesunken|stieg|stiegen|sank|sanken)\b/iu,
    sum: /\b(?:summe|zusammen|insgesamt|plus)\b/iu,
  },
  fr: {
    change: /\bde quel pourcentage\b|\btaux de croissance\b|\bvariation en (?:pour cent|pourcentage)\b/iu,
    share: /\b(?:pourcentage|part)\b.{0,40}\bd(?:e|u|es)\b/iu,
    ratio: /\brapport entre\b|\bcombien de fois\b|\bdivisé par\b/iu,
    difference: /\b(?:différence|écart)\b|\bde combien\b|\bcombien\b.{0,80}\b(?:de plus|de moins)\b/iu,
    sum: /\b(?:somme|ensemble|au total|plus)\b/iu,
  },
  es: {
    change: /\ben qué porcentaje\b|\btasa de crecimiento\b/iu,
    share: /\b(?:porcentaje|proporción|parte) del?\b/iu,
    ratio: /\b(?:proporción|relación) entre\b|\bcuántas veces\b|\bdividido (?:por|entre)\b/iu,
    difference: /\bdiferencia\b|\ben cuánto\b|\bcuánt[oa]s?\b.{0,80}\b(?:más|menos)\b/iu,
    sum: /\b(?:suma|juntos|juntas|en total)\b/iu,
  },
};
const SIGNS: Readonly<Record<Operation, string>> = {
  sum: ' + ',
  difference: ' − ',
  ratio: ' ÷ ',
  share: ' ÷ ',
  change: ' → ',
};
const ORDER: readonly Operation[] = ['change', 'share', 'ratio', 'difference', 'sum'];
const MAX_OPERANDS = 6;
const RATIO_DIGITS = 2;
const PERCENT_DIGITS = 1;
/** Number of characters of a question that are read; the patterns are not all of linear time. */
const MAX_QUESTION = 500;

/** Returns the operation that a question names, or null. */
export function operationIn(question: string, language: string | null): Operation | null {
  const patterns = ASKED[language ?? 'en'];
  const read = question.slice(0, MAX_QUESTION);
  return patterns === undefined ? null : (ORDER.find((operation) => patterns[operation].test(read)) ?? null);
}

/**
 * Returns the computation over the tables of the first document whose rows and columns the question names, or null.
 * `rows` are in order of rank, and `documentOf` returns the document of a row.
 */
export function computed<Row extends TableRow>(
  operation: Operation,
  question: Question,
  rows: readonly Row[],
  language: string | null,
  documentOf: (row: Row) => string = () => '',
): Computation<Row> | null {
  const documents = new Map<string, Row[]>();
  for (const row of rows.filter(({ header }) => header !== null)) {
    const key = documentOf(row);
    documents.set(key, [...(documents.get(key) ?? []), row]);
  }
  for (const own of documents.values()) {
    const operands = operandsOf(own, operation, question, language);
    const made = operands === null ? null : compute(operation, operands);
    if (made !== null) return made;
  }
  return null;
}

/** Returns the cells of one named row in named columns, or of named rows in one column each. */
function operandsOf<Row extends TableRow>(
  rows: readonly Row[],
  operation: Operation,
  question: Question,
  language: string | null,
): Operand<Row>[] | null {
  const named = namedRows(rows, question, language);
  const [first] = named;
  if (first === undefined) return null;
  const columnsIn = ({ header }: Row): number[] => namedColumns(header ?? '', question, language);
  const ordered = isOfFollowing(operation, question) ? named.toReversed() : named;
  const places =
    named.length === 1
      ? columnsIn(first.row).map((column) => ({ row: first.row, column }))
      : ordered.map(({ row }) => ({ row, column: columnOf(row, columnsIn(row)) }));
  if (places.length < 2 || places.length > MAX_OPERANDS) return null;
  const found = places.map(({ row, column }) => (column === null ? null : operandAt(row, column, rows)));
  const operands = found.flatMap((each) => (each === null ? [] : [each]));
  const columns = operands.map(({ cell }) => cell.column);
  const isWhole = operands.length === found.length && missingYears(columns, first.row, question, language).length === 0;
  return isWhole ? operands : null;
}

/** Returns the only named column, or the only one with values; null if there are several. */
function columnOf(row: TableRow, named: readonly number[]): number | null {
  if (named.length === 1) return named[0] ?? null;
  return named.length === 0 && cellsOf(row).length === 2 ? 1 : null;
}

/** A word for a share directly before the whole: "what percentage of net sales were the costs". */
const SHARE_OF_WHOLE =
  /(?:percent(?:age)?|per cent|pour cent|por ciento|share|proportion|fraction|prozent|anteil|pourcentage|part|porcentaje|proporción)\s(?:of|von|d[eu]|des|del|de la|de l['’])\s?(?:the\s|total\s)?(?!.{1,60}\b(?:an|sur|sobre)\b)/iu;

const isOfFollowing = (operation: Operation, { text }: Question): boolean =>
  operation === 'share' && SHARE_OF_WHOLE.test(text) && !SHARE_BEHIND.test(text);
/** The whole behind the word for a share, with the part before it: "costs as a percentage of net sales". */
const SHARE_BEHIND =
  /(?:\bas (?:a |an )?(?:percent|share|proportion|fraction)|\ben (?:pourcentage|porcentaje)|\bin prozent)/iu;

/** Replaces spaces between groups of thousands: in a cell, they belong to one number. */
const grouped = (text: string): string =>
  text.replaceAll(
    /(?<=(?<!\p{Nd})\p{Nd}{1,3})[ \u00a0](?=\p{Nd}{3}(?!\p{Nd}))|(?<=[\u00a0\u202f ]\p{Nd}{3}) (?=\p{Nd}{3}(?!\p{Nd}))/gu,
    '\u202f',
  );

/** Returns the only number of a column's cell, or null. */
export function operandAt<Row extends TableRow>(row: Row, column: number, rows: readonly Row[]): Operand<Row> | null {
  const cell = cellIn(cellsOf(row), column);
  const numbers = findNumbers(grouped(cell?.text ?? ''));
  const [number] = numbers;
  if (cell === undefined || number === undefined || numbers.length > 1) return null;
  const decimal = decimalSign(rows.flatMap(({ text }) => findNumbers(grouped(text))));
  const value = numericValue(number, decimal);
  return value === null ? null : { row, cell, value };
}

/** Names of columns with changes or shares in place of amounts. */
const CHANGE_COLUMN =
  /%|∆|\b(?:changes?|growth|variance|increase|decrease|percent(?:age)?)\b|\b(?:veränderung|änderung|wachstum|variation|évolution|variación)\b/iu;

function compute<Row extends Quotable>(
  operation: Operation,
  operands: readonly Operand<Row>[],
): Computation<Row> | null {
  const [first, second] = operands;
  if (first === undefined || second === undefined) return null;
  if (operation !== 'sum' && operands.length > 2) return null;
  // The change of a row is no amount like its values.
  if (new Set(operands.map(({ cell }) => CHANGE_COLUMN.test(cell.column))).size > 1) return null;
  const frames = new Set(operands.map(({ cell }) => frameOf(grouped(cell.text))));
  if (frames.size > 1) return null;
  // A change leads from the earlier period to the later one; a difference is stated without a sign.
  const ordered = operation === 'change' ? inTime(operands) : operation === 'difference' ? byValue(operands) : operands;
  const [a, b] = [ordered[0]?.value ?? 0, ordered[1]?.value ?? 0];
  if (
    ((operation === 'ratio' || operation === 'share') && b === 0) ||
    (operation === 'change' && (a <= 0 || !areDated(operands)))
  )
    return null;
  const digits = Math.max(...operands.map(({ cell }) => digitsOf(grouped(cell.text))));
  const sum = operands.reduce((total, { value }) => total + value, 0);
  const results: Readonly<Record<Operation, () => string>> = {
    sum: () => withUnit(framed(sum, digits, grouped(first.cell.text)), first.row),
    difference: () => withUnit(framed(a - b, digits, grouped(first.cell.text)), first.row),
    ratio: () => (a / b).toFixed(RATIO_DIGITS).replace('-', '−'),
    share: () => `${((a / b) * 100).toFixed(PERCENT_DIGITS).replace('-', '−')} %`,
    change: () => `${((b / a - 1) * 100).toFixed(PERCENT_DIGITS).replace('-', '−')} %`,
  };
  return { result: results[operation](), operands: ordered, signs: [SIGNS[operation]] };
}

/** Returns an amount written like that of an operand, with its unit. */
export const amountLike = <Row extends Quotable>(value: number, { cell, row }: Operand<Row>): string =>
  withUnit(framed(value, digitsOf(grouped(cell.text)), grouped(cell.text)), row);

function withUnit(result: string, row: Pick<Quotable, 'header'>): string {
  const unit = unitOf(row);
  return unit === null ? result : `${result} (${unit})`;
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/u;
const areDated = (operands: readonly Operand<unknown>[]): boolean =>
  operands.every(({ cell }) => YEAR.test(plainPeriods(cell.column, null)));

const byValue = <Row>(operands: readonly Operand<Row>[]): Operand<Row>[] =>
  operands.toSorted((a, b) => b.value - a.value);

/** Orders operands by the year of their column. */
function inTime<Row>(operands: readonly Operand<Row>[]): Operand<Row>[] {
  const yearOf = ({ cell }: Operand<Row>): number => Number(YEAR.exec(plainPeriods(cell.column, null))?.[0] ?? 0);
  return operands.toSorted((a, b) => yearOf(a) - yearOf(b));
}

/** Returns the text around the number: its unit or currency. Accounting brackets and signs belong to the number. */
const frameOf = (text: string): string => text.replace(NUMBER_TEXT, '#').replaceAll(/\s+/gu, ' ').trim();
const NUMBER_TEXT = /[(−–-]?\s?\p{Nd}[\p{Nd}.,'’\u00a0\u202f]*\)?/u;
const digitsOf = (text: string): number => /[.,](\p{Nd}{1,2})(?!\p{Nd})/u.exec(text)?.[1]?.length ?? 0;

/** Returns the value in the frame of another one's text, with its grouping of thousands. */
function framed(value: number, digits: number, like: string): string {
  const [grouping = ''] = /(?<=\p{Nd})[.,'’\u00a0\u202f](?=\p{Nd}{3}(?!\p{Nd}))/u.exec(like) ?? [];
  const decimal = grouping === '.' || /\p{Nd},\p{Nd}{1,2}(?!\p{Nd})/u.test(like) ? ',' : '.';
  const [whole = '', fraction] = Math.abs(value).toFixed(digits).split('.');
  const grouped = grouping === '' ? whole : groupsOfThree(whole).join(grouping);
  const text = `${value < 0 ? '−' : ''}${grouped}${fraction === undefined ? '' : decimal + fraction}`;
  return like.replace(NUMBER_TEXT, text);
}

function groupsOfThree(digits: string): string[] {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups;
}
