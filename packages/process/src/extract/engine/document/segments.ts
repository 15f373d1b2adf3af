/**
 * Flattens the block tree to a list of segments with their positions: paragraphs, headings and cells. Tables, and text
 * aligned in columns, are returned as grids too.
 */
import type { Block, BoundingBox, DocumentTree, TableCell, TextLine } from '@quire/blocks/block';
import { boxesOfRange, sliceLines } from '@quire/blocks/text-lines';
import { tableGrid } from '@quire/blocks/table-grid';
import { walkBlocks } from '@quire/blocks/walk';
import { alignedGrids } from './aligned-grids.ts';
import type { Evidence } from '../../extraction.ts';
import { COLUMNS, isTypewritten } from '../../../sentences/typewritten.ts';
import { isAddressLike } from '../parties/addresses.ts';
import { findValueSpans, type ValueSpan } from '../values/value-spans.ts';

export interface Segment {
  /** Index in document order. */
  index: number;
  /** Number of the block; an address is a block with a segment for each line. */
  block: number;
  text: string;
  page: number | null;
  /** Bounding box of the block; cells have their table's. */
  bbox: BoundingBox | null;
  /** Line map of the text; empty if the position of its lines is unknown. */
  lines: readonly TextLine[];
  kind: 'heading' | 'text' | 'listItem' | 'cell';
  /** Level of a heading; null for other segments. */
  level: number | null;
  cell: { grid: Grid; row: number; column: number; header: boolean } | null;
  spans: readonly ValueSpan[];
  /** Ends of the lines of a cell that holds an address, whose lines state something of their own; otherwise empty. */
  lineEnds: readonly number[];
}

export interface Grid {
  rows: (Segment | undefined)[][];
  bbox: BoundingBox | null;
  page: number | null;
  /** Number of leading rows that the parser marked as headers. */
  headerRows: number;
}

export interface SegmentedDocument {
  segments: readonly Segment[];
  grids: readonly Grid[];
  /** Grids of segments side by side outside tables. */
  alignedGrids: readonly Grid[];
  language: string | null;
  title: string | null;
}

/** Number of characters of a segment that are searched for values; longer segments are prose. */
const MAX_SEGMENT_LENGTH = 20_000;
const MAX_SEGMENTS = 100_000;

export function segmentDocument(tree: DocumentTree): SegmentedDocument {
  const reader = new SegmentReader();
  for (const block of walkBlocks(tree.blocks)) reader.read(block);
  const { segments, grids } = reader;
  return { segments, grids, alignedGrids: alignedGrids(segments), language: tree.language, title: tree.title };
}

class SegmentReader {
  readonly segments: Segment[] = [];
  readonly grids: Grid[] = [];
  #blocks = 0;

  read(block: Block): void {
    if (this.segments.length > MAX_SEGMENTS) return;
    this.#blocks += 1;
    if (block.rows !== undefined) return this.#table(block);
    const text = block.text ?? '';
    if (text.trim() === '' || block.type === 'formula') return;
    const printed = block.type === 'paragraph' ? separateLines(block) : null;
    if (printed !== null) {
      for (const { line, box } of printed)
        this.#add({ ...block, bbox: box }, line.text, 'text', null, linesOf(block, line.start, line.text));
      return;
    }
    const lines = placedLines(text).filter((line) => line.text.trim() !== '');
    if (block.type === 'code' && isTypewritten(lines.map((line) => line.text)))
      return void this.#add(block, text, 'text', null, block.lines ?? []);
    if (block.type === 'code' && lines.some((line) => COLUMNS.test(line.text.trim())))
      return this.#columns(block, lines);
    const kind = block.type === 'heading' || block.type === 'listItem' ? block.type : 'text';
    for (const line of lines) this.#add(block, line.text, kind, null, linesOf(block, line.start, line.text));
  }

  #table(block: Block): void {
    const laidOut = tableGrid(block.rows ?? []);
    const grid = newGrid(block);
    for (const [row, cells] of laidOut.entries()) {
      const segments: (Segment | undefined)[] = [];
      for (const [column, at] of cells.entries()) {
        const own = at?.origin === true && at.cell.text.trim() !== '';
        const header = at?.cell.header === true;
        const place = { grid, row, column, header };
        segments.push(own ? this.#add(block, at.cell.text, 'cell', place, cellLines(at.cell)) : undefined);
      }
      grid.rows.push(segments);
      if (grid.headerRows === row && cells.every((at) => at === undefined || at.cell.header)) grid.headerRows += 1;
    }
    this.grids.push(grid);
  }

