/** Reads rows of tables as cells under their header, and finds the cell that a question is about. */
import { analyse } from '@quire/text/language/analyse';
import type { Lead } from './lead.ts';
import type { Question } from './question.ts';
import type { Quotable } from './quotables.ts';
import { valuesOf, type Value, type ValueKind } from './values.ts';

export interface RowCell {
  /** `[start, end)` in the row, without surrounding white space. */
  start: number;
  end: number;
  text: string;
  /** Text of the header above the cell. */
  column: string;
}

/** Sign between the cells of a row. */
export const BAR = '|';
/** Kinds of a cell's value, the more specific first. */
const KINDS: readonly ValueKind[] = ['money', 'date', 'measure', 'count'];
const MAX_CELL_CHARACTERS = 60;

/** Returns the cells of a row of a table, the label first; empty for a sentence. */
export function cellsOf({ text, header }: Pick<Quotable, 'text' | 'header'>): RowCell[] {
  if (header === null) return [];
  const names = header.split(BAR);
  let offset = 0;
  return text.split(BAR).map((cell, at) => {
    const start = offset + cell.length - cell.trimStart().length;
    offset += cell.length + BAR.length;
    const own = cell.trim();
    return { start, end: start + own.length, text: own, column: names[at]?.trim() ?? '' };
  });
}

/** Counts, for each header, the terms of the question that are in no other header; 0 for the header of the labels. */
export function namedCounts(headers: readonly string[], question: Question, language: string | null): number[] {
  const held = headers.map((name) => new Set(analyse(name, language).filter((term) => question.all.includes(term))));
  const isOwn = (term: string): boolean => held.filter((terms) => terms.has(term)).length === 1;
  return held.map((terms, at) => (at === 0 ? 0 : [...terms].filter(isOwn).length));
}

/** Returns the cells whose header has a term of the question that is in no other header, and the most of such terms. */
function askedCells(cells: readonly RowCell[], question: Question, language: string | null): RowCell[] {
  const headers = cells.map(({ column }) => column);
  const counts = namedCounts(headers, question, language);
  const most = Math.max(...counts);
  return most === 0 ? [] : cells.filter((_, at) => counts[at] === most);
}

/** Returns whether the question names the row by a word of its label. */
export function isNamedRow(cells: readonly RowCell[], question: Question, language: string | null): boolean {
  return analyse(cells[0]?.text ?? '', language).some((term) => question.terms.includes(term));
}

/**
 * Returns the cell of which the question names row and column, with both names; null if there is none or several. In a
 * table with one column of values, the row is enough.
 */
export function cellLead(quote: Quotable, question: Question, language: string | null): Lead | null {
  const cells = cellsOf(quote);
  if (cells.length < 2 || !isNamedRow(cells, question, language)) return null;
  const asked = cells.length === 2 ? cells.slice(1) : askedCells(cells, question, language);
  const [cell] = asked;
  if (cell === undefined || asked.length > 1 || cell.text === '' || cell.text.length > MAX_CELL_CHARACTERS) return null;
  const kind = kindOf(cell.text, question, language);
  const of = [cells[0]?.text ?? '', cell.column, unitOf(quote) ?? ''].filter((name) => name !== '').join(', ');
  return kind === undefined ? null : { ...valueIn(cell), kind, of };
}

/** Returns the unit that a table states in brackets above its labels, such as "in millions"; null without one. */
export function unitOf({ header }: Pick<Quotable, 'header'>): string | null {
  const [corner = ''] = (header ?? '').split(BAR);
  return /^\(([^()]{1,40})\)$/u.exec(corner.trim())?.[1] ?? null;
}

const valueIn = ({ start, end, text }: RowCell): Value => ({ start, end, text });

function kindOf(text: string, { expects }: Question, language: string | null): ValueKind | undefined {
  const isKind = (kind: ValueKind): boolean => valuesOf(text, kind, language).length > 0;
  if (expects !== null && expects !== 'yesNo' && isKind(expects)) return expects;
  return KINDS.find(isKind);
}
