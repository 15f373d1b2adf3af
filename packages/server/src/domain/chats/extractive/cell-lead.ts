/** Finds the cell that answers a question: the only one of which it names row and column. */
import { analyse } from '@quire/text/language/analyse';
import type { Lead } from './lead.ts';
import type { Question } from './question.ts';
import type { Quotable } from './quotables.ts';
import type { Quote } from './sentence-scores.ts';
import { cellIn, cellsOf, missingYears, unitOf, type RowCell } from './table-cells.ts';
import { namedColumns, namedRows } from './table-names.ts';
import { valuesOf, type Value, type ValueKind } from './values.ts';

/** Kinds of a cell's value, the more specific first. */
const KINDS: readonly ValueKind[] = ['money', 'date', 'measure', 'count'];
const MAX_CELL_CHARACTERS = 60;

/** Returns whether the question names the row by a word of its label. */
function isNamedRow(cells: readonly RowCell[], question: Question, language: string | null): boolean {
  return analyse(cells[0]?.text ?? '', language).some((term) => question.terms.includes(term));
}

/**
 * Returns the cell of which the question names row and column, with both names; null if there is none or several. In a
 * table with one column of values, the row is enough.
 */
export function cellLead(quote: Quotable, question: Question, language: string | null): Lead | null {
  const cells = cellsOf(quote);
  if (cells.length < 2 || !isNamedRow(cells, question, language)) return null;
  const columns = namedColumns(quote.header ?? '', question, language);
  if (cells.length > 2 && columns.length !== 1) return null;
  const cell = cellIn(cells, columns[0] ?? 1);
  if (
    cell === undefined ||
    cell.text.length > MAX_CELL_CHARACTERS ||
    missingYears([cell.column], quote, question, language).length > 0
  )
    return null;
  const kind = kindOf(cell.text, question, language);
  const of = [cells[0]?.text ?? '', cell.column, unitOf(quote) ?? ''].filter((name) => name !== '').join(', ');
  return kind === undefined ? null : { ...valueIn(cell), kind, of };
}

/** Maximum share of the question, by weight, that a row, its header and its titles may lack as the only quote. */
const MAX_OPEN = 0.25;

/**
 * Returns the row of the first document of which the question names one row and one column; null if it names several or
 * leaves more open than a word or two.
 */
export function namedCellRow(
  rows: readonly Quote[],
  question: Question,
  language: string | null,
  documentOf: (row: Quote) => string,
): Quote | null {
  const [first] = rows;
  if (first === undefined) return null;
  const named = namedRows(
    rows.filter((row) => documentOf(row) === documentOf(first)),
    question,
    language,
  );
  const [only] = named;
  if (only === undefined || named.length > 1 || cellLead(only.row, question, language) === null) return null;
  const { coverage, titled } = only.row;
  return coverage + titled.length / Math.max(1, question.terms.length) >= 1 - MAX_OPEN ? only.row : null;
}

const valueIn = ({ start, end, text }: RowCell): Value => ({ start, end, text });

function kindOf(text: string, { expects }: Question, language: string | null): ValueKind | undefined {
  const isKind = (kind: ValueKind): boolean => valuesOf(text, kind, language).length > 0;
  if (expects !== null && expects !== 'yesNo' && isKind(expects)) return expects;
  return KINDS.find(isKind);
}
