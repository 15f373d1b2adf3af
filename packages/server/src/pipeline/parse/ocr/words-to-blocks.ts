/**
 * OCR words → blocks: lines as the engine found them, tables from words that stand in columns, paragraphs, lists and
 * headings from spacing and size. Boxes are given for the page as it is shown, also when it was turned to be read.
 */
import type { BlockDraft } from '../../../content/block.ts';
import type { OcrWord } from './ocr-engine.ts';
import { shownBox } from './ocr.ts';
import type { RecognisedPicture } from './ocr.ts';
import { boxOf, findTables, median } from './scan-table.ts';
import type { PixelBox, ScanTable } from './scan-table.ts';

interface TextLine {
  words: OcrWord[];
  box: PixelBox;
  block: number;
  /** Of its larger words: those with ascenders or capitals. */
  size: number;
}

interface Passage {
  lines: TextLine[];
  box: PixelBox;
}

/** Blocks in reading order, each with `page` and a box in 0..1. */
export function wordsToBlocks(picture: RecognisedPicture, page: number | null): BlockDraft[] {
  const tables = findTables(picture.words);
  const tableOf = new Map(tables.flatMap((table) => table.words.map((word) => [word, table] as const)));
  const parts = splitAtTables(linesOf(picture.words), tableOf);
  const body = bodySize(parts.flatMap((part) => ('lines' in part ? part.lines : [])));
  const place = (box: PixelBox): Pick<BlockDraft, 'page' | 'bbox'> => ({
    ...(page === null ? {} : { page }),
    bbox: shownBox(box, picture),
  });
  return groupLists(
    parts.map((part) =>
      'rows' in part
        ? { type: 'table', rows: part.rows, ...place(part.box) }
        : { ...describePassage(part, body), ...place(part.box) },
    ),
  );
}

function linesOf(words: readonly OcrWord[]): TextLine[] {
  const lines: OcrWord[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line?.[0]?.line === word.line) line.push(word);
    else lines.push([word]);
  }
  return lines.map(toLine);
}

function toLine(words: OcrWord[]): TextLine {
  const heights = words.map(({ bbox }) => bbox[3] - bbox[1]).toSorted((a, b) => a - b);
  const size = heights[Math.floor(heights.length * 0.8)] ?? 0;
  return { words, box: boxOf(words.map((word) => word.bbox)), block: words[0]?.block ?? 0, size };
}

/** Passages and tables in reading order; a table stands where its first word was read. */
function splitAtTables(lines: readonly TextLine[], tableOf: ReadonlyMap<OcrWord, ScanTable>): (Passage | ScanTable)[] {
  const parts: (Passage | ScanTable)[] = [];
  const placed = new Set<ScanTable>();
  let open: TextLine[] = [];
  const flush = (): void => {
    parts.push(...passagesOf(open));
    open = [];
  };
  for (const line of lines) {
    const outside = line.words.filter((word) => !tableOf.has(word));
    if (outside.length > 0) open.push(outside.length === line.words.length ? line : toLine(outside));
    for (const word of line.words) {
      const table = tableOf.get(word);
      if (table === undefined || placed.has(table)) continue;
      flush();
      placed.add(table);
      parts.push(table);
    }
  }
  flush();
  return parts;
}

function passagesOf(lines: readonly TextLine[]): Passage[] {
  const pitch = median(
    lines
      .slice(1)
      .map((line, index) => line.box[3] - (lines[index]?.box[3] ?? 0))
      .filter((gap) => gap > 0),
  );
  const passages: TextLine[][] = [];
  for (const line of lines) {
    const current = passages.at(-1);
    const last = current?.at(-1);
    if (current === undefined || last === undefined || startsPassage(last, line, pitch)) passages.push([line]);
    else current.push(line);
  }
  return passages.map((members) => ({ lines: members, box: boxOf(members.map((line) => line.box)) }));
}

const LIST_MARKER = /^(?:[•▪◦‣●○*–—-]|\(?(?:\d{1,3}|[a-z])[.)])(?=\s)/u;

