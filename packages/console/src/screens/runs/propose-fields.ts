/** Proposes the fields of a schema from the Markdown of a sample: labels with values, and tables. */
import { newField, type FieldType, type SchemaField } from './schema-tree.ts';

const MAX_FIELDS = 40;
const MAX_LABEL = 40;
const MAX_WORDS = 5;

export function proposeFields(markdown: string): SchemaField[] {
  const fields = new Map<string, SchemaField>();
  const add = (field: SchemaField): void => {
    if (field.name !== '' && !fields.has(field.name) && fields.size < MAX_FIELDS) fields.set(field.name, field);
  };
  let heading = '';
  const lines = markdown.split('\n').map((line) => line.trim());
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('#')) heading = line.replace(/^#+/, '');
    const rows = tableAt(lines, at);
    if (rows.length > 0) {
      for (const field of tableFields(rows, heading)) add(field);
      at += rows.length;
    } else add(labelField(line));
  }
  return [...fields.values()];
}

/** Returns the rows of a table that begins at the line, without the line below its head. */
function tableAt(lines: readonly string[], start: number): string[][] {
  if (!isRow(lines[start]) || !/^\|[-:| ]+\|$/.test(lines[start + 1] ?? '')) return [];
  const end = lines.findIndex((line, index) => index > start && !isRow(line));
  const rows = lines.slice(start, end < 0 ? undefined : end).filter((_, index) => index !== 1);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => plain(cell)),
  );
}

const isRow = (line: string | undefined): boolean =>
  line !== undefined && line.length > 1 && line.startsWith('|') && line.endsWith('|');

/** A table of two columns has labels at the left; a wider one is a list with a field a column. */
function tableFields([head = [], ...rows]: string[][], heading: string): SchemaField[] {
  if (head.length === 2) return [head, ...rows].map(([label = '', value = '']) => fieldFor(label, value));
  const children = head.map((label, column) => fieldFor(label, rows[0]?.[column] ?? ''));
  const known = children.filter(({ name }) => name !== '');
  return known.length === 0
    ? []
    : [newField({ name: nameOf(heading) || 'items', type: 'group', isList: true, children: known })];
}

/** Returns the field of a line such as `**Invoice number:** A-1077`; one without a name if the line is none. */
function labelField(line: string): SchemaField {
  const text = plain(line);
  const colon = text.indexOf(':');
  const [label, value] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1).trim()];
  return value === '' || /^\d|\bhttps?$/.test(label) ? newField() : fieldFor(label, value);
}

/** Markup of Markdown around a label: marks of lists, headings and emphasis. */
const plain = (text: string): string =>
  text
    .replace(/^[-*#>\s]+/, '')
    .replace(/[*_`]/g, '')
    .trim();

function fieldFor(label: string, value: string): SchemaField {
  const words = label.trim().split(/\s+/);
  const isLabel = label.length <= MAX_LABEL && words.length <= MAX_WORDS;
  return newField({ name: isLabel ? nameOf(label) : '', type: typeOf(value) });
}

/** Returns `invoiceNumber` for “Invoice number”. */
function nameOf(label: string): string {
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 || words.length > MAX_WORDS) return '';
  return words
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('');
}

const MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc';
const DATE = new RegExp(
  String.raw`^(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}\.? (?:${MONTH})\p{L}*\.? \d{4}|(?:${MONTH})\p{L}* \d{1,2}, \d{4})$`,
  'iu',
);
const NUMBER = /^(?:[A-Z]{3}|[€$£])? ?-?\d[\d.,' ]*(?:[A-Z]{3}|[€$£%])?$/u;
const WORDS_OF_CHOICE = /^(?:yes|no|true|false|ja|nein|oui|non)$/i;

function typeOf(value: string): FieldType {
  if (DATE.test(value)) return 'date';
  if (NUMBER.test(value)) return 'number';
  return WORDS_OF_CHOICE.test(value) ? 'boolean' : 'text';
}