  #columns(block: Block, lines: readonly PlacedLine[]): void {
    const grid = newGrid(block);
    for (const [row, line] of lines.entries()) {
      const parts = line.text
        .trim()
        .split(COLUMNS)
        .filter((part) => part !== '');
      let from = 0;
      const segments = parts.map((part, column) => {
        const at = line.text.indexOf(part, from);
        from = at + part.length;
        const place = { grid, row, column, header: false };
        return this.#add(block, part, 'cell', place, linesOf(block, line.start + at, part));
      });
      grid.rows.push(segments);
    }
    this.grids.push(grid);
  }

  #add(block: Block, text: string, kind: Segment['kind'], cell: Segment['cell'], lines: readonly TextLine[]): Segment {
    const segment: Segment = {
      index: this.segments.length,
      block: this.#blocks,
      text,
      page: block.page ?? null,
      bbox: block.bbox ?? null,
      lines,
      kind,
      level: kind === 'heading' ? (block.level ?? null) : null,
      cell,
      spans: findValueSpans(text.slice(0, MAX_SEGMENT_LENGTH)),
      lineEnds: kind === 'cell' ? addressLineEnds(text, lines) : [],
    };
    this.segments.push(segment);
    return segment;
  }
}

/** Maximum number of lines of an address block or a letterhead, and their maximum lengths. */
const MAX_SEPARATE_LINES = 10;
const MAX_LINE_LENGTH = 60;
const MEAN_WORDS = 5;
/** A sentence after a full stop; address blocks and letterheads have none. */
const SENTENCES = /\p{Ll}{3}[.!?]\s+\p{Lu}\p{Ll}+\s+\p{Ll}/u;

/**
 * Returns the printed lines of a paragraph that is no running text, such as an address: each of its lines states
 * something of its own, and a line is short. Null for running text and where the lines are not known.
 */
function separateLines({ text = '', lines = [], page }: Block): { line: PlacedLine; box: BoundingBox }[] | null {
  if (lines.length < 2 || lines.length > MAX_SEPARATE_LINES || SENTENCES.test(text)) return null;
  const placed = lines.map((line) => ({
    line: { start: line.start, text: text.slice(line.start, line.end) },
    box: line.box,
  }));
  const words = text.split(/\s+/u).length;
  const isShort = placed.every(({ line }) => line.text.length <= MAX_LINE_LENGTH);
  const isOnPage = lines.every((line) => line.page === page);
  return isShort && isOnPage && words <= MEAN_WORDS * lines.length ? placed : null;
}

/** Returns the ends of the lines of a cell that holds an address, by their positions or by line breaks. */
function addressLineEnds(text: string, lines: readonly TextLine[]): number[] {
  const ends =
    lines.length > 1 ? lines.map(({ end }) => end) : placedLines(text).map((line) => line.start + line.text.length);
  if (ends.length < 2 || ends.length > MAX_SEPARATE_LINES || SENTENCES.test(text) || !isAddressLike(text)) return [];
  const isShort = ends.every((end, at) => end - (ends[at - 1] ?? 0) <= MAX_LINE_LENGTH);
  return isShort && text.split(/\s+/u).length <= MEAN_WORDS * ends.length ? ends : [];
}

/** Returns the end of the line of an address that holds the offset; of other segments, the end of the text. */
export const lineEnd = ({ text, lineEnds }: Segment, at: number): number =>
  lineEnds.find((end) => end > at) ?? text.length;

/** Returns the start of the text behind the end of a line. */
export const nextLineStart = ({ text }: Segment, end: number): number =>
  end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);

function newGrid(block: Block): Grid {
  return { rows: [], bbox: block.bbox ?? null, page: block.page ?? null, headerRows: 0 };
}

interface PlacedLine {
  text: string;
  /** Offset in the block's text. */
  start: number;
}

function placedLines(text: string): PlacedLine[] {
  let next = 0;
  return text.split('\n').map((line) => {
    const start = next;
    next += line.length + 1;
    return { text: line, start };
  });
}

const linesOf = (block: Block, start: number, text: string): TextLine[] =>
  block.lines === undefined ? [] : sliceLines(block.lines, start, start + text.length);

const cellLines = ({ text, page, box, lines }: TableCell): readonly TextLine[] =>
  lines ?? (page === undefined || box === undefined ? [] : [{ start: 0, end: text.length, page, box }]);

/** Returns the boxes of the lines that hold `[start, end)` of a segment, or the box of its block. */
export function segmentBoxes({ lines, page, bbox }: Segment, start: number, end: number): Evidence['boxes'] {
  const place = {
    ...(lines.length === 0 ? {} : { lines: [...lines] }),
    ...(page === null ? {} : { page }),
    ...(bbox === null ? {} : { bbox }),
  };
  return boxesOfRange(place, start, end).map((found) => ({ page: found.page, bbox: found.box }));
}
