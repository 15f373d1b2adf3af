/** Reads rows of tables as cells under their header. */
import { plainPeriods } from './periods.ts';
import type { Question } from './question.ts';
import type { Quotable } from './quotables.ts';

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

/** Returns the cells of a row of a table, the label first; empty for a sentence. */
export function cellsOf({ text, header }: Pick<Quotable, 'text' | 'header'>): RowCell[] {
  if (header === null) return [];
  const names = columnsOf(header);
  let offset = 0;
  return text.split(BAR).map((cell, at) => {
    const start = offset + cell.length - cell.trimStart().length;
    offset += cell.length + BAR.length;
    const own = cell.trim();
    return { start, end: start + own.length, text: own, column: names[at] ?? (at > 0 ? (names.at(-1) ?? '') : '') };
  });
}

/**
 * Returns the names of the columns, with those of the cells above. A cell without a name has that of the one to its
 * left: headers stretch over several columns, and signs of currency have columns of their own.
 */
export function columnsOf(header: string): string[] {
  const rows = header.split('\n').map((line) => {
    const names = line.split(BAR).map((name) => name.trim());
    return names.map((name, at) => (at === 0 ? name : (names.slice(1, at + 1).findLast((each) => each !== '') ?? '')));
  });
  const width = Math.max(...rows.map((names) => names.length));
  return Array.from({ length: width }, (_, at) =>
    rows
      .map((names) => names[at] ?? (at > 0 && names.length > 1 ? (names.at(-1) ?? '') : ''))
      .filter((name) => name !== '')
      .join(' '),
  );
}

/** Returns the first filled cell of a column; signs of currency may have one of their own. */
export function cellIn(cells: readonly RowCell[], column: number): RowCell | undefined {
  const name = cells[column]?.column;
  return cells
    .slice(column)
    .filter((cell) => cell.column === name)
    .find(({ text }) => !/^[\p{Sc}\s]*$/u.test(text));
}

/** Returns the years of the question that neither the name of a column nor the row has. */
export const missingYears = (
  columns: readonly string[],
  { text }: Pick<Quotable, 'text'>,
  { all }: Question,
  language: string | null,
): string[] => {
  const held = plainPeriods([...columns, text].join(' '), language);
  return all
    .filter((term) => /^(?:19|20)\p{Nd}{2}$/u.test(term))
    .filter((year) => !held.includes(year) && !held.includes(`${year.slice(0, -1)}0s`));
};

/** Returns the unit that a table states in brackets above its labels, such as "in millions"; null without one. */
export function unitOf({ header }: Pick<Quotable, 'header'>): string | null {
  const corners = (header ?? '').split('\n').map((line) => line.split(BAR)[0]?.trim() ?? '');
  return corners.map((corner) => /^\(([^()]{1,40})\)$/u.exec(corner)?.[1]).find((unit) => unit !== undefined) ?? null;
}
