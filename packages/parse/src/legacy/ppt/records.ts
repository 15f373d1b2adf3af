/** Reads the records of a PowerPoint stream ([MS-PPT] 2.3): a type, a length, and data or nested records. */
export interface PptRecord {
  type: number;
  instance: number;
  isContainer: boolean;
  /** Offset of the data after the header. */
  start: number;
  end: number;
}

export const RecordType = {
  document: 1000,
  documentAtom: 1001,
  externalObjects: 1033,
  slide: 1006,
  slideAtom: 1007,
  notes: 1008,
  slidePersist: 1011,
  objectReference: 3009,
  externalObjectAtom: 4035,
  objectStorage: 4113,
  drawing: 1036,
  outlineTextReference: 3998,
  textHeader: 3999,
  textCharacters: 4000,
  textStyle: 4001,
  textBytes: 4008,
  string: 4026,
  hyperlinkNumber: 4051,
  hyperlink: 4055,
  slideNumberMark: 4056,
  linkedRange: 4063,
  interaction: 4082,
  interactionAtom: 4083,
  dateMark: 4087,
  genericDateMark: 4088,
  footerMark: 4090,
  slideList: 4080,
  userEdit: 4085,
  persistDirectory: 6002,
  groupContainer: 0xf003,
  shapeContainer: 0xf004,
  groupCoordinates: 0xf009,
  clientTextbox: 0xf00d,
  childAnchor: 0xf00f,
  clientAnchor: 0xf010,
  shapeAtom: 0xf00a,
  laterProperties: 0xf122,
} as const;

const HEADER_BYTES = 8;
/** Maximum nesting of containers; real files stay below 15. */
const MAX_DEPTH = 40;

export function readRecord(stream: Buffer, offset: number): PptRecord | undefined {
  if (offset < 0 || offset + HEADER_BYTES > stream.length) return undefined;
  const flags = stream.readUInt16LE(offset);
  const start = offset + HEADER_BYTES;
  return {
    type: stream.readUInt16LE(offset + 2),
    instance: flags >> 4,
    isContainer: (flags & 0xf) === 0xf,
    start,
    end: Math.min(stream.length, start + stream.readUInt32LE(offset + 4)),
  };
}

/** Yields the records between two positions. */
export function* recordsBetween(stream: Buffer, start: number, end: number): Generator<PptRecord> {
  let position = start;
  while (position + HEADER_BYTES <= end) {
    const record = readRecord(stream, position);
    if (!record) return;
    yield record;
    position = record.end;
  }
}

export function* childRecords(stream: Buffer, parent: PptRecord): Generator<PptRecord> {
  yield* recordsBetween(stream, parent.start, parent.end);
}

/** Yields all records of a type below the parent, except inside matches. */
export function* recordsOfType(stream: Buffer, parent: PptRecord, type: number, depth = 0): Generator<PptRecord> {
  if (depth > MAX_DEPTH) return;
  for (const record of childRecords(stream, parent)) {
    if (record.type === type) yield record;
    else if (record.isContainer) yield* recordsOfType(stream, record, type, depth + 1);
  }
}
