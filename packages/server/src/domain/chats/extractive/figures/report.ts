/** Reads values of items from the tables of one document. */
import { operandAt, type Operand, type TableRow } from '../table-arithmetic.ts';
import { cellsOf, unitOf } from '../table-cells.ts';
import { isLabelOf, ITEM_NAMES, plainLabel, statementOf, type Item } from './items.ts';
import { columnOfPeriod, yearsOf, type Calendar, type Period } from './periods-of-columns.ts';

/** The rows of one document, in order of rank. */
export interface Report<Row> {
  documentId: string;
  rows: readonly Row[];
  /** Terms of the document's names and of its first headings. */
  titles: ReadonlySet<string>;
  language: string | null;
  /** Returns the headings and the text above and in the row's chunk. */
  around: (row: Row) => { headings: readonly string[]; text: string };
  calendar: Calendar;
}

/** A thing with one value for each period: an item, or the row with a label. */
export type Label = { item: Item } | { label: string };

/** Headings of statements of a whole group, which hold against tables of its parts. */
const WHOLE = /\bconsolidated\b|\bkonzern|\bconsolidés?\b/iu;
/** Headings of statements whose rows with names of balances are their changes. */
const FLOWS = /\bcash ?flows?\b|\bkapitalfluss|\bflux de trésorerie\b/iu;
const SCALES: readonly RegExp[] = [
  /\bin thousands\b|\bthousands of\b|\bin tausend\b|\bT(?:EUR|€|sd)|\ben milliers\b/iu,
  /\b(?:in )?millions?\b|\bmio\b|\ben millions\b/iu,
  /\bin billions\b|\bmrd\b|\ben milliards\b/iu,
];

/** Returns the value of a period; null without one, and if tables of the document state different ones. */
export function valueIn<Row extends TableRow>(report: Report<Row>, label: Label, period: Period): Operand<Row> | null {
  const { rows, language, calendar } = report;
  const found = rows.flatMap((row) => {
    if (row.header === null || !isNamed(row, label) || isChange(report, row, label)) return [];
    const column = columnOfPeriod(row.header, period, calendar, language);
    const operand = column === null ? null : operandAt(row, column, rows);
    return operand === null || operand.cell.text.includes('%') ? [] : [operand];
  });
  return agreed(found) ?? agreed(found.filter(({ row }) => isOfWhole(report, row)));
}

/** Returns the first operand if all have its value. */
function agreed<Row>(found: readonly Operand<Row>[]): Operand<Row> | null {
  const [first] = found;
  return first === undefined || found.some(({ value }) => Math.abs(value) !== Math.abs(first.value)) ? null : first;
}

const isNamed = (row: TableRow, label: Label): boolean => {
  const own = cellsOf(row)[0]?.text ?? '';
  return 'item' in label ? isLabelOf(own, label.item) : plainLabel(own) === plainLabel(label.label);
};

/** Returns whether a row of a cash flow statement has the name of a balance, of which it is the change. */
function isChange<Row extends TableRow>({ around }: Report<Row>, row: Row, label: Label): boolean {
  const item = 'item' in label ? label.item : ITEM_NAMES.find((each) => isLabelOf(label.label, each));
  if (item === undefined || statementOf(item) !== 'balance') return false;
  return [...around(row).headings.slice(-2), row.header ?? ''].some((text) => FLOWS.test(text));
}

const isOfWhole = <Row extends TableRow>({ around }: Report<Row>, row: Row): boolean =>
  around(row).headings.some((heading) => WHOLE.test(heading)) || WHOLE.test(row.header ?? '');

/** Returns the years for which the document has values of the item, the latest first. */
export function yearsWith<Row extends TableRow>(report: Report<Row>, label: Label): number[] {
  const years = report.rows.flatMap((row) =>
    row.header !== null && isNamed(row, label) ? yearsOf(row.header, report.language) : [],
  );
  return [...new Set(years)].toSorted((a, b) => b - a);
}

/** Returns whether no two operands are stated in different units, as far as the tables say: thousands, millions. */
export function isOneScale<Row extends TableRow>(report: Report<Row>, operands: readonly Operand<Row>[]): boolean {
  const scales = operands.map(({ row }) => {
    const stated = [unitOf(row) ?? '', row.header ?? '', ...report.around(row).headings.slice(-1)];
    const own = stated.map((text) => SCALES.findIndex((scale) => scale.test(text))).find((scale) => scale !== -1);
    return own ?? SCALES.findIndex((scale) => scale.test(report.around(row).text));
  });
  return new Set(scales.filter((scale) => scale !== -1)).size <= 1;
}
