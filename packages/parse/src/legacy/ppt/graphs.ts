/**
 * Reads the data of charts of Microsoft Graph, which presentations up to 2003 embed ([MS-OGRAPH] 2.4: Number and
 * Label). The embedded file is deflated in the presentation's stream.
 */
import { inflateSync } from 'node:zlib';
import type { BlockDraft, TableCell } from '@quire/blocks/block';
import { bytesSource, CompoundFile } from '../../compound/compound-file.ts';
import { formatGeneral } from '../../office/sheet/number-format.ts';
import { biffRecords, biffText } from '../../formats/xls/records.ts';
import type { PersistDirectory } from './persist-directory.ts';
import { readRecord, recordsOfType, RecordType } from './records.ts';
import type { PptRecord } from './records.ts';

/** Tables by object number, to which shapes refer. */
export type Graphs = ReadonlyMap<number, BlockDraft>;

/** `subType` of an embedded object ([MS-PPT] 2.10.12). */
const GRAPH = 4;
const NUMBER = 0x0003;
const LABEL = 0x0004;
const BEGIN = 0x0809;
const BIFF8 = 0x0600;
const MAX_OBJECT_BYTES = 32 * 1024 * 1024;
const MAX_CELLS = 20_000;

export function readGraphs(stream: Buffer, document: PptRecord, directory: PersistDirectory): Graphs {
  const graphs = new Map<number, BlockDraft>();
  for (const objects of recordsOfType(stream, document, RecordType.externalObjects)) {
    for (const atom of recordsOfType(stream, objects, RecordType.externalObjectAtom)) {
      if (atom.end - atom.start < 20 || stream.readUInt32LE(atom.start + 12) !== GRAPH) continue;
      const offset = directory.offsets.get(stream.readUInt32LE(atom.start + 16));
      const storage = offset === undefined ? undefined : readRecord(stream, offset);
      const table = storage?.type === RecordType.objectStorage ? graphTable(objectBytes(stream, storage)) : undefined;
      if (table) graphs.set(stream.readUInt32LE(atom.start + 8), table);
    }
  }
  return graphs;
}

/** Yields the numbers of the objects of a shape. */
export function* objectsIn(stream: Buffer, shape: PptRecord): Generator<number> {
  for (const reference of recordsOfType(stream, shape, RecordType.objectReference)) {
    if (reference.end - reference.start >= 4) yield stream.readUInt32LE(reference.start);
  }
}

/** Returns the object's bytes, inflated if necessary; empty if damaged. */
function objectBytes(stream: Buffer, { instance, start, end }: PptRecord): Buffer {
  if (instance === 0) return stream.subarray(start, end);
  try {
    return inflateSync(stream.subarray(start + 4, end), { maxOutputLength: MAX_OBJECT_BYTES });
  } catch {
    return Buffer.alloc(0);
  }
}

function graphTable(object: Buffer): BlockDraft | undefined {
  const workbook = CompoundFile.open(bytesSource(object))?.stream('Workbook');
  if (!workbook) return undefined;
  const cells = new Map<string, string>();
  let [rows, columns] = [0, 0];
  let wide = false;
  for (const { type, data } of biffRecords(workbook, 0)) {
    if (data.length >= 4 && type === BEGIN) wide = data.readUInt16LE(0) >= BIFF8;
    const text = data.length < 8 ? undefined : cellText(type, data, wide);
    if (text === undefined || text === '') continue;
    const [row, column] = [data.readUInt16LE(0), data.readUInt16LE(2)];
    cells.set(`${row} ${column}`, text);
    rows = Math.max(rows, row + 1);
    columns = Math.max(columns, column + 1);
    if (rows * columns > MAX_CELLS) return undefined;
  }
  if (cells.size === 0) return undefined;
  const rowOf = (row: number): TableCell[] =>
    Array.from({ length: columns }, (_, column) => ({
      text: cells.get(`${row} ${column}`) ?? '',
      rowSpan: 1,
      colSpan: 1,
      header: row === 0,
    }));
  return { type: 'table', rows: Array.from({ length: rows }, (_, row) => rowOf(row)) };
}

/** Returns the text of a cell, which follows row, column and three bytes of attributes. */
function cellText(type: number, data: Buffer, wide: boolean): string | undefined {
  if (type === NUMBER && data.length >= 15) return formatGeneral(data.readDoubleLE(7));
  if (type !== LABEL) return undefined;
  const characters = data[7] ?? 0;
  return (wide ? biffText(data, 8, characters) : data.toString('latin1', 8, 8 + characters)).trim();
}
