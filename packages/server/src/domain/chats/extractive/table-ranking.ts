/**
 * Finds the row of a table with the highest or lowest value, or with the greatest change between two columns, if the
 * question names the kind of the rows ("which segment"), the measure and the period, and one whole table fits.
 */
import { decimalSign, findNumbers, numericValue } from '@quire/process/extract/engine/values/numbers';
import type { Question } from './question.ts';
import { analyse } from './reading.ts';
import type { Computation, TableRow } from './table-arithmetic.ts';
import { cellIn, cellsOf, columnsOf, missingYears, type RowCell } from './table-cells.ts';
import { namedColumns } from './table-names.ts';

interface Wording {
  highest: RegExp;
  lowest: RegExp;
  /** Words that need a growth as measure: "performed the best" names none by itself. */
  best: RegExp;
  worst: RegExp;
  /** Changes between two columns. */
  growth: RegExp;
  /** The noun of the rows, as group `noun`. */
  noun: RegExp;
  /** Labels of rows that sum up others. */
  total: RegExp;
}

const WORDINGS: Readonly<Record<string, Wording>> = {
  en: {
    highest: /\b(?:most|highest|largest|biggest|greatest)\b/iu,
    lowest: /\b(?:least|lowest|smallest|fewest)\b/iu,
    best: /\b(?:best|strongest)\b/iu,
    worst: /\b(?:worst|weakest)\b/iu,
    growth: /\b(?:grew|grow|growth|increased?|rose|rise)\b/iu,
    noun: /\b(?:which|what)(?: of [^?]{1,40}?['’]s?)? (?:\p{Ll}+ ){0,2}?(?<noun>segments?|divisions?|regions?|countr(?:y|ies)|categor(?:y|ies)|products?|areas?|markets?|units?|channels?|brands?)\b|\b(?:largest|smallest|biggest|highest|lowest|best|worst|strongest|weakest)(?:[ -]performing)? (?<other>segment|division|region|country|category|product|area|market|unit|channel|brand)\b/iu,
    total: /^(?:sub)?totals?\b|^consolidated\b|^sum\b|\belimination/iu,
  },
  de: {
    highest: /\b(?:höchste[nrsm]?|größte[nrsm]?|meiste[nrsm]?|am (?:meisten|stärksten))\b/iu,
    lowest: /\b(?:niedrigste[nrsm]?|kleinste[nrsm]?|geringste[nrsm]?|am (?:wenigsten|schwächsten))\b/iu,
    best: /\b(?:beste[nrsm]?|am besten)\b/iu,
    worst: /\b(?:schlechteste[nrsm]?|am schlechtesten)\b/iu,
    growth: /\b(?:wuchs|wuchsen|wachstum|stieg|stiegen|zunahme)\b/iu,
    noun: /\bwelche[nrsm]? (?<noun>segment|bereich|region|land|produkt|markt|sparte|geschäftsbereich|kanal)\p{L}{0,2}/iu,
    total: /^(?:summe|gesamt|insgesamt|konzern|konsolidierung)/iu,
  },
};

/** Words for one measure, by its stem; a question with one of them names a table with another. */
const MEASURES: readonly (readonly string[])[] = [
  ['revenue', 'revenues', 'sales', 'turnover', 'umsatz', 'umsatzerlöse'],
  ['profit', 'income', 'earnings', 'betriebsergebnis', 'ergebnis', 'gewinn'],
];
const MIN_ROWS = 2;
const MAX_ROWS = 12;
/** Difference of a total from the sum of its rows that rounding explains, for each row. */
const ROUNDING = 1;
const MAX_QUESTION = 500;

interface Read<Row> {
  row: Row;
  label: string;
  cells: { cell: RowCell; value: number }[];
}

/** Returns the headings above a chunk, and its document. */
export type Surroundings = (chunk: number) => { headings: readonly string[]; documentId: string };

/** Returns whether the question seeks a row by its rank: a cell of one row is no answer. */
export function seeksRank({ text }: Question, language: string | null): boolean {
  const wording = WORDINGS[language ?? 'en'];
  if (wording === undefined) return false;
  const { noun, highest, lowest, best, worst } = wording;
  const read = text.slice(0, MAX_QUESTION);
  return noun.test(read) && [highest, lowest, best, worst].some((pattern) => pattern.test(read));
}

/** Returns the ranking that the question seeks, or null if it names no measure or more than one table fits. */
export function ranked<Row extends TableRow>(
  question: Question,
  rows: readonly Row[],
  language: string | null,
  around: Surroundings,
): Computation<Row> | null {
  const text = question.text.slice(0, MAX_QUESTION);
  const wording = WORDINGS[language ?? 'en'];
  if (wording === undefined) return null;
  const isGrowth = wording.growth.test(text);
  const isFromTop = wording.highest.test(text) || (isGrowth && wording.best.test(text));
  const isFromBottom = wording.lowest.test(text) || (isGrowth && wording.worst.test(text));
  const groups = wording.noun.exec(text)?.groups;
  const noun = groups?.['noun'] ?? groups?.['other'];
  if (noun === undefined || isFromTop === isFromBottom) return null;
  const tables = new Map<string, Row[]>();
  for (const row of rows.filter(({ header }) => header !== null)) {
    const key = `${row.chunk}\n${row.header ?? ''}`;
    tables.set(key, [...(tables.get(key) ?? []), row]);
  }
  const fitting = [...tables.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined || !isAbout(first, noun, question, language, around)) return [];
    const found = valuesOf(own, isGrowth, question, language);
    return found === null ? [] : [found];
  });
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return null;
  const parts = only.filter(({ label }) => !wording.total.test(label));
  const totals = only.filter(({ label }) => wording.total.test(label));
  if (parts.length < MIN_ROWS || parts.length > MAX_ROWS || !isWhole(parts, totals)) return null;
  return rankingOf(parts, isFromTop, isGrowth);
}

