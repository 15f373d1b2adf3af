/** Recognises the columns of invoice lines by their content: words, whole numbers, percentages and amounts. */
import type { Field } from '../fields/fields.ts';
import type { Column } from './table-reading.ts';
import type { CellText } from './split-columns.ts';

type Form = 'words' | 'whole' | 'percent' | 'amount';

/** Minimum share of a column's cells with its form, and minimum share of rows with a cell in the column. */
const MIN_AGREEING = 0.7;
const MIN_FILLED = 0.4;
const SCORE = 0.5;

export function columnsByContent(
  rows: readonly (readonly (CellText | undefined)[])[],
  fields: readonly Field[],
): Column[] {
  if (rows.length < 2) return [];
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const forms = Array.from({ length: width }, (_, index) => formOf(rows.map((row) => row[index])));
  const at = (form: Form): number[] => forms.flatMap((one, index) => (one === form ? [index] : []));
  const amounts = at('amount');
  const places: readonly (readonly [string, number | undefined])[] = [
    ['description', at('words')[0]],
    ['quantity', at('whole').at(-1)],
    ['taxRate', at('percent')[0]],
    ['unitPrice', amounts.length > 1 ? amounts[0] : undefined],
    ['lineTotal', amounts.at(-1)],
  ];
  if (at('words').length === 0 || amounts.length === 0) return [];
  return places.flatMap(([concept, index]) => {
    const field = fields
      .filter(({ targets }) => (targets.get(concept) ?? 0) >= 0.5)
      .toSorted((a, b) => (b.targets.get(concept) ?? 0) - (a.targets.get(concept) ?? 0))[0];
    return index === undefined || field === undefined ? [] : [{ field, index, score: SCORE }];
  });
}

function formOf(cells: readonly (CellText | undefined)[]): Form | null {
  const filled = cells.flatMap((cell) => cell ?? []);
  if (filled.length < MIN_FILLED * cells.length || filled.length < 2) return null;
  const counts = new Map<Form, number>();
  for (const cell of filled) {
    const form = formOfCell(cell);
    if (form !== null) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  for (const [form, count] of counts) if (count >= MIN_AGREEING * filled.length) return form;
  return null;
}

function formOfCell({ text, segment, start, end }: CellText): Form | null {
  const spans = segment.spans.filter((span) => span.start >= start && span.end <= end);
  if (/\p{L}{3}/u.test(text)) return 'words';
  if (spans.some((span) => span.kind === 'percent')) return 'percent';
  const amount = spans.find((span) => span.kind === 'amount');
  if (amount === undefined) return null;
  return amount.certainty >= 0.9 ? 'amount' : 'whole';
}
