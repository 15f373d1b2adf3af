/** Reads one slide of a PowerPoint binary file: the texts of its shapes with positions, in reading order. */
import type { BlockDraft } from '@quire/blocks/block';
import { cellContent } from '../../office/build/plain-text.ts';
import { inReadingOrder } from '../../office/build/reading-order.ts';
import { placedBlocks, placeOnPage } from '../../office/build/place-on-page.ts';
import type { PlacedBox } from '../../office/build/reading-order.ts';
import { childRecords, recordsOfType, RecordType } from './records.ts';
import { objectsIn, type Graphs } from './graphs.ts';
import type { Addresses } from './hyperlinks.ts';
import type { PptRecord } from './records.ts';
import { isTable, tableOf } from './table.ts';
import { isTitle, readTexts, textBlocks, textLines } from './text.ts';
import type { PptText } from './text.ts';

export interface PlacedText {
  text: PptText;
  frame: PlacedBox | undefined;
}

interface CellTexts {
  texts: PptText[];
  frame: PlacedBox;
}

interface PlacedTable {
  cells: CellTexts[];
  frame: PlacedBox | undefined;
}

interface PlacedObject {
  /** Number of the object in the document. */
  object: number;
  frame: PlacedBox | undefined;
}

export type PlacedContent = PlacedText | PlacedTable | PlacedObject;

/** Shared content that slides refer to by number. */
export interface SharedContent {
  addresses: Addresses;
  graphs: Graphs;
}

interface Transform {
  scaleX: number;
  scaleY: number;
  offsetX: number;
  offsetY: number;
}

const IDENTITY: Transform = { scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0 };
const MAX_DEPTH = 40;
/** `msosptLine` of [MS-ODRAW]: the lines between the cells of a table. */
const LINE = 20;

/**
 * Returns the texts of the shapes of a slide or notes page. `outline` has the texts of placeholders, which the document
 * stores.
 */
export function slideTexts(stream: Buffer, slide: PptRecord, outline: readonly PptText[]): PlacedContent[] {
  const texts: PlacedContent[] = [];
  for (const drawing of recordsOfType(stream, slide, RecordType.drawing)) {
    for (const group of recordsOfType(stream, drawing, RecordType.groupContainer)) {
      readGroup(stream, group, outline, IDENTITY, texts, 0);
    }
  }
  return texts;
}

/** Reads a group. Its first shape is the group itself, which states its position and coordinates. */
function readGroup(
  stream: Buffer,
  group: PptRecord,
  outline: readonly PptText[],
  outer: Transform,
  into: PlacedContent[],
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  let transform = outer;
  let isFirst = true;
  let cells: CellTexts[] | undefined;
  for (const record of childRecords(stream, group)) {
    if (record.type === RecordType.groupContainer) {
      readGroup(stream, record, outline, transform, into, depth + 1);
    } else if (record.type === RecordType.shapeContainer) {
      if (isFirst) {
        transform = groupTransform(stream, record, outer);
        if (isTable(stream, record)) cells = [];
      } else if (cells) {
        cells.push(...cellOf(stream, record, outline, transform));
      } else {
        readShape(stream, record, outline, transform, into);
        const frame = shapeFrame(stream, record, transform);
        for (const object of objectsIn(stream, record)) into.push({ object, frame });
      }
      isFirst = false;
    }
  }
  if (cells) into.push({ cells, frame: cells[0]?.frame });
}

function cellOf(stream: Buffer, shape: PptRecord, outline: readonly PptText[], transform: Transform): CellTexts[] {
  for (const record of childRecords(stream, shape)) {
    if (record.type === RecordType.shapeAtom && record.instance === LINE) return [];
  }
  const frame = shapeFrame(stream, shape, transform);
  const texts: PlacedText[] = [];
  readShape(stream, shape, outline, transform, texts);
  return frame ? [{ frame, texts: texts.map(({ text }) => text) }] : [];
}

