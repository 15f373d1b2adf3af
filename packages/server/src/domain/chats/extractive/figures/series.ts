/** Computes a figure for each of several periods. */
import { amountLike, type Computation, type Operand, type TableRow } from '../table-arithmetic.ts';
import { cellsOf } from '../table-cells.ts';
import { namedRows } from '../table-names.ts';
import { readQuestion } from '../question.ts';
import { evaluate } from './expression.ts';
import { isLabelOf, isOutflow, ITEM_NAMES, plainLabel, type Item } from './items.ts';
import type { Period } from './periods-of-columns.ts';
import { itemsOf, type Ratio } from './ratios.ts';
import { isOneScale, valueIn, yearsWith, type Label, type Report } from './report.ts';

/** A row that a question names, by its label or as an item of statements. */
interface NamedItem {
  label: string;
  items: readonly Item[];
}

export type Subject = Ratio | NamedItem;

/** A figure of one period, with the text of its computation: operands and the signs between them. */
export interface Point<Row> {
  period: Period;
  value: number;
  pieces: readonly (string | Operand<Row>)[];
  /** The value as text. */
  written: string;
}

const MAX_WORDS = 6;

/** Returns the item or the only row that the text names; null without one. */
export function subjectIn<Row extends TableRow>(
  text: string,
  reports: readonly Report<Row>[],
  language: string | null,
): NamedItem | null {
  const rows =
    reports[0]?.rows.filter((row) => cellsOf(row).some(({ text: cell }, at) => at > 0 && /\p{Nd}/u.test(cell))) ?? [];
  const named = namedRows(rows, readQuestion(text, language), language);
  const [only] = named;
  if (only !== undefined && named.length === 1) return { label: cellsOf(only.row)[0]?.text ?? '', items: [] };
  const item = itemIn(text);
  return item === null ? null : { label: '', items: [item] };
}

/** Returns the item whose name is the longest in the text; null if two are as long. */
export const itemIn = (text: string): Item | null => longestItem(text)?.item ?? null;

/** Returns the words by which the text names the item. */
export const phraseOfItem = (text: string): string | null => longestItem(text)?.phrase ?? null;

