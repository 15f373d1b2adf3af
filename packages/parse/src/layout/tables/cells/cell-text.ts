/** Builds the text of a cell: lines are joined; list items and paragraphs separated by space keep line breaks. */
import { textOf } from '../../lines/line.ts';
import { listMarker } from '../../lines/list-marker.ts';
import type { Word } from '../../page/page-content.ts';
import { textRows } from '../../lines/text-rows.ts';

/** Baseline distance, in font sizes, that starts a new line, and that starts a new paragraph. */
const LINE_PITCH = 0.7;
const PARAGRAPH_PITCH = 1.75;

export function cellText(words: readonly Word[]): string {
  if (words.some((word) => word.angle !== 0)) return textOf(words);
  let text = '';
  let last: Word[] | undefined;
  const lines = linesOf(words);
  for (const line of lines) {
    const own = textOf(line);
    if (last === undefined) text = itemText(own);
    else text += startsParagraph(last, line, own) ? `\n${itemText(own)}` : ` ${own}`;
    last = line;
  }
  // A single symbol is a value, not a list item.
  return lines.length === 1 ? textOf(words) : text;
}

/** Words of one line of a cell, and the range of the cell's text that they occupy. */
export interface CellLine {
  words: readonly Word[];
  start: number;
  end: number;
}

/** Returns the printed lines of a cell with more than one; none if they are not found in its text in this order. */
export function cellLines(words: readonly Word[], text: string): CellLine[] {
  const lines = words.some((word) => word.angle !== 0) ? [] : linesOf(words);
  if (lines.length < 2) return [];
  const found: CellLine[] = [];
  let end = 0;
  for (const line of lines) {
    const own = [textOf(line), itemText(textOf(line))].find((one) =>
      text.startsWith(one, found.length > 0 ? end + 1 : 0),
    );
    if (own === undefined) return [];
    const start = found.length > 0 ? end + 1 : 0;
    end = start + own.length;
    found.push({ words: line, start, end });
  }
  return end === text.length ? found : [];
}

/** Splits words into lines in drawing order, unless the drawing order jumps up. */
function linesOf(words: readonly Word[]): Word[][] {
  const climbs = words.some(
    (word, index) => index > 0 && word.baseline < (words[index - 1]?.baseline ?? 0) - 0.5 * word.size,
  );
  if (climbs) return textRows(words, Infinity).map((row) => row.segments.flatMap((segment) => segment.words));
  const lines: Word[][] = [];
  let baseline = -Infinity;
  for (const word of words) {
    if (word.baseline - baseline > LINE_PITCH * word.size) {
      lines.push([]);
      ({ baseline } = word);
    }
    lines.at(-1)?.push(word);
  }
  return lines;
}

function startsParagraph(above: readonly Word[], line: readonly Word[], text: string): boolean {
  const [first, second] = [above[0], line[0]];
  if (first === undefined || second === undefined) return false;
  return isItem(text) || second.baseline - first.baseline > PARAGRAPH_PITCH * Math.max(first.size, second.size);
}

/** Requires letters, because `1. 250` may be a continued number. */
const isItem = (text: string): boolean => listMarker(text) !== undefined && /\p{L}{2}/u.test(text);

/** Normalises all bullets to `- `, as in the cells of other formats. */
function itemText(text: string): string {
  const marker = isItem(text) ? listMarker(text) : undefined;
  return marker === undefined || marker.ordered ? text : `- ${text.slice(marker.length)}`;
}
