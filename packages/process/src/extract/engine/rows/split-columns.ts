/** Splits columns that the parser left in one cell, such as `Qty Price Tax` over `1 278.61 14.50%`. */
import type { PhraseBook } from '../labels/phrase-book.ts';
import { wordsOf } from '../labels/phrase-book.ts';
import type { Grid, Segment } from '../document/segments.ts';

export interface CellText {
  text: string;
  segment: Segment;
  start: number;
  end: number;
}

type Line = (CellText | undefined)[];

const MAX_PARTS = 5;
/** Minimum share of the cells under such a header that split into the same number of parts. */
const MIN_AGREEING = 0.6;

export function splitColumns(grid: Grid, phrases: PhraseBook): Line[] {
  const lines = grid.rows.map((row) => row.map((segment) => (segment === undefined ? undefined : whole(segment))));
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const splits = Array.from({ length: width }, (_, column) => partsOf(lines, column, phrases));
  if (splits.every((parts) => parts === null)) return lines;
  return lines.map((line) =>
    splits.flatMap((split, column): Line => {
      const cell = line[column];
      if (split === null) return [cell];
      const parts = cell === undefined ? null : cut(cell, split.header === cell ? split.starts : null, split.count);
      return parts ?? [cell, ...Array.from({ length: split.count - 1 }, () => undefined)];
    }),
  );
}

interface Split {
  header: CellText;
  count: number;
  /** Start offsets of the header's parts. */
  starts: readonly number[];
}

function partsOf(lines: readonly Line[], column: number, phrases: PhraseBook): Split | null {
  for (const [row, line] of lines.entries()) {
    const header = line[column];
    if (header === undefined || header.text.length > 60 || /\d/.test(header.text)) continue;
    const starts = headerParts(header.text, phrases);
    if (starts.length < 2 || starts.length > MAX_PARTS) continue;
    const below = lines.slice(row + 1).flatMap((other) => other[column] ?? []);
    const agreeing = below.filter(
      (cell) => cell.text.trim().split(/\s+/).length === starts.length && /\d/.test(cell.text),
    );
    if (agreeing.length >= 1 && agreeing.length >= MIN_AGREEING * below.length)
      return { header, count: starts.length, starts };
  }
  return null;
}

/** Returns the start offsets of phrases, when phrases make up the whole text. */
function headerParts(text: string, phrases: PhraseBook): number[] {
  const words = [...text.matchAll(/\S+/g)].map((match) => ({ start: match.index, words: wordsOf(match[0]) }));
  const flat = words.flatMap(({ words: inner }) => inner);
  const covered = new Set<number>();
  const begins = new Set<number>();
  let end = 0;
  for (const match of phrases.find(flat).toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (match.start < end) continue;
    begins.add(match.start);
    end = match.end;
    for (let at = match.start; at < match.end; at += 1) covered.add(at);
  }
  if (covered.size < flat.filter((word) => /\p{L}/u.test(word)).length) return [];
  const starts: number[] = [];
  let count = 0;
  for (const word of words) {
    if (begins.has(count)) starts.push(word.start);
    count += word.words.length;
  }
  return starts;
}

function cut(cell: CellText, starts: readonly number[] | null, count: number): CellText[] | null {
  const at = starts ?? [...cell.text.matchAll(/\S+/g)].map((match) => match.index);
  if (at.length !== count) return null;
  return at.map((start, index) => {
    const raw = cell.text.slice(start, at[index + 1] ?? cell.text.length);
    const text = raw.trim();
    return { text, segment: cell.segment, start: cell.start + start, end: cell.start + start + text.length };
  });
}

const whole = (segment: Segment): CellText => ({ text: segment.text, segment, start: 0, end: segment.text.length });