function longestItem(text: string): { item: Item; phrase: string } | null {
  const plain = plainLabel(
    text
      .replaceAll(/['’]s\b/gu, '')
      .replaceAll('&', 'and')
      .replaceAll(/[?.!]/gu, ' '),
  );
  const words = plain.split(' ');
  for (let length = MAX_WORDS; length > 0; length -= 1) {
    const phrases = words
      .map((_, at) => words.slice(at, at + length).join(' '))
      .slice(0, Math.max(0, words.length - length + 1));
    const found = ITEM_NAMES.flatMap((item) => {
      const phrase = phrases.find((each) => isLabelOf(each, item));
      return phrase === undefined ? [] : [{ item, phrase }];
    });
    if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null;
  }
  return null;
}

const isRatio = (subject: Subject): subject is Ratio => 'formulas' in subject;

/** Returns a point for each period, all of the first report that has them or else each of the first that has it. */
export function seriesOf<Row extends TableRow>(
  subject: Subject,
  periods: readonly Period[],
  reports: readonly Report<Row>[],
  language: string | null,
): Point<Row>[] | null {
  if (periods.length === 0) return null;
  const found = periods.map((period) => {
    for (const report of reports) {
      const point = pointOf(subject, period, report, language);
      if (point !== null) return point;
    }
    return null;
  });
  const points = found.flatMap((point) => point ?? []);
  return points.length === periods.length ? points : null;
}

function pointOf<Row extends TableRow>(
  subject: Subject,
  period: Period,
  report: Report<Row>,
  language: string | null,
): Point<Row> | null {
  if (!isRatio(subject)) {
    const [item] = subject.items;
    const operand = valueIn(report, item === undefined ? { label: subject.label } : { item }, period);
    if (operand === null) return null;
    const value = item !== undefined && isOutflow(item) ? Math.abs(operand.value) : operand.value;
    return { period, value, pieces: [operand], written: operand.cell.text };
  }
  for (const formula of subject.formulas) {
    const point = computedPoint(formula, subject, period, report, language);
    if (point !== null) return point;
  }
  return null;
}

function computedPoint<Row extends TableRow>(
  formula: string,
  { result }: Ratio,
  period: Period,
  report: Report<Row>,
  language: string | null,
): Point<Row> | null {
  const pieces: (string | Operand<Row>)[] = [];
  const operands: Operand<Row>[] = [];
  let expression = '';
  for (const part of formula.split(/(\{\w+<?\})/u)) {
    const [, item, before] = /^\{(\w+)(<?)\}$/u.exec(part) ?? [];
    if (item === undefined) {
      pieces.push(part);
      expression += part;
      continue;
    }
    const wanted = before === '' ? period : { ...period, year: period.year - 1 };
    const operand = valueIn(report, { item: item as Item }, wanted);
    if (operand === null) return null;
    // Bars show that the amount of an outflow counts, without the sign or brackets that a statement gives it.
    const isNegative = isOutflow(item as Item) && operand.value < 0;
    pieces.push(...(isNegative ? ['|', operand, '|'] : [operand]));
    operands.push(operand);
    const value = isNegative ? -operand.value : operand.value;
    expression += `(${value.toFixed(6)})`;
  }
  if (!isOneScale(report, operands)) return null;
  const value = evaluate(expression);
  const [first] = operands;
  if (value === null || first === undefined) return null;
  return { period, value, pieces, written: writtenAs(result, value, first, language) };
}

const DAYS: Readonly<Record<string, string>> = { en: 'days', de: 'Tage', fr: 'jours' };

function writtenAs<Row extends TableRow>(
  result: Ratio['result'],
  value: number,
  like: Operand<Row>,
  language: string | null,
): string {
  const written = (digits: number): string => value.toFixed(digits).replace('-', '−');
  if (result === 'percent') return `${(value * 100).toFixed(1).replace('-', '−')} %`;
  if (result === 'ratio') return written(2);
  if (result === 'days') return `${written(1)} ${DAYS[language ?? 'en'] ?? 'days'}`;
  return amountLike(value, like);
}

/** Returns the years for which a report has the figure's first item, the latest first. */
export function yearsOfSubject<Row extends TableRow>(subject: Subject, reports: readonly Report<Row>[]): Period[] {
  const item = isRatio(subject) ? itemsOf(subject.formulas[0] ?? '')[0] : subject.items[0];
  const label: Label = item === undefined ? { label: 'label' in subject ? subject.label : '' } : { item };
  const years = [...new Set(reports.flatMap((report) => yearsWith(report, label)))];
  return years.toSorted((a, b) => b - a).map((year) => ({ year, quarter: null }));
}

/** Returns the mean of the figure over the periods, with the figure of each. */
export function averaged<Row extends TableRow>(
  subject: Subject,
  points: readonly Point<Row>[],
  language: string | null,
): Computation<Row> | null {
  const operand = points[0]?.pieces.find((piece) => typeof piece === 'object');
  if (!isRatio(subject) || typeof operand !== 'object') return null;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length;
  return computationOf(writtenAs(subject.result, mean, operand, language), ': ', listed(subject, points));
}

/** Returns the cell of an item that the question names by another word than its label, with label and period. */
export function cellOf<Row extends TableRow>([point]: readonly Point<Row>[]): Computation<Row> | null {
  const [operand] = point?.pieces ?? [];
  if (point === undefined || typeof operand !== 'object') return null;
  const label = cellsOf(operand.row)[0]?.text ?? '';
  return computationOf(point.written, ` (${label}, ${operand.cell.column}): `, [operand]);
}

/** Returns the figure of one period, or those of several periods in their order. */
export function stated<Row extends TableRow>(subject: Subject, points: readonly Point<Row>[]): Computation<Row> | null {
  const [first] = points;
  if (first === undefined || !isRatio(subject)) return null;
  if (points.length === 1) return computationOf(first.written, ' = ', first.pieces);
  return computationOf(points.map(({ written }) => written).join(' → '), ': ', listed(subject, points));
}

/** Returns the pieces of all points, with the result of each computation behind it. */
export function listed<Row extends TableRow>(
  subject: Subject,
  points: readonly Point<Row>[],
): (string | Operand<Row>)[] {
  return points.flatMap((point, at) => [
    ...(at === 0 ? [] : [' → ']),
    ...point.pieces,
    ...(isRatio(subject) ? [` = ${point.written}`] : []),
  ]);
}

/** Characters that would end the emphasis of the result. */
const NOT_IN_RESULT = /[*\n[\]]/u;

/** Returns the computation with the text between its operands. */
export function computationOf<Row extends TableRow>(
  result: string,
  link: string,
  pieces: readonly (string | Operand<Row>)[],
): Computation<Row> | null {
  if (NOT_IN_RESULT.test(result)) return null;
  const operands: Operand<Row>[] = [];
  const around: string[] = [''];
  for (const piece of pieces) {
    if (typeof piece === 'string') around[around.length - 1] += piece;
    else {
      operands.push(piece);
      around.push('');
    }
  }
  return operands.length === 0 ? null : { result, operands, signs: [''], around, link };
}
