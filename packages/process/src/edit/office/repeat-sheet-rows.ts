/**
 * Repeats sheet rows that hold `{{list.field}}` for each element of the list. Rows below move down, together with
 * references to them in the sheet's own formulas, merged cells, links, rules and filters.
 */
import { ContentError } from '@quire/blocks/content-error';
import { applyEdits, joinedText, replaceInText, type SplitText, type SourceEdit } from '../replace/split-text.ts';
import { listName, PLACEHOLDER, type PlaceholderValues } from '../replace/placeholders.ts';
import { escapeXml, scanXml } from '../replace/scan-xml.ts';
import type { OutputBudget } from '../replace/output-budget.ts';
import { moveReferences, RowMap } from './row-map.ts';
import { readSheetRows, type SheetCell, type SheetRow } from './sheet-rows.ts';

/** A shared string with its position in the shared strings part. */
export interface SharedText {
  start: number;
  end: number;
  splitText: SplitText;
}

/** The shared strings part of a workbook. */
export interface SharedStrings {
  source: string;
  texts: readonly SharedText[];
}

export interface RepeatedRows {
  source: string;
  /** Number of placeholders filled in. */
  changes: number;
}

/** Returns undefined when no row of the sheet names a list. */
export function repeatSheetRows(
  source: string,
  shared: SharedStrings,
  values: PlaceholderValues,
  budget: OutputBudget,
): RepeatedRows | undefined {
  const rows = readSheetRows(source);
  const named = new NamedLists(shared.texts, values);
  const lists = rows.map((row) => named.ofRow(row));
  if (lists.every((list) => list === undefined)) return undefined;
  const map = new RowMap(
    rows.flatMap(({ number }, index) => {
      const list = lists[index];
      return list === undefined ? [] : [{ row: number, count: values.list(list)?.length ?? 0 }];
    }),
  );
  const writer = new RowWriter({ source, shared, values, map, named, budget });
  const edits = rows.map((row, index): SourceEdit => ({ ...row.span, source: writer.write(row, lists[index]) }));
  edits.push(...referenceEdits(source, map));
  return { source: applyEdits(source, edits), changes: writer.changes };
}

/** The lists that shared strings name. Each string is read once, since many cells may refer to one long string. */
class NamedLists {
  readonly #shared: readonly SharedText[];
  readonly #values: PlaceholderValues;
  readonly #names = new Map<number, readonly string[]>();

  constructor(shared: readonly SharedText[], values: PlaceholderValues) {
    this.#shared = shared;
    this.#values = values;
  }

  ofRow(row: SheetRow): string | undefined {
    for (const { shared } of row.cells) {
      if (shared === undefined) continue;
      const list = this.placeholdersOf(shared)
        .map(listName)
        .find((name) => this.#values.list(name) !== undefined);
      if (list !== undefined) return list;
    }
    return undefined;
  }

  /** Returns the names of the placeholders in a shared string. */
  placeholdersOf(shared: number): readonly string[] {
    const known = this.#names.get(shared);
    if (known !== undefined) return known;
    const splitText = this.#shared[shared]?.splitText;
    const text = splitText === undefined ? '' : joinedText(splitText);
    const names = [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name))];
    this.#names.set(shared, names);
    return names;
  }
}

interface RowWriterParts {
  source: string;
  shared: SharedStrings;
  values: PlaceholderValues;
  map: RowMap;
  named: NamedLists;
  budget: OutputBudget;
}

class RowWriter {
  changes = 0;
  readonly #parts: RowWriterParts;

  constructor(parts: RowWriterParts) {
    this.#parts = parts;
  }

  write(row: SheetRow, list: string | undefined): string {
    const { map, values, budget } = this.#parts;
    const first = map.first(row.number);
    if (list === undefined) return this.#copy(row, first, undefined);
    const elements = values.list(list) ?? [];
    values.use(list);
    if (elements.length === 0) this.changes += 1;
    const copies = elements.map((_, index) => {
      budget.insert(row.span.end - row.span.start);
      return this.#copy(row, first + index, { list, index });
    });
    return copies.join('');
  }

