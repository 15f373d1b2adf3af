/**
 * Finds an adjusted figure of a year in tables of non-GAAP measures, whose columns may be grouped by period with one
 * for each measure. It is stated only if all tables of the report that hold it agree.
 */
import type { SearchHit } from '../../../search/types.ts';
import type { Question } from '../question.ts';
import { analyse } from '../reading.ts';
import { operandAt, operationIn, type Computation, type TableRow } from '../table-arithmetic.ts';
import { cellsOf, columnsOf } from '../table-cells.ts';
import { isLabelOf, plainLabel, type Item } from './items.ts';
import { isWholeYearOf, periodsIn } from './periods-of-columns.ts';
import { ratioIn } from './ratios.ts';
import { isTitled } from './reports-about.ts';
import { computationOf, itemIn } from './series.ts';
import { MAX_QUESTION } from './sought.ts';

const ADJUSTED = /\b(?:adjusted|non-?\s?gaap|bereinigte[srnm]?)\b/iu;
const MARKS = /\b(?:adjusted|non-?\s?gaap|bereinigte[srnm]?)\b/giu;
/** Labels of changes and shares, which are no amounts. */
const NO_AMOUNT = /%|\b(?:growth|change|margin|wachstum|veränderung|marge)\b/iu;
/** Measures that are no item of statements. */
const MEASURES: readonly RegExp[] = [/\bebitda\b/iu, /\bebita\b/iu, /\bebit\b/iu, /\beps\b|\bearnings per share\b/iu];
const ITEMS: readonly Item[] = ['net', 'operating', 'pretax', 'gross'];

/** Tests of a text: whether it is the measure alone, and whether the measure is among others in it. */
interface Measure {
  isLabel: (text: string) => boolean;
  isIn: (text: string) => boolean;
}

/** The adjusted figure that a question seeks. */
interface SoughtFigure {
  measure: Measure;
  year: number;
}

function soughtIn(text: string, language: string | null): SoughtFigure | null {
  const [period, ...others] = ADJUSTED.test(text) ? periodsIn(text, language) : [];
  if (period === undefined || others.length > 0 || period.quarter !== null) return null;
  const measure = ratioIn(text) === null && operationIn(text, language) === null ? measureIn(text) : null;
  return measure === null ? null : { measure, year: period.year };
}

/** Returns whether the question seeks one adjusted figure of a year. */
export const seeksAdjusted = (question: string, language: string | null): boolean =>
  soughtIn(question.slice(0, MAX_QUESTION), language) !== null;

/** Returns the stated figure, or null without one value in the reports that the question names. */
export function adjustedFigure<Row extends TableRow>(
  question: Question,
  rows: readonly Row[],
  hits: readonly SearchHit[],
  language: string | null,
): Computation<Row> | null {
  const sought = soughtIn(question.text.slice(0, MAX_QUESTION), language);
  if (sought === null) return null;
  const beside = new Set(analyse('adjusted non GAAP EBITDA EBITA EBIT EPS', language));
  const names = question.names.filter((name) => !beside.has(name) && !/\p{Nd}/u.test(name));
  const isOfNamed = hits.map((hit) => isTitled(hit, names, question, language));
  const own = rows.filter(({ chunk }) => isOfNamed[chunk] === true);
  const marked = new Set(own.filter((row) => ADJUSTED.test(labelOf(row))).map(tableOf));
  const isInAdjusted = (row: Row): boolean =>
    !marked.has(tableOf(row)) &&
    ADJUSTED.test([...(hits[row.chunk]?.headings ?? []).slice(-1), columnsOf(row.header ?? '')[0] ?? ''].join(' '));
  const found = own.flatMap((row) => {
    const isSought = isRowOf(row, sought.measure, isInAdjusted(row));
    const column = isSought ? columnFor(row, sought, language) : null;
    const operand = column === null ? null : operandAt(row, column, own);
    return operand === null || operand.cell.text.includes('%') ? [] : [operand];
  });
  const [first] = found;
  if (first === undefined || found.some(({ value }) => value !== first.value)) return null;
  return computationOf(first.cell.text, ` (${labelOf(first.row)}, ${first.cell.column}): `, [first]);
}

const labelOf = (row: TableRow): string => cellsOf(row)[0]?.text ?? '';
const tableOf = ({ chunk, header }: TableRow): string => `${chunk}\n${header ?? ''}`;

function measureIn(text: string): Measure | null {
  const plain = text.replace(MARKS, ' ');
  const own = MEASURES.filter((pattern) => pattern.test(plain));
  const [pattern] = own;
  if (own.length > 1) return null;
  if (pattern !== undefined) {
    const isIn = (label: string): boolean => pattern.test(label);
    return { isLabel: (label) => isIn(label) && plainLabel(label).replace(pattern, '').trim() === '', isIn };
  }
  const item = itemIn(plain);
  if (item === null || !ITEMS.includes(item)) return null;
  const isLabel = (label: string): boolean => isLabelOf(label.trim(), item);
  return { isLabel, isIn: (label) => endsOfParts(label).some((part) => isLabel(part)) };
}

const MAX_WORDS = 4;

/** Returns the last one to four words of each part of a label or name: "June 30, 2022 Net income". */
const endsOfParts = (label: string): string[] =>
  label.split(/,|\band\b|\bund\b/u).flatMap((part) => {
    const words = part.trim().split(/\s+/u);
    return Array.from({ length: MAX_WORDS }, (_, at) => words.slice(-1 - at).join(' '));
  });

/**
 * Returns whether the row is of the adjusted measure: by its label, or below the title of a table of adjusted figures.
 * Tables that mark some rows have others that are not adjusted.
 */
function isRowOf(row: TableRow, { isLabel, isIn }: Measure, isInAdjusted: boolean): boolean {
  const label = labelOf(row);
  const plain = label.replace(MARKS, ' ').trim();
  if (row.header === null || NO_AMOUNT.test(label)) return false;
  return ADJUSTED.test(label) ? isLabel(plain) || isIn(plain) : isInAdjusted && isLabel(plain);
}

/** Returns the only column of the year; of the measure, if the columns of a year have several. */
function columnFor(row: TableRow, { measure, year }: SoughtFigure, language: string | null): number | null {
  const { isIn, isLabel } = measure;
  const names = columnsOf(row.header ?? '');
  const ofYear = names.flatMap((name, at) =>
    at > 0 && names.indexOf(name) === at && isWholeYearOf(name, year, language) ? [at] : [],
  );
  const ofMeasure = ofYear.filter((at) => isIn(names[at] ?? ''));
  const [only] = ofYear.length > 1 ? ofMeasure : ofYear;
  const label = labelOf(row).replace(MARKS, ' ').trim();
  // A row of several measures has one value for each: the name of the column says which.
  const isTold = isLabel(label) || ofMeasure.length === 1;
  return only === undefined || (ofYear.length > 1 && ofMeasure.length > 1) || !isTold ? null : only;
}
