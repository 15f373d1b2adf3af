/**
 * Reads the text boxes of floating shapes and their anchors ([MS-DOC] 2.8.37, PlcfSpa; 2.8.32, PlcftxbxTxt). Shapes
 * inside a group have no anchor of their own; the drawing states their group.
 */
import { recordsBetween, recordsOfType, readRecord } from '../ppt/records.ts';
import type { PptRecord } from '../ppt/records.ts';
import type { FileInformation } from './file-information.ts';
import { readPlc } from './plc.ts';

interface TextRange {
  start: number;
  end: number;
}

export interface TextBoxes {
  /** Text boxes by the position of their anchor. */
  anchored: ReadonlyMap<number, readonly TextRange[]>;
  /** Text boxes without a known anchor. */
  others: readonly TextRange[];
}

const ANCHOR_BYTES = 26;
const BOX_BYTES = 22;
const BOX_SHAPE = 14;
const DRAWING = 0xf002;
const GROUP = 0xf003;
const SHAPE = 0xf004;
const SHAPE_ATOM = 0xf00a;
const MAX_DEPTH = 40;

/** Returns the text boxes. `offset` is the first character of their text. Word 6 files have one range for all. */
export function readTextBoxes(information: FileInformation, offset: number): TextBoxes {
  const { tables, locations, modern, lengths } = information;
  const whole = lengths.boxes > 0 ? [{ start: offset, end: offset + lengths.boxes }] : [];
  if (!modern || locations.boxes.length < 4) return { anchored: new Map(), others: whole };
  const anchors = new Map(
    readPlc(tables, locations.anchors, ANCHOR_BYTES).map(({ start, dataOffset }) => [
      tables.readUInt32LE(dataOffset),
      start,
    ]),
  );
  const groups = readGroups(information);
  const anchored = new Map<number, TextRange[]>();
  const others: TextRange[] = [];
  let read = 0;
  // The last entry is the end mark of the whole part.
  for (const { start, end, dataOffset } of readPlc(tables, locations.boxes, BOX_BYTES).slice(0, -1)) {
    // Boxes must not share text; otherwise a small file could request any amount of it.
    if (start < read || end <= start || end > lengths.boxes) continue;
    read = end;
    const shape = tables.readUInt32LE(dataOffset + BOX_SHAPE);
    const position = anchors.get(shape) ?? anchors.get(groups.get(shape) ?? -1);
    const range = { start: offset + start, end: offset + end };
    if (position === undefined) others.push(range);
    else anchored.set(position, [...(anchored.get(position) ?? []), range]);
  }
  return { anchored, others };
}

/** Returns the number of the outermost group of each grouped shape. */
function readGroups({ tables, locations }: FileInformation): Map<number, number> {
  const groups = new Map<number, number>();
  const { offset, length } = locations.drawings;
  const shared = length === 0 ? undefined : readRecord(tables, offset);
  if (shared === undefined) return groups;
  // After the shared part, each drawing is preceded by a byte that states its story.
  let position = shared.end;
  while (position + 9 <= offset + length) {
    const drawing = readRecord(tables, position + 1);
    if (drawing?.type !== DRAWING) break;
    for (const all of recordsOfType(tables, drawing, GROUP)) addGroups(tables, all, undefined, groups, 0);
    position = drawing.end;
  }
  return groups;
}

function addGroups(
  tables: Buffer,
  container: PptRecord,
  outermost: number | undefined,
  groups: Map<number, number>,
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  for (const record of recordsBetween(tables, container.start, container.end)) {
    if (record.type === SHAPE && outermost !== undefined) groups.set(shapeNumber(tables, record), outermost);
    if (record.type !== GROUP) continue;
    const [first] = recordsBetween(tables, record.start, record.end);
    const own = first === undefined ? undefined : shapeNumber(tables, first);
    addGroups(tables, record, outermost ?? own, groups, depth + 1);
  }
}

function shapeNumber(tables: Buffer, shape: PptRecord): number {
  for (const record of recordsBetween(tables, shape.start, shape.end)) {
    if (record.type === SHAPE_ATOM && record.end - record.start >= 4) return tables.readUInt32LE(record.start);
  }
  return -1;
}
