/** Converts cells of a table to values. */
import type { Candidate } from '../candidates/candidate.ts';
import type { Segment } from '../document/segments.ts';
import { holdsContent } from '../fields/content.ts';
import type { Field } from '../fields/fields.ts';
import { variantsOf } from '../fields/variants.ts';
import { convert, type Conventions } from '../values/convert.ts';
import type { CellText } from './split-columns.ts';

/** Returns the values that a cell lists, separated by commas, semicolons or line ends. */
export function listIn(cell: CellText, field: Field, score: number, conventions: Conventions): Candidate[] {
  const item = field.shape.items === null ? undefined : variantsOf(field.shape.items)[0];
  if (item === undefined) return [];
  return [...cell.text.matchAll(/[^,;•|\n]+/g)].flatMap((match): Candidate[] => {
    const text = match[0].trim();
    const value = text === '' ? undefined : convert(text, null, item, conventions);
    if (value === undefined) return [];
    const start = cell.start + match.index + match[0].indexOf(text);
    return [{ field, value, segment: cell.segment, start, end: start + text.length, score, shared: false }];
  });
}

/** Converts the cell to the field's type; amounts, numbers, percentages and dates must have their form. */
export function readCell(cell: CellText, field: Field, conventions: Conventions): unknown {
  if (field.list) return listIn(cell, field, 1, conventions)[0]?.value;
  for (const kind of field.kinds) {
    const span = spanOf(cell.segment, cell, kind);
    if (span !== undefined && (kind === 'amount' || kind === 'number' || kind === 'percent' || kind === 'date')) {
      const value = convert(span.text, span, field.shape, conventions);
      if (value !== undefined) return value;
    }
  }
  const needsForm = field.kinds.every((kind) => ['amount', 'number', 'percent', 'date'].includes(kind));
  if (needsForm || !holdsContent(cell.text, field.content)) return undefined;
  return convert(cell.text, null, field.shape, conventions);
}

function spanOf(segment: Segment, cell: CellText, kind: string): Segment['spans'][number] | undefined {
  return segment.spans.find((span) => span.kind === kind && span.start >= cell.start && span.end <= cell.end);
}
