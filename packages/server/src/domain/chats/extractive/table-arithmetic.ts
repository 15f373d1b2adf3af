/**
 * Computes sums, differences, ratios and changes in percent over cells of one table, if the question names the
 * operation and each operand: two columns of one row, or two rows of one column.
 */
import { analyse } from '@quire/text/language/analyse';
import { decimalSign, findNumbers, numericValue } from '@quire/process/extract/engine/values/numbers';
import type { Question } from './question.ts';
import type { Quotable } from './quotables.ts';
import { BAR, cellsOf, isNamedRow, namedCounts, unitOf, type RowCell } from './table-cells.ts';

type Operation = 'sum' | 'difference' | 'ratio' | 'change';

/** A row of a table in a chunk. */
interface TableRow extends Quotable {
  chunk: number;
}

interface Operand<Row> {
  row: Row;
  cell: RowCell;
  value: number;
}

export interface Computation<Row> {
  /** The result as text, with the unit of its operands. */
  result: string;
  operands: readonly Operand<Row>[];
  /** Sign between the operands. */
  sign: string;
}

/** Phrases of a question by operation; the first operation that matches counts. */
const ASKED: Readonly<Record<string, Readonly<Record<Operation, RegExp>>>> = {
  en: {
    change:
      /\b(?:by|what) (?:what )?percent(?:age)?\b.{0,80}\b(?:grow|grew|rise|rose|fall|fell|drop|increas|decreas|declin|chang)|\bpercent(?:age)? (?:change|increase|decrease|growth)\b|\bgrowth rate\b/iu,
    ratio: /\bratio (?:of|between)\b|\bhow many times\b|\bdivided by\b/iu,
    difference:
      /\bdifference\b|\bhow (?:much|many) (?:\w{1,30} )?(?:more|less|fewer|higher|lower|larger|smaller)\b|\b(?:how much|by how much|how many)\b.{0,80}\b(?:grow|grew|rise|rose|fall|fell|drop|dropped|increase|increased|decrease|decreased|decline|declined|change|changed)\b|\bchange (?:in|of)\b|\bminus\b/iu,
    sum: /\b(?:sum|total) of\b|\b(?:together|combined|altogether|in total|plus|added)\b/iu,
  },
  de: {
    change: /\bum wie ?viel prozent\b|\bprozentuale veränderung\b|\bwachstumsrate\b/iu,
    ratio: /\bverhältnis\b|\bwie ?viel ?mal\b|\bgeteilt durch\b/iu,
    difference:
      /\b(?:unterschied|differenz|veränderung)\b|\b(?:um )?wie ?viele?\b.{0,80}\b(?:mehr|weniger|höher|niedriger|gestiegen|gesunken|stieg|sank)\b/iu,
    sum: /\b(?:summe|zusammen|insgesamt|plus)\b/iu,
  },
  fr: {
    change: /\bde quel pourcentage\b|\btaux de croissance\b|\bvariation en pour cent\b/iu,
    ratio: /\brapport entre\b|\bcombien de fois\b|\bdivisé par\b/iu,
    difference: /\b(?:différence|écart)\b|\bde combien\b|\bcombien\b.{0,80}\b(?:de plus|de moins)\b/iu,
    sum: /\b(?:somme|ensemble|au total|plus)\b/iu,
  },
  es: {
    change: /\ben qué porcentaje\b|\btasa de crecimiento\b/iu,
    ratio: /\b(?:proporción|relación) entre\b|\bcuántas veces\b|\bdividido (?:por|entre)\b/iu,
    difference: /\bdiferencia\b|\ben cuánto\b|\bcuánt[oa]s?\b.{0,80}\b(?:más|menos)\b/iu,
    sum: /\b(?:suma|juntos|juntas|en total)\b/iu,
  },
};
const SIGNS: Readonly<Record<Operation, string>> = { sum: ' + ', difference: ' − ', ratio: ' ÷ ', change: ' → ' };
const ORDER: readonly Operation[] = ['change', 'ratio', 'difference', 'sum'];
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

/** Returns the computation over the first table that holds all operands, or null. `rows` are in order of rank. */
export function computed<Row extends TableRow>(
  operation: Operation,
  question: Question,
  rows: readonly Row[],
  language: string | null,
): Computation<Row> | null {
  const tables = new Map<string, Row[]>();
  for (const row of rows.filter(({ header }) => header !== null)) {
    const key = `${row.chunk}\n${row.header}`;
    tables.set(key, [...(tables.get(key) ?? []), row]);
  }
  for (const table of tables.values()) {
    const operands = operandsOf(table, question, language);
    const made = operands === null ? null : compute(operation, operands);
    if (made !== null) return made;
  }
  return null;
}

