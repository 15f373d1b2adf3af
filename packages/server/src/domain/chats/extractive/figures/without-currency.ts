/**
 * Finds the growth of a row without effects of currency, which reports state in a column beside that of the growth as
 * reported. It is never computed: the rates are not in the report.
 */
import type { Question } from '../question.ts';
import { operandAt, type Computation, type Operand, type TableRow } from '../table-arithmetic.ts';
import { cellIn, cellsOf, columnsOf } from '../table-cells.ts';
import { namedRows } from '../table-names.ts';
import { isLabelOf } from './items.ts';
import { periodsIn, yearsOf } from './periods-of-columns.ts';
import { computationOf, itemIn } from './series.ts';
import { MAX_QUESTION } from './sought.ts';

const CHANGE =
  /\b(?:chang\w{0,3}|gr[oe]w\w{0,3}|growth|increas\w{0,3}|decreas\w{0,3}|declin\w{0,3}|r[io]se)\b|\b(?:veränder|änder|wachs|wuchs|stieg|gestiegen|wachstum)\p{L}{0,5}/iu;
/** Words for a growth without effects of currency, in questions and in names of columns. */
const WITHOUT_CURRENCY =
  /\b(?:constant|exclud\p{L}{1,5}|without|ex|neutral of|net of|adjusted for|before)\b.{0,40}\b(?:currenc(?:y|ies)|fx|foreign[- ]exchange|exchange rates?)\b|\b(?:currency|fx)[- ](?:neutral|adjusted)\b|währungsbereinigt|\b(?:ohne|konstante[nmr]?)\b.{0,30}\b(?:währung|wechselkurs)/iu;
/** Words of a question for growth without further effects, of which a column must have some. */
const COMPARABLE = /\b(?:one-off|pass-?through|acquisitions?|disposals?|comparable|organic|underlying)\b/iu;
const SIGN = /^[(−–-]/u;
const ADJUSTED = /\b(?:adjusted|non-gaap|bereinigte[srnm]?)\b/iu;
const MARKS = /\b(?:adjusted|non-gaap|bereinigte[srnm]?)\b/giu;

/** Returns whether the question seeks a growth without effects of currency. */
export function seeksWithoutCurrency({ text }: Question): boolean {
  const read = text.slice(0, MAX_QUESTION);
  return WITHOUT_CURRENCY.test(read) && CHANGE.test(read);
}

/** Returns the stated growth of the row and the year that the question names; null unless one value fits. */
export function withoutCurrency<Row extends TableRow>(
  question: Question,
  rows: readonly Row[],
  language: string | null,
  headingsOf: (row: Row) => readonly string[],
): Computation<Row> | null {
  const text = question.text.slice(0, MAX_QUESTION);
  const isAdjusted = (row: Row): boolean => ADJUSTED.test([...headingsOf(row), cellsOf(row)[0]?.text ?? ''].join(' '));
  const [period] = periodsIn(text, language);
  const fitting = rows.filter(
    ({ header }) => header !== null && columnIn(header, text, period?.year, language) !== null,
  );
  // Sales are not adjusted; of other items, the question must say whether it seeks the adjusted one.
  const named = namedOf(fitting, question, text, language).filter(
    (row) => isLabelOf(labelOf(row), 'revenue') || isAdjusted(row) === ADJUSTED.test(text),
  );
  const found = named.flatMap((row) => {
    const column = columnIn(row.header ?? '', text, period?.year, language);
    const operand = column === null ? null : (operandAt(row, column, rows) ?? nilAt(row, column));
    return operand === null ? [] : [operand];
  });
  const [first] = found;
  if (first === undefined || found.some(({ cell }) => cell.text !== first.cell.text)) return null;
  const label = cellsOf(first.row)[0]?.text ?? '';
  if (first.value === 0 && NIL.test(first.cell.text))
    return computationOf('0 %', ` (${label}, ${first.cell.column}): `, [first]);
  const digits = /\p{Nd}[\p{Nd}.,]{0,20}/u.exec(first.cell.text)?.[0] ?? '';
  const written = `${SIGN.test(first.cell.text) ? '−' : ''}${digits} %`;
  return computationOf(written, ` (${label}, ${first.cell.column}): `, [first]);
}

/** A dash in a cell of changes, by which statements print nil. */
const NIL = /^[—–-]$/u;

function nilAt<Row extends TableRow>(row: Row, column: number): Operand<Row> | null {
  const cell = cellIn(cellsOf(row), column);
  return cell !== undefined && NIL.test(cell.text) ? { row, cell, value: 0 } : null;
}

/** Returns the rows that the question names, by the words of their label or as an item. */
function namedOf<Row extends TableRow>(
  rows: readonly Row[],
  question: Question,
  text: string,
  language: string | null,
): readonly Row[] {
  const item = itemIn(text.replace(MARKS, ' '));
  const labelled = item === null ? [] : rows.filter((row) => isLabelOf(labelOf(row), item));
  if (labelled.length > 0) return labelled;
  const named = namedRows(rows, question, language);
  return named.length === 1 ? named.map(({ row }) => row) : [];
}

const labelOf = (row: TableRow): string => (cellsOf(row)[0]?.text ?? '').replace(MARKS, ' ').trim();

/**
 * Returns the only column of growth without effects of currency, if it is of the year: a column without a year of its
 * own is of the latest one.
 */
function columnIn(header: string, text: string, year: number | undefined, language: string | null): number | null {
  const names = columnsOf(header);
  const found = names.flatMap((name, at) =>
    at > 0 && WITHOUT_CURRENCY.test(name) && names.indexOf(name) === at ? [at] : [],
  );
  const [only] = found;
  const own = names[only ?? 0] ?? '';
  if (only === undefined || found.length > 1 || (COMPARABLE.test(text) && !COMPARABLE.test(own))) return null;
  const stated = own.match(/(?<!\p{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})/gu)?.map(Number) ?? [];
  const latest = stated.length > 0 ? Math.max(...stated) : Math.max(0, ...yearsOf(header, language));
  return year === undefined || year === latest ? only : null;
}