  #copy(row: SheetRow, number: number, scope: { list: string; index: number } | undefined): string {
    const edits: SourceEdit[] = [{ ...row.tag, source: renumbered(this.#slice(row.tag), String(number)) }];
    for (const cell of row.cells) {
      const filled = scope === undefined ? undefined : this.#fill(cell, number, scope);
      if (filled !== undefined) edits.push({ ...cell.span, source: filled });
      else edits.push(...this.#moved(cell, row.number, number, scope !== undefined));
    }
    const within = edits.map((edit) => ({
      ...edit,
      start: edit.start - row.span.start,
      end: edit.end - row.span.start,
    }));
    return applyEdits(this.#slice(row.span), within);
  }

  #moved(cell: SheetCell, from: number, to: number, repeated: boolean): SourceEdit[] {
    const edits = [{ ...cell.tag, source: renumbered(this.#slice(cell.tag), `${cell.column}${to}`) }];
    if (cell.formula === undefined) return edits;
    const tag = this.#slice({ start: cell.formula.start, end: cell.formula.text.start });
    if (/\bt="(?:shared|array)"/.test(tag)) {
      throw new ContentError(
        'unsupported',
        `Rows cannot be repeated: ${cell.column}${from} has a shared or array formula`,
      );
    }
    const formula = this.#slice(cell.formula.text);
    const own = repeated ? { from, to } : undefined;
    edits.push({ ...cell.formula.text, source: moveReferences(formula, this.#parts.map, own) });
    return edits;
  }

  /** Returns the cell with its text filled in and written inline; undefined for a cell without a placeholder. */
  #fill(cell: SheetCell, number: number, scope: { list: string; index: number }): string | undefined {
    const { shared, values, named } = this.#parts;
    if (cell.shared === undefined || named.placeholdersOf(cell.shared).length === 0) return undefined;
    const text = shared.texts[cell.shared];
    const matches = text === undefined ? [] : values.matches(joinedText(text.splitText), scope);
    if (text === undefined || matches.length === 0) return undefined;
    this.changes += matches.length;
    const open = renumbered(this.#slice(cell.tag), `${cell.column}${number}`)
      .replace(/\s+t="[^"]*"/, '')
      .replace(/\s*\/?>$/, '');
    const [only] = matches;
    const whole =
      matches.length === 1 && only !== undefined && only.end - only.start === joinedText(text.splitText).length;
    const value = whole && only !== undefined ? values.valueOf(joinedText(text.splitText), scope) : undefined;
    const { prefix } = cell;
    const end = `</${prefix}c>`;
    if (typeof value === 'number') return `${open}><${prefix}v>${value}</${prefix}v>${end}`;
    if (typeof value === 'boolean') return `${open} t="b"><${prefix}v>${value ? 1 : 0}</${prefix}v>${end}`;
    const { edits } = replaceInText(text.splitText, () => matches);
    const moved = edits.map((edit) => ({ ...edit, start: edit.start - text.start, end: edit.end - text.start }));
    this.#parts.budget.insert(text.end - text.start);
    const content = applyEdits(shared.source.slice(text.start, text.end), moved);
    return `${open} t="inlineStr"><${prefix}is>${content}</${prefix}is>${end}`;
  }

  #slice({ start, end }: { start: number; end: number }): string {
    return this.#parts.source.slice(start, end);
  }
}

/** Returns the start tag with its `r` attribute set. The optional `spans` attribute of a row stays valid. */
const renumbered = (tag: string, reference: string): string =>
  /\sr="[^"]*"/.test(tag)
    ? tag.replace(/\sr="[^"]*"/, ` r="${reference}"`)
    : tag.replace(/^<[\w:]+/, (name) => `${name} r="${reference}"`);

const REFERRING = new Set([
  'dimension',
  'mergeCell',
  'hyperlink',
  'autoFilter',
  'conditionalFormatting',
  'dataValidation',
]);

/** Returns edits of the `ref` and `sqref` attributes of elements that describe ranges of cells. */
function referenceEdits(source: string, map: RowMap): SourceEdit[] {
  const edits: SourceEdit[] = [];
  scanXml(source, {
    open: (name, span) => {
      if (!REFERRING.has(name)) return;
      const tag = source.slice(span.start, span.end);
      const moved = tag.replace(/\b((?:sq)?ref)="([^"]*)"/g, (_, attribute: string, ranges: string) => {
        const parts = ranges.split(' ').map((range) => moveReferences(range, map, undefined));
        return `${attribute}="${escapeXml(parts.join(' '))}"`;
      });
      if (moved !== tag) edits.push({ ...span, source: moved });
    },
  });
  return edits;
}