function readShape(
  stream: Buffer,
  shape: PptRecord,
  outline: readonly PptText[],
  transform: Transform,
  into: PlacedContent[],
): void {
  const frame = shapeFrame(stream, shape, transform);
  for (const box of recordsOfType(stream, shape, RecordType.clientTextbox)) {
    const records = [...childRecords(stream, box)];
    const reference = records.find((record) => record.type === RecordType.outlineTextReference);
    const referred = reference ? outline[stream.readUInt32LE(reference.start)] : undefined;
    for (const text of referred ? [referred] : readTexts(stream, records)) into.push({ text, frame });
  }
}

function shapeFrame(stream: Buffer, shape: PptRecord, transform: Transform): PlacedBox | undefined {
  for (const record of childRecords(stream, shape)) {
    const { start, end } = record;
    if (record.type === RecordType.clientAnchor && end - start >= 8) return clientFrame(stream, start, end);
    if (record.type === RecordType.childAnchor && end - start >= 16) {
      const [left, top, right, bottom] = rectangle(stream, start);
      return {
        left: left * transform.scaleX + transform.offsetX,
        top: top * transform.scaleY + transform.offsetY,
        right: right * transform.scaleX + transform.offsetX,
        bottom: bottom * transform.scaleY + transform.offsetY,
      };
    }
  }
  return undefined;
}

/** Reads a short or long anchor, with the top first. */
function clientFrame(stream: Buffer, start: number, end: number): PlacedBox {
  const long = end - start >= 16;
  const at = (index: number): number =>
    long ? stream.readInt32LE(start + index * 4) : stream.readInt16LE(start + index * 2);
  return { top: at(0), left: at(1), right: at(2), bottom: at(3) };
}

const rectangle = (stream: Buffer, start: number): readonly [number, number, number, number] => [
  stream.readInt32LE(start),
  stream.readInt32LE(start + 4),
  stream.readInt32LE(start + 8),
  stream.readInt32LE(start + 12),
];

function groupTransform(stream: Buffer, shape: PptRecord, outer: Transform): Transform {
  const frame = shapeFrame(stream, shape, outer);
  for (const record of childRecords(stream, shape)) {
    if (record.type !== RecordType.groupCoordinates || record.end - record.start < 16 || !frame) continue;
    const [left, top, right, bottom] = rectangle(stream, record.start);
    if (right <= left || bottom <= top) continue;
    const scaleX = (frame.right - frame.left) / (right - left);
    const scaleY = (frame.bottom - frame.top) / (bottom - top);
    return { scaleX, scaleY, offsetX: frame.left - left * scaleX, offsetY: frame.top - top * scaleY };
  }
  return outer;
}

/** Returns blocks in reading order, titles first, with positions if the slide size is known. */
export function slideBlocks(
  all: readonly PlacedContent[],
  page: number,
  size: { width: number; height: number } | undefined,
  shared: SharedContent,
): BlockDraft[] {
  // Objects of other programs are represented by their pictures.
  const contents = all.filter((each) => !('object' in each) || shared.graphs.has(each.object));
  const isHeading = (each: PlacedContent): boolean => 'text' in each && isTitle(each.text);
  const titles = contents.filter(isHeading);
  const others = contents.filter((each) => !isHeading(each));
  const placed = others.filter((each): each is PlacedContent & { frame: PlacedBox } => each.frame !== undefined);
  const sortable = placed.length === others.length && placed.length <= 2_000;
  const ordered = sortable ? inReadingOrder(placed, size?.width ?? 5_760) : others;
  return [...titles, ...ordered].flatMap((content) => {
    const blocks = blocksOf(content, shared);
    return placedBlocks(blocks, { page, ...placeOnPage(content.frame, size) });
  });
}

function blocksOf(content: PlacedContent, { addresses, graphs }: SharedContent): BlockDraft[] {
  if ('cells' in content) return tableBlocks(content.cells, addresses);
  if ('text' in content) return textBlocks(content.text, addresses);
  const graph = graphs.get(content.object);
  return graph ? [graph] : [];
}

function tableBlocks(cells: readonly CellTexts[], addresses: Addresses): BlockDraft[] {
  const table = tableOf(
    cells.map(({ frame, texts }) => ({
      frame,
      content: cellContent(texts.flatMap((text) => textLines(text, addresses))),
    })),
  );
  return table ? [table] : [];
}
