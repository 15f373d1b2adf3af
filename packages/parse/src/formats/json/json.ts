/**
 * Reads JSON and JSON lines as blocks. Objects become sections with their path as heading (`customer.address`), scalars
 * become lines of `key: value`, arrays of scalars become lists, and arrays of flat objects become tables.
 */
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { isJsonArray, jsonSequence, type JsonValue } from './json-tokens.ts';
import type { FormatReader } from '../../parser.ts';
import { RowTables } from '../../structure/row-tables.ts';
import { readWholeText } from '../../encoding/text-file.ts';

/**
 * Maximum size of a file in bytes. A value takes about 10 times its text in memory; elements of a top-level array are
 * processed in batches.
 */
const MAX_BYTES = 64 * 1024 * 1024;
const BATCH_VALUES = 500;
/** Maximum level of headings; deeper values become lines with the rest of the path. */
const MAX_HEADING_DEPTH = 6;
/** Maximum number of columns; objects with more different keys become sections. */
const MAX_COLUMNS = 100;
/** Number of cells for each member, and of a small table, beyond which objects with few common keys become sections. */
const MAX_CELLS_PER_MEMBER = 16;
const MAX_SPARSE_CELLS = 5_000;
/** Maximum number of simple members of a nested object that is written into one cell. */
const MAX_CELL_MEMBERS = 8;
/** Maximum length of an array that is written into a cell or line, in characters. */
const MAX_INLINE_LENGTH = 500;

export const reader: FormatReader = {
  parse: async (file, context) => parseJson(await readWholeText(file, MAX_BYTES, context.signal)),
};

export function parseJson(source: string): ParsedContent {
  const text = source.replace(/^\ufeff/, '');
  const isArray = isJsonArray(text);
  const blocks: BlockDraft[] = [];
  let title: string | null = null;
  let batch: JsonValue[] = [];
  let written = 0;
  for (const value of jsonSequence(text)) {
    batch.push(value);
    if (batch.length < BATCH_VALUES) continue;
    writeArray(batch, '', 0, blocks, written);
    written += batch.length;
    batch = [];
  }
  const [only] = batch;
  if (only !== undefined && !isArray && written === 0 && batch.length === 1) {
    title = titleOf(only);
    writeValue(only, '', 0, blocks);
  } else if (batch.length > 0) {
    writeArray(batch, '', 0, blocks, written);
  }
  return { blocks, pageCount: null, title, warnings: [] };
}

function titleOf(root: JsonValue): string | null {
  if (root.kind !== 'object') return null;
  const value = root.values[root.keys.indexOf('title')];
  return value?.kind === 'string' ? value.text : null;
}

/** Writes the value's content below the heading of its owner. Recursion is limited to `MAX_HEADING_DEPTH`. */
function writeValue(value: JsonValue, path: string, depth: number, blocks: BlockDraft[]): void {
  if (value.kind === 'object') writeObject(value.keys, value.values, path, depth, blocks);
  else if (value.kind === 'array') writeArray(value.values, path, depth, blocks);
  else if (value.text !== '') blocks.push({ type: 'paragraph', text: value.text });
}

function writeObject(
  keys: readonly string[],
  values: readonly JsonValue[],
  path: string,
  depth: number,
  blocks: BlockDraft[],
): void {
  const lines: string[] = [];
  const nested: [string, JsonValue][] = [];
  values.forEach((value, index) => {
    const key = keys[index] ?? '';
    const text = inlineValue(value);
    if (text === undefined) nested.push([key, value]);
    else lines.push(`${key}: ${text}`);
  });
  if (lines.length > 0) blocks.push({ type: 'paragraph', text: lines.join('\n') });
  for (const [key, value] of nested) writeMember(value, path === '' ? key : `${path}.${key}`, depth, blocks);
}

/** `firstIndex` is the index of the first value in its array. */
function writeArray(
  values: readonly JsonValue[],
  path: string,
  depth: number,
  blocks: BlockDraft[],
  firstIndex = 0,
): void {
  const texts = values.map(scalarText);
  if (texts.every((text) => text !== undefined)) {
    blocks.push({ type: 'list', ordered: false, children: texts.map((text) => ({ type: 'listItem', text })) });
    return;
  }
  const table = tableOf(values);
  if (table !== undefined) {
    for (const block of table) blocks.push(block);
    return;
  }
  values.forEach((value, index) => writeMember(value, `${path}[${firstIndex + index}]`, depth, blocks));
}

