/** Reads tables of PowerPoint binary files: a group of one rectangle per cell and lines between them. */
import type { BlockDraft, TableCell } from '@quire/blocks/block';
import type { PlacedBox } from '../../office/build/reading-order.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import { childRecords, RecordType } from './records.ts';
import type { PptRecord } from './records.ts';

export interface PptCell {
  frame: PlacedBox;
  content: BuiltText;
}

/** `tableProperties` of [MS-ODRAW] 2.3.4.37; its lowest bit marks the group as a table. */
const TABLE_PROPERTIES = 0x039f;
const PROPERTY_BYTES = 6;
/** Distance in master units (576 per inch) below which two edges are equal. */
const SAME_EDGE = 8;
const MAX_CELLS = 10_000;

/** Returns whether the group of this shape is a table. */
export function isTable(stream: Buffer, groupShape: PptRecord): boolean {
  for (const record of childRecords(stream, groupShape)) {
    if (record.type !== RecordType.laterProperties) continue;
    const end = Math.min(record.end, record.start + record.instance * PROPERTY_BYTES);
    for (let position = record.start; position + PROPERTY_BYTES <= end; position += PROPERTY_BYTES) {
      const id = stream.readUInt16LE(position) & 0x3fff;
      if (id === TABLE_PROPERTIES) return (stream.readUInt32LE(position + 2) & 1) === 1;
    }
  }
  return false;
}

/** Returns the cells arranged by position, with blanks where no cell is; undefined if none has text. */
export function tableOf(cells: readonly PptCell[]): BlockDraft | undefined {
  if (cells.every((cell) => cell.content.text === '') || cells.length > MAX_CELLS) return undefined;
  const lefts = distinct(cells.map(({ frame }) => frame.left));
  const tops = distinct(cells.map(({ frame }) => frame.top));
  if (lefts.length * tops.length > MAX_CELLS) return undefined;
  const starts = new Map(
    cells.map((cell) => [`${place(tops, cell.frame.top)} ${place(lefts, cell.frame.left)}`, cell]),
  );
  const covered = new Set<string>();
  const rows = tops.map((_, row) =>
    lefts.flatMap((__, column): TableCell[] => {
      if (covered.has(`${row} ${column}`)) return [];
      const cell = starts.get(`${row} ${column}`);
      const rowSpan = cell ? Math.max(1, place(tops, cell.frame.bottom - 2 * SAME_EDGE) - row + 1) : 1;
      const colSpan = cell ? Math.max(1, place(lefts, cell.frame.right - 2 * SAME_EDGE) - column + 1) : 1;
      for (let below = row; below < row + rowSpan; below += 1) {
        for (let beside = column; beside < column + colSpan; beside += 1) covered.add(`${below} ${beside}`);
      }
      return [{ text: '', ...cell?.content, rowSpan, colSpan, header: false }];
    }),
  );
  return { type: 'table', rows };
}

function distinct(edges: readonly number[]): number[] {
  const kept: number[] = [];
  for (const edge of edges.toSorted((a, b) => a - b))
    if (edge - (kept.at(-1) ?? -Infinity) > SAME_EDGE) kept.push(edge);
  return kept;
}

/** Returns the index of the last sorted edge at or before the position. */
const place = (edges: readonly number[], position: number): number =>
  Math.max(
    0,
    edges.findLastIndex((edge) => edge <= position + SAME_EDGE),
  );
