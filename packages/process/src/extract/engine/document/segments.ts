/**
 * Flattens the block tree to a list of segments with their positions: paragraphs, headings and cells. Tables, and text
 * aligned in columns, are returned as grids too.
 */
import type { Block, BoundingBox, DocumentTree } from '@quire/blocks/block';
import { tableGrid } from '@quire/blocks/table-grid';
import { walkBlocks } from '@quire/blocks/walk';
import { alignedGrids } from './aligned-grids.ts';
import { findValueSpans, type ValueSpan } from '../values/value-spans.ts';

export interface Segment {
  /** Index in document order. */
  index: number;
  text: string;
  page: number | null;
  /** Bounding box of the block; cells have their table's. */
  bbox: BoundingBox | null;
  kind: 'heading' | 'text' | 'listItem' | 'cell';
  cell: { grid: Grid; row: number; column: number; header: boolean } | null;
  spans: readonly ValueSpan[];
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
const COLUMNS = /\t+| {2,}|\s*[|│┃║]\s*/;

export function segmentDocument(tree: DocumentTree): SegmentedDocument {
  const reader = new SegmentReader();
  for (const block of walkBlocks(tree.blocks)) reader.read(block);
  const { segments, grids } = reader;
  return { segments, grids, alignedGrids: alignedGrids(segments), language: tree.language, title: tree.title };
}

class SegmentReader {
  readonly segments: Segment[] = [];
  readonly grids: Grid[] = [];

  read(block: Block): void {
    if (this.segments.length > MAX_SEGMENTS) return;
    if (block.rows !== undefined) return this.#table(block);
    const text = block.text ?? '';
    if (text.trim() === '' || block.type === 'formula') return;
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (block.type === 'code' && lines.some((line) => COLUMNS.test(line.trim()))) return this.#columns(block, lines);
    const kind = block.type === 'heading' || block.type === 'listItem' ? block.type : 'text';
    for (const line of lines) this.#add(block, line, kind, null);
  }

  #table(block: Block): void {
    const laidOut = tableGrid(block.rows ?? []);
    const grid = newGrid(block);
    for (const [row, cells] of laidOut.entries()) {
      const segments: (Segment | undefined)[] = [];
      for (const [column, at] of cells.entries()) {
        const own = at?.origin === true && at.cell.text.trim() !== '';
        const header = at?.cell.header === true;
        segments.push(own ? this.#add(block, at.cell.text, 'cell', { grid, row, column, header }) : undefined);
      }
      grid.rows.push(segments);
      if (grid.headerRows === row && cells.every((at) => at === undefined || at.cell.header)) grid.headerRows += 1;
    }
    this.grids.push(grid);
  }

  #columns(block: Block, lines: readonly string[]): void {
    const grid = newGrid(block);
    for (const [row, line] of lines.entries()) {
      const parts = line
        .trim()
        .split(COLUMNS)
        .filter((part) => part !== '');
      grid.rows.push(parts.map((part, column) => this.#add(block, part, 'cell', { grid, row, column, header: false })));
    }
    this.grids.push(grid);
  }

  #add(block: Block, text: string, kind: Segment['kind'], cell: Segment['cell']): Segment {
    const segment: Segment = {
      index: this.segments.length,
      text,
      page: block.page ?? null,
      bbox: block.bbox ?? null,
      kind,
      cell,
      spans: findValueSpans(text.slice(0, MAX_SEGMENT_LENGTH)),
    };
    this.segments.push(segment);
    return segment;
  }
}

function newGrid(block: Block): Grid {
  return { rows: [], bbox: block.bbox ?? null, page: block.page ?? null, headerRows: 0 };
}
