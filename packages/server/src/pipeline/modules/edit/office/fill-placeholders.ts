/** `{{name}}` in the text of office files; a table row that holds `{{list.field}}` is repeated for each of the list. */
import type { Match } from '../flow/finder.ts';
import { applyEdits, joined, replaceInFlow, type Flow, type FlowEdits, type SourceEdit } from '../flow/flow.ts';
import type { OperationOf } from '../operations.ts';
import { PlaceholderValues, PLACEHOLDER } from '../flow/placeholders.ts';
import type { OperationReport } from '../report.ts';
import type { PartFlows, RowSpan } from './package-flows.ts';

type EditParts = (edit: (part: PartFlows, source: string) => FlowEdits) => number;

export function fillPlaceholders(operation: OperationOf<'fillPlaceholders'>, editParts: EditParts): OperationReport {
  const values = new PlaceholderValues(operation.values);
  const changes = editParts((part, source) => fillPart(part, source, values));
  return { type: operation.type, changes, ...values.notes() };
}

function fillPart(part: PartFlows, source: string, values: PlaceholderValues): FlowEdits {
  const all: FlowEdits = { edits: [], changes: 0 };
  const done = new Set<Flow>();
  // Inner rows come first: the innermost row that names a list is the one that is repeated.
  for (const row of part.rows) {
    const list = row.flows.some((flow) => done.has(flow)) ? undefined : listOf(row, values);
    if (list === undefined) continue;
    const { edit, changes } = repeat(row, source, values, list);
    all.edits.push(edit);
    all.changes += changes;
    for (const flow of row.flows) done.add(flow);
  }
  for (const flow of part.flows) {
    if (done.has(flow)) continue;
    const { edits, changes } = replaceInFlow(flow, (text) => values.matches(text));
    all.edits.push(...edits);
    all.changes += changes;
  }
  return all;
}

/** The first list that a placeholder of the row names. */
function listOf(row: RowSpan, values: PlaceholderValues): string | undefined {
  for (const flow of row.flows) {
    for (const [, name = ''] of joined(flow).matchAll(PLACEHOLDER)) {
      const list = name.slice(0, Math.max(0, name.indexOf('.')));
      if (values.list(list) !== undefined) return list;
    }
  }
  return undefined;
}

function repeat(
  row: RowSpan,
  source: string,
  values: PlaceholderValues,
  list: string,
): { edit: SourceEdit; changes: number } {
  const xml = source.slice(row.start, row.end);
  let changes = 0;
  const copies = (values.list(list) ?? []).map((_, index) => {
    const edits: SourceEdit[] = [];
    for (const flow of row.flows) {
      const find = (text: string): Match[] => values.matches(text, { list, index });
      const filled = replaceInFlow(flow, find);
      changes += filled.changes;
      for (const edit of filled.edits) {
        edits.push({ ...edit, start: edit.start - row.start, end: edit.end - row.start });
      }
    }
    const copy = applyEdits(xml, edits);
    return index === 0 ? copy : copy.replace(REPEATED_IDS, '');
  });
  return { edit: { start: row.start, end: row.end, source: copies.join('') }, changes: Math.max(1, changes) };
}

/** Identifiers that must be unique in a Word document; without them it makes its own. */
const REPEATED_IDS = / w14:(?:paraId|textId)="[^"]*"/g;