/** Returns the cells of one named row in named columns, or of named rows in the only named column. */
function operandsOf<Row extends TableRow>(
  table: readonly Row[],
  question: Question,
  language: string | null,
): Operand<Row>[] | null {
  const named = namedRows(table, question, language);
  const columns = namedColumns(table, question, language);
  const [row] = named;
  if (row === undefined) return null;
  const width = Math.max(...table.map((each) => cellsOf(each).length));
  const places =
    named.length === 1
      ? columns.map((column) => ({ row, column }))
      : columns.length === 1 || width === 2
        ? named.map((each) => ({ row: each, column: columns[0] ?? 1 }))
        : [];
  if (places.length < 2 || places.length > MAX_OPERANDS) return null;
  const found = places.map((place) => operandAt(place.row, place.column, table));
  return found.every((each) => each !== null) ? found : null;
}

/** Returns the rows all of whose label's terms are in the question, without those that are a part of another's. */
function namedRows<Row extends TableRow>(table: readonly Row[], question: Question, language: string | null): Row[] {
  const labelled = table.flatMap((row) => {
    const cells = cellsOf(row);
    const label = new Set(analyse(cells[0]?.text ?? '', language));
    const isWhole = label.size > 0 && [...label].every((term) => question.all.includes(term));
    return isWhole && isNamedRow(cells, question, language) ? [{ row, label }] : [];
  });
  return labelled
    .filter(({ label }) => !labelled.some((other) => other.label.size > label.size && isPart(label, other.label)))
    .map(({ row }) => row);
}

const isPart = (terms: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  [...terms].every((term) => whole.has(term));

/** Returns the positions of the columns whose header has a term of the question that is in no other header. */
function namedColumns(table: readonly TableRow[], question: Question, language: string | null): number[] {
  const headers = (table[0]?.header ?? '').split(BAR);
  return namedCounts(headers, question, language).flatMap((count, at) => (count > 0 ? [at] : []));
}

/** Returns the only number of a cell, or null. */
function operandAt<Row extends TableRow>(row: Row, column: number, table: readonly Row[]): Operand<Row> | null {
  const cell = cellsOf(row)[column];
  const numbers = findNumbers(cell?.text ?? '');
  const [number] = numbers;
  if (cell === undefined || number === undefined || numbers.length > 1) return null;
  const decimal = decimalSign(table.flatMap(({ text }) => findNumbers(text)));
  const value = numericValue(number, decimal);
  return value === null ? null : { row, cell, value };
}

function compute<Row extends Quotable>(
  operation: Operation,
  operands: readonly Operand<Row>[],
): Computation<Row> | null {
  const [first, second] = operands;
  if (first === undefined || second === undefined) return null;
  if (operation !== 'sum' && operands.length > 2) return null;
  const frames = new Set(operands.map(({ cell }) => frameOf(cell.text)));
  if (frames.size > 1) return null;
  // A change leads from the earlier period to the later one; a difference is stated without a sign.
  const ordered = operation === 'change' ? inTime(operands) : operation === 'difference' ? byValue(operands) : operands;
  const [a, b] = [ordered[0]?.value ?? 0, ordered[1]?.value ?? 0];
  if ((operation === 'ratio' && b === 0) || (operation === 'change' && (a <= 0 || !areDated(operands)))) return null;
  const digits = Math.max(...operands.map(({ cell }) => digitsOf(cell.text)));
  const sum = operands.reduce((total, { value }) => total + value, 0);
  const results: Readonly<Record<Operation, () => string>> = {
    sum: () => withUnit(framed(sum, digits, first.cell.text), first.row),
    difference: () => withUnit(framed(a - b, digits, first.cell.text), first.row),
    ratio: () => (a / b).toFixed(RATIO_DIGITS),
    change: () => `${((b / a - 1) * 100).toFixed(PERCENT_DIGITS).replace('-', '−')} %`,
  };
  return { result: results[operation](), operands: ordered, sign: SIGNS[operation] };
}

function withUnit(result: string, row: Pick<Quotable, 'header'>): string {
  const unit = unitOf(row);
  return unit === null ? result : `${result} (${unit})`;
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/u;
const areDated = (operands: readonly Operand<unknown>[]): boolean =>
  operands.every(({ cell }) => YEAR.test(cell.column));

const byValue = <Row>(operands: readonly Operand<Row>[]): Operand<Row>[] =>
  operands.toSorted((a, b) => b.value - a.value);

/** Orders operands by the year of their column. */
function inTime<Row>(operands: readonly Operand<Row>[]): Operand<Row>[] {
  const yearOf = ({ cell }: Operand<Row>): number => Number(YEAR.exec(cell.column)?.[0] ?? 0);
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