function startsPassage(last: TextLine, line: TextLine, pitch: number): boolean {
  const gap = line.box[3] - last.box[3];
  const size = Math.max(last.size, line.size);
  if (gap <= 0 || (line.block !== last.block && !flowsOn(last, line, size))) return true;
  if (gap > 1.35 * pitch && gap > 1.6 * size) return true;
  // Lines with and without letters that go below the baseline differ by 1.3.
  if (size > 1.45 * Math.min(last.size, line.size)) return true;
  if (LIST_MARKER.test(lineText(line))) return true;
  const indented = line.box[0] - last.box[0] > 0.8 * size;
  const missing = line.box[2] - last.box[2];
  if (missing > 0.4 * (line.box[2] - line.box[0])) return true;
  const lastEndsEarly = missing > 3 * size;
  return (indented && !LIST_MARKER.test(lineText(last))) || (lastEndsEarly && /[.:!?]$/.test(lineText(last)));
}

/** The engine often cuts a column in two for no visible reason: the next line stands right below, at the same margin. */
function flowsOn(last: TextLine, line: TextLine, size: number): boolean {
  return line.box[3] - last.box[3] < 1.9 * size && Math.abs(line.box[0] - last.box[0]) < size;
}

const lineText = (line: TextLine): string => line.words.map((word) => word.text).join(' ');

/** A hyphen at the end of a line between two lower-case letters divides a word. */
function joinLines(lines: readonly TextLine[]): string {
  return lines
    .map(lineText)
    .reduce((text, next) =>
      /\p{Ll}[-‐]$/u.test(text) && /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : `${text} ${next}`,
    );
}

/** The size of most of the text, by characters. */
function bodySize(lines: readonly TextLine[]): number {
  return median(lines.flatMap((line) => line.words.flatMap((word) => Array<number>(word.text.length).fill(line.size))));
}

function describePassage(passage: Passage, body: number): BlockDraft {
  const text = joinLines(passage.lines);
  const marker = LIST_MARKER.exec(text)?.[0];
  if (marker !== undefined && text.length > marker.length + 1) {
    const ordered = /[\da-z]/.test(marker);
    return { type: 'listItem', level: 1, ordered, text: ordered ? text : text.slice(marker.length).trim() };
  }
  const ratio = body === 0 ? 1 : median(passage.lines.map((line) => line.size)) / body;
  const short = passage.lines.length <= 2 && text.length <= 120 && /^[\p{L}\p{N}][^|\\]*\p{L}{2}[^|\\]*$/u.test(text);
  if (!short || ratio < 1.3) return { type: 'paragraph', text };
  return { type: 'heading', level: ratio >= 1.9 ? 1 : ratio >= 1.55 ? 2 : 3, text };
}

/** Neighbouring items become one list. A single numbered line is more often a numbered heading or a date. */
function groupLists(blocks: readonly BlockDraft[]): BlockDraft[] {
  const grouped: BlockDraft[] = [];
  for (let index = 0; index < blocks.length;) {
    const block = blocks[index];
    if (block === undefined) break;
    let end = index;
    while (blocks[end]?.type === 'listItem' && blocks[end]?.ordered === block.ordered) end += 1;
    const items = blocks.slice(index, end);
    if (items.length === 0) grouped.push(block);
    else if (items.length === 1) grouped.push(plainItem(block));
    else grouped.push(listOf(items));
    index = Math.max(end, index + 1);
  }
  return grouped;
}

function plainItem({ level: _level, ordered: _ordered, ...rest }: BlockDraft): BlockDraft {
  return { ...rest, type: 'paragraph' };
}

function listOf(items: readonly BlockDraft[]): BlockDraft {
  const [first] = items;
  const boxes = items.flatMap((item) => (item.bbox === undefined ? [] : [item.bbox]));
  const ordered = first?.ordered === true;
  const start = ordered ? Number(/\d+/.exec(first?.text ?? '')?.[0] ?? 1) : 1;
  const children = items.map(({ ordered: _ordered, ...item }) =>
    ordered ? { ...item, text: (item.text ?? '').replace(LIST_MARKER, '').trim() } : item,
  );
  return {
    type: 'list',
    ordered,
    ...(start === 1 ? {} : { start }),
    ...(first?.page === undefined ? {} : { page: first.page }),
    ...(boxes.length === 0 ? {} : { bbox: boxOf(boxes) }),
    children,
  };
}
