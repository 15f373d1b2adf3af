/**
 * Fills `{{name}}` in the text of office files. A table row that holds `{{list.field}}` is repeated for each element of
 * the list.
 */
import type { Match } from '../replace/match-finder.ts';
import {
  addEdits,
  applyEdits,
  joinedText,
  replaceInText,
  type SplitText,
  type TextEdits,
  type SourceEdit,
} from '../replace/split-text.ts';
import type { OperationOf } from '../operations.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import { listName, PlaceholderValues, PLACEHOLDER } from '../replace/placeholders.ts';
import type { OperationReport } from '../report.ts';
import type { OpenParts } from './open-parts.ts';
import type { PartTexts, RowSpan } from './package-texts.ts';
import { recalculate } from './recalculate.ts';
import { repeatSheetRows } from './repeat-sheet-rows.ts';
import { readSharedTexts } from './shared-texts.ts';

type EditParts = (edit: (part: PartTexts, source: string) => TextEdits) => number;

const SHARED_STRINGS = 'xl/sharedStrings.xml';
const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/i;

export function fillPlaceholders(
  parts: OpenParts,
  operation: OperationOf<'fillPlaceholders'>,
  budget: OutputBudget,
  editParts: EditParts,
): OperationReport {
  const values = new PlaceholderValues(operation.values, budget);
  const changes =
    repeatRows(parts, values, budget) + editParts((part, source) => fillPart(part, source, values, budget));
  return { type: operation.type, changes, ...values.notes() };
}

/**
 * Repeats the rows of spreadsheets, whose cells refer to shared strings. Rows of other formats hold their text
 * themselves.
 */
function repeatRows(parts: OpenParts, values: PlaceholderValues, budget: OutputBudget): number {
  if (!parts.has(SHARED_STRINGS) || !parts.read(SHARED_STRINGS).includes('{{')) return 0;
  const sharedSource = parts.read(SHARED_STRINGS);
  const shared = readSharedTexts(sharedSource);
  let changes = 0;
  for (const name of parts.officePackage.names().filter((each) => WORKSHEET.test(each))) {
    const repeated = repeatSheetRows(parts.read(name), { source: sharedSource, texts: shared }, values, budget);
    if (repeated === undefined) continue;
    parts.write(name, repeated.source);
    changes += repeated.changes;
  }
  if (changes > 0) recalculate(parts);
  return changes;
}

function fillPart(part: PartTexts, source: string, values: PlaceholderValues, budget: OutputBudget): TextEdits {
  const all: TextEdits = { edits: [], changes: 0 };
  const done = new Set<SplitText>();
  // Inner rows come first, so only the innermost row that names a list is repeated.
  for (const row of part.rows) {
    const list = row.texts.some((splitText) => done.has(splitText)) ? undefined : listOf(row, values);
    if (list === undefined) continue;
    const { edit, changes } = repeat(row, source, values, list, budget);
    all.edits.push(edit);
    all.changes += changes;
    for (const splitText of row.texts) done.add(splitText);
  }
  for (const splitText of part.texts) {
    if (done.has(splitText)) continue;
    addEdits(
      all,
      replaceInText(splitText, (text) => values.matches(text)),
    );
  }
  return all;
}

/** Returns the first list that a placeholder of the row names. */
function listOf(row: RowSpan, values: PlaceholderValues): string | undefined {
  for (const splitText of row.texts) {
    for (const [, name = ''] of joinedText(splitText).matchAll(PLACEHOLDER)) {
      const list = listName(name);
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
  budget: OutputBudget,
): { edit: SourceEdit; changes: number } {
  const xml = source.slice(row.start, row.end);
  let changes = 0;
  const copies = (values.list(list) ?? []).map((_, index) => {
    budget.insert(xml.length);
    const edits: SourceEdit[] = [];
    for (const splitText of row.texts) {
      const find = (text: string): Match[] => values.matches(text, { list, index });
      const filled = replaceInText(splitText, find);
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

/** Identifiers that must be unique in a Word document. Word generates missing ones. */
const REPEATED_IDS = / w14:(?:paraId|textId)="[^"]*"/g;
