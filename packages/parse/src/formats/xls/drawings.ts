/**
 * Reads text boxes and charts of an Excel binary workbook, which `@e965/xlsx` does not read. Supports only Excel 97 and
 * later (BIFF8).
 */
import type { BlockDraft } from '@quire/blocks/block';
import type { PlacedBlocks } from '../../office/sheet/sheet-grid.ts';
import { BiffChart } from './chart.ts';
import { biffRecords, biffText, BiffType, type BiffRecord } from './records.ts';

const BIFF8 = 0x0600;
const CHART = 0x0020;
/** Object type of a comment, which is read with its cell. */
const NOTE = 0x19;
/** A client anchor of 18 bytes: two flags, then column, offset, row. */
const ANCHOR = Buffer.from([0x00, 0x00, 0x10, 0xf0, 0x12, 0x00, 0x00, 0x00]);

export interface SheetDrawings {
  /** True for a chart sheet, whose apparent cells are the cached numbers of the chart. */
  isChart: boolean;
  placed: PlacedBlocks[];
}

/** Returns the drawings of each sheet, in the order of the workbook. */
export function readDrawings(stream: Buffer): SheetDrawings[] {
  const [first] = biffRecords(stream, 0);
  if (first?.type !== BiffType.begin || first.data.length < 4 || first.data.readUInt16LE(0) !== BIFF8) return [];
  const starts: number[] = [];
  for (const { type, data } of biffRecords(stream, 0)) {
    if (type === BiffType.end) break;
    if (type === BiffType.sheet && data.length >= 4) starts.push(data.readUInt32LE(0));
  }
  return starts.map((start) => {
    const [sheet] = biffRecords(stream, start);
    return { isChart: sheet !== undefined && beginsChart(sheet), placed: readSheet(stream, start) };
  });
}

function readSheet(stream: Buffer, start: number): PlacedBlocks[] {
  const placed: PlacedBlocks[] = [];
  let place: { row: number; column: number } | undefined;
  let objectType = 0;
  let depth = 0;
  let chart: BiffChart | undefined;
  let text: TextObject | undefined;
  for (const record of biffRecords(stream, start)) {
    const { type, data } = record;
    if (text !== undefined && type !== BiffType.continued) {
      placed.push({ ...place, blocks: text.blocks() });
      text = undefined;
    }
    if (type === BiffType.begin) {
      depth += 1;
      if (beginsChart(record)) chart = new BiffChart();
    } else if (type === BiffType.end) {
      depth -= 1;
      if (chart) placed.push({ ...place, blocks: chart.blocks() });
      chart = undefined;
      if (depth <= 0) break;
    } else if (chart) {
      chart.add(record);
    } else if (type === BiffType.drawing) {
      place = placeIn(data);
    } else if (type === BiffType.object && data.length >= 6) {
      objectType = data.readUInt16LE(4);
    } else if (type === BiffType.text && objectType !== NOTE && data.length >= 12) {
      text = new TextObject(data.readUInt16LE(10));
    } else if (type === BiffType.continued) {
      text?.add(data);
    }
  }
  return placed.filter(({ blocks }) => blocks.length > 0);
}

const beginsChart = ({ type, data }: BiffRecord): boolean =>
  type === BiffType.begin && data.length >= 4 && data.readUInt16LE(2) === CHART;

/** Returns the cell under the upper left corner of the last shape. */
function placeIn(drawing: Buffer): { row: number; column: number } | undefined {
  const anchor = drawing.lastIndexOf(ANCHOR) + ANCHOR.length;
  if (anchor < ANCHOR.length || anchor + 8 > drawing.length) return undefined;
  return { row: drawing.readUInt16LE(anchor + 6), column: drawing.readUInt16LE(anchor + 2) };
}

/**
 * Collects the text of an object from the following records, as many as its length needs; font records come after them.
 */
class TextObject {
  #missing: number;
  #text = '';

  constructor(characters: number) {
    this.#missing = characters;
  }

  add(data: Buffer): void {
    if (this.#missing <= 0) return;
    const part = biffText(data, 0, this.#missing);
    this.#text += part;
    this.#missing -= part.length;
    if (part === '') this.#missing = 0;
  }

  blocks(): BlockDraft[] {
    const text = this.#text.replaceAll(/\r\n?/g, '\n').trim();
    return text === '' ? [] : [{ type: 'paragraph', text }];
  }
}