/** Returns whether the table has the noun and the measure of the question above its rows. */
function isAbout(
  row: TableRow,
  noun: string,
  question: Question,
  language: string | null,
  around: Surroundings,
): boolean {
  const above = [...around(row.chunk).headings.slice(-1), row.header ?? ''].join(' ').toLowerCase();
  const held = new Set(analyse(above, language));
  const asked = measuresIn(question.text);
  const stated = measuresIn(above);
  const isNoun = analyse(noun.toLowerCase(), language).every((term) => held.has(term));
  return isNoun && asked.length === 1 && stated.length === 1 && asked[0] === stated[0];
}

/** Returns the measures of which the text has a word. */
function measuresIn(text: string): (readonly string[])[] {
  const plain = text.toLowerCase().replaceAll(/\btop[- ]line\b/gu, 'revenue');
  const words = new Set(plain.match(/\p{L}+/gu));
  return MEASURES.filter((names) => names.some((name) => words.has(name)));
}

/** Returns the values of each row in the named columns: one, or two for a change; null if a cell is no number. */
function valuesOf<Row extends TableRow>(
  rows: readonly Row[],
  isGrowth: boolean,
  question: Question,
  language: string | null,
): Read<Row>[] | null {
  const [first] = rows;
  if (first === undefined) return null;
  const named = namedColumns(first.header ?? '', question, language);
  const names = columnsOf(first.header ?? '');
  const columns = isGrowth && named.length === 1 ? withYearBefore(named, names) : named;
  const decimal = decimalSign(rows.flatMap(({ text }) => findNumbers(text)));
  if (columns.length !== (isGrowth ? 2 : 1)) return null;
  const stated = columns.map((column) => names[column] ?? '');
  if (missingYears(stated, { text: '' }, question, language).length > 0) return null;
  const read = rows.map((row) => {
    const own = cellsOf(row);
    const cells = columns.flatMap((column) => {
      const cell = cellIn(own, column);
      const numbers = findNumbers(cell?.text ?? '');
      const value = numbers.length === 1 && numbers[0] !== undefined ? numericValue(numbers[0], decimal) : null;
      return cell === undefined || value === null ? [] : [{ cell, value }];
    });
    return { row, label: own[0]?.text ?? '', cells };
  });
  return read.every(({ cells, label }) => cells.length === columns.length && label !== '') ? read : null;
}

/** Adds the only column of the year before to that of one year: growth in a year is the change from the one before. */
function withYearBefore(named: readonly number[], names: readonly string[]): readonly number[] {
  const year = YEAR.exec(names[named[0] ?? 0] ?? '')?.[0];
  const before = year === undefined ? undefined : String(Number(year) - 1);
  const found = names.flatMap((name, at) =>
    at > 0 && before !== undefined && name.includes(before) && names.indexOf(name) === at ? [at] : [],
  );
  return found.length === 1 ? [...named, ...found] : named;
}

/** Returns whether a total shows that no row is missing: chunks may hold a part of a table. */
function isWhole(parts: readonly Read<unknown>[], totals: readonly Read<unknown>[]): boolean {
  return totals.some(({ cells }) =>
    cells.every(({ value }, at) => {
      const sum = parts.reduce((all, part) => all + (part.cells[at]?.value ?? 0), 0);
      return Math.abs(sum - value) <= ROUNDING * parts.length;
    }),
  );
}

/** Characters that would end the emphasis of the result. */
const NOT_IN_RESULT = /[*\n[\]]/u;

/** Returns the ranking of the rows, the one sought first; null if two share the first place. */
function rankingOf<Row>(parts: readonly Read<Row>[], isHighest: boolean, isGrowth: boolean): Computation<Row> | null {
  const rated = parts.map((part) => ({ ...part, rate: rateOf(part, isGrowth) }));
  if (rated.some(({ rate }) => rate === null)) return null;
  const ordered = rated.toSorted((a, b) => ((b.rate ?? 0) - (a.rate ?? 0)) * (isHighest ? 1 : -1));
  const [first, second] = ordered;
  if (first === undefined || first.rate === second?.rate || NOT_IN_RESULT.test(first.label)) return null;
  return {
    result: first.label,
    operands: ordered.flatMap(({ row, cells }) => inTime(cells).map(({ cell, value }) => ({ row, cell, value }))),
    signs: isGrowth ? [' → ', '; '] : [isHighest ? ' > ' : ' < '],
  };
}

/** Returns the value of a row, or its relative change from the earlier column to the later one. */
function rateOf({ cells }: Read<unknown>, isGrowth: boolean): number | null {
  const [before, after] = inTime(cells);
  if (!isGrowth) return before?.value ?? null;
  return before === undefined || after === undefined || before.value <= 0 ? null : after.value / before.value - 1;
}

const YEAR = /(?:19|20)\p{Nd}{2}/u;

/** Orders cells by the year of their column. */
const inTime = <Cell extends { cell: RowCell }>(cells: readonly Cell[]): Cell[] =>
  cells.toSorted((a, b) => Number(YEAR.exec(a.cell.column)?.[0] ?? 0) - Number(YEAR.exec(b.cell.column)?.[0] ?? 0));
