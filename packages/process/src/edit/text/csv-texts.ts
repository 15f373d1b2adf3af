/** Finds the fields of CSV and TSV. A field is quoted when its new text holds a delimiter, a quote or a line break. */
import { guessDelimiter } from '@quire/parse/formats/csv/csv-dialect';
import type { SplitText } from '../replace/split-text.ts';

const SAMPLE = 256 * 1024;

export function csvTexts(source: string): SplitText[] {
  const delimiter = guessDelimiter(source.slice(0, SAMPLE), source.length <= SAMPLE);
  const texts: SplitText[] = [];
  let position = 0;
  while (position < source.length) {
    const end = source[position] === '"' ? quotedEnd(source, position) : plainEnd(source, position, delimiter);
    if (end > position) texts.push(field(source, position, end, delimiter));
    position = end + (source.startsWith('\r\n', end) ? 2 : 1);
  }
  return texts;
}

function plainEnd(source: string, from: number, delimiter: string): number {
  let end = from;
  while (end < source.length && source[end] !== delimiter && source[end] !== '\n' && source[end] !== '\r') end += 1;
  return end;
}

/** Returns the position after the closing quote. An unclosed quote ends with the file. */
function quotedEnd(source: string, from: number): number {
  for (let at = source.indexOf('"', from + 1); at >= 0; at = source.indexOf('"', at + 2)) {
    if (source[at + 1] !== '"') return at + 1;
  }
  return source.length;
}

function field(source: string, start: number, end: number, delimiter: string): SplitText {
  const written = source.slice(start, end);
  const quoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
  const text = quoted ? written.slice(1, -1).replaceAll('""', '"') : written;
  const encode = (edited: string): { source: string } => {
    const quote = quoted || edited.includes(delimiter) || /["\r\n]/.test(edited);
    return { source: quote ? `"${edited.replaceAll('"', '""')}"` : edited };
  };
  return { pieces: [{ start, end, text, encode }] };
}
