/** Guesses the dialect of a CSV file from its first rows: the delimiter, and whether the first row is a header. */
import Papa from 'papaparse';

export type Delimiter = ',' | ';' | '\t' | '|';

/** In order of trust: commas also occur as decimal points and in prose, the others rarely in every row. */
const DELIMITERS: readonly Delimiter[] = ['\t', ';', '|', ','];
const SAMPLE_ROWS = 100;

/** Returns the rows of the sample for a delimiter, without the last row if the sample was cut from a longer text. */
export function sampleRows(sample: string, delimiter: Delimiter, isWhole: boolean): string[][] {
  const { data } = Papa.parse<string[]>(sample, { delimiter, preview: SAMPLE_ROWS, skipEmptyLines: 'greedy' });
  return isWhole || data.length < 2 || data.length >= SAMPLE_ROWS ? data : data.slice(0, -1);
}

/**
 * Returns the delimiter with which most rows have the same number of fields, above one; a comma if no row can be split.
 */
export function guessDelimiter(sample: string, isWhole: boolean): Delimiter {
  const named = /^sep=([,;|\t])\r?$/m.exec(sample.slice(0, 8))?.[1];
  if (named !== undefined) return named as Delimiter;
  let best: Delimiter = ',';
  let bestShare = 0;
  for (const delimiter of DELIMITERS) {
    const share = evenShare(sampleRows(sample, delimiter, isWhole));
    if (share > bestShare + 0.02) {
      best = delimiter;
      bestShare = share;
    }
  }
  return best;
}

/** Returns the share of the rows with the most frequent number of fields, 0 if that number is one. */
function evenShare(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) if (row.length > 1) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  return Math.max(0, ...counts.values()) / Math.max(1, rows.length);
}

const MAX_TITLE_ROWS = 20;

/**
 * Returns the number of rows above the table: rows with a single field, or comments, while the rows below have more.
 */
export function titleRows(rows: readonly (readonly string[])[]): number {
  const first = rows.findIndex((row) => !isTitle(row));
  if (first <= 0 || first > MAX_TITLE_ROWS) return 0;
  const table = rows.slice(first);
  const full = table.filter((row) => filled(row) > 1).length;
  return full >= 2 && full * 2 > table.length ? first : 0;
}

const isTitle = (row: readonly string[]): boolean =>
  row[0]?.startsWith('#') === true
    ? !isColumnName(row)
    : filled(row) === 1 && row[0]?.trim() !== '' && !isValue(row[0] ?? '');

/** Accepts `#` and `#id` as column names; `# exported today` is a comment. */
const isColumnName = (row: readonly string[]): boolean => filled(row) > 1 && !/^#\s*\S+\s/.test(row[0] ?? '');

const filled = (row: readonly string[]): number => row.filter((cell) => cell.trim() !== '').length;

const NUMBER = /^[-+]?[\p{Sc}]?\s*\d[\d.,'\s]*(?:[eE][-+]?\d+)?\s*[%\p{Sc}]?$/u;
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?$/;

/** Returns whether the first row holds column names: only text, no duplicates, and unlike the rows below. */
export function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...below] = rows;
  if (first === undefined || below.length === 0) return false;
  const names = first.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (names.length === 0 || names.some(isValue) || new Set(names).size < names.length) return false;
  if (first.some((_, column) => below.filter((row) => isValue(row[column] ?? '')).length * 2 > below.length))
    return true;
  // If all cells are text, names are short and do not occur again in their own column.
  const repeated = first.some((name, column) =>
    below.some((row) => name.trim() !== '' && row[column]?.trim() === name.trim()),
  );
  return !repeated && names.every((name) => name.length <= 60) && names.length * 2 >= first.length;
}

function isValue(cell: string): boolean {
  const text = cell.trim();
  return NUMBER.test(text) || DATE.test(text);
}