function writeMember(value: JsonValue, path: string, depth: number, blocks: BlockDraft[]): void {
  if (depth >= MAX_HEADING_DEPTH) {
    const lines = deepLines(value, path);
    if (lines.length > 0) blocks.push({ type: 'paragraph', text: lines.join('\n') });
    return;
  }
  const before = blocks.length;
  blocks.push({ type: 'heading', level: depth + 1, text: path });
  writeValue(value, path, depth + 1, blocks);
  // The heading of an empty array or object is removed.
  if (blocks.length === before + 1) blocks.pop();
}

/** Returns `path: value` for every scalar below. Not recursive. */
function deepLines(root: JsonValue, rootPath: string): string[] {
  const lines: string[] = [];
  const todo: [JsonValue, string][] = [[root, rootPath]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, path] = next;
    if (value.kind !== 'array' && value.kind !== 'object') {
      lines.push(`${path}: ${value.text}`);
      continue;
    }
    for (let index = value.values.length - 1; index >= 0; index -= 1) {
      const member = value.values[index];
      const step = value.kind === 'array' ? `[${index}]` : `.${value.keys[index] ?? ''}`;
      // The middle of a long path is cut, because each of its values repeats the path.
      if (member !== undefined) todo.push([member, shorten(path + step)]);
    }
  }
  return lines;
}

function shorten(path: string): string {
  return path.length <= 300 ? path : `${path.slice(0, 140)}…${path.slice(-140)}`;
}

/**
 * Returns one table for objects with simple or small members; undefined for others, with too many different keys, or
 * with few keys in common.
 */
function tableOf(values: readonly JsonValue[]): BlockDraft[] | undefined {
  const columns = new Map<string, number>();
  let members = 0;
  for (const value of values) {
    if (value.kind !== 'object' || new Set(value.keys).size < value.keys.length) return undefined;
    if (value.values.some((member) => cellText(member) === undefined)) return undefined;
    for (const key of value.keys) if (!columns.has(key)) columns.set(key, columns.size);
    if (columns.size > MAX_COLUMNS) return undefined;
    members += value.keys.length;
  }
  const cells = columns.size * values.length;
  if (cells > MAX_SPARSE_CELLS && cells > members * MAX_CELLS_PER_MEMBER) return undefined;
  const tables = new RowTables();
  tables.setHeader([...columns.keys()]);
  for (const value of values) {
    if (value.kind !== 'object') continue;
    const row = Array.from({ length: columns.size }, () => '');
    value.keys.forEach((key, index) => {
      const member = value.values[index];
      if (member !== undefined) row[columns.get(key) ?? 0] = cellText(member) ?? '';
    });
    tables.add(row);
  }
  return tables.end();
}

function scalarText(value: JsonValue): string | undefined {
  return value.kind === 'array' || value.kind === 'object' ? undefined : value.text;
}

/** Returns the text of a value that fits on a line, a scalar or a short array of scalars; undefined for others. */
function inlineValue(value: JsonValue): string | undefined {
  if (value.kind === 'object') return value.values.length === 0 ? '{}' : undefined;
  if (value.kind !== 'array') return value.text;
  const texts = value.values.map(scalarText);
  if (texts.includes(undefined)) return undefined;
  const joined = texts.join(', ');
  return joined.length > MAX_INLINE_LENGTH ? undefined : joined;
}

/** Returns the text of a value that fits in a cell, including a small nested value as `key: value` with its path. */
function cellText(value: JsonValue): string | undefined {
  const inline = inlineValue(value);
  if (inline !== undefined || value.kind !== 'object') return inline;
  if (value.values.length > MAX_CELL_MEMBERS || value.values.some((member) => inlineValue(member) === undefined))
    return undefined;
  const text = value.keys.map((key, index) => `${key}: ${inlineOf(value.values[index])}`).join('; ');
  return text.length > MAX_INLINE_LENGTH ? undefined : text;
}

function inlineOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : (inlineValue(value) ?? '');
}
