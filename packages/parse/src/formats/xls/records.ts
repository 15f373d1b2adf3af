/** Reads the records of an Excel binary workbook ([MS-XLS] 2.1.4): type, length, data. */
export interface BiffRecord {
  type: number;
  data: Buffer;
}

export const BiffType = {
  end: 0x000a,
  continued: 0x003c,
  object: 0x005d,
  sheet: 0x0085,
  drawing: 0x00ec,
  text: 0x01b6,
  number: 0x0203,
  label: 0x0204,
  begin: 0x0809,
  series: 0x1003,
  caption: 0x100d,
  captionOf: 0x1027,
  blockBegin: 0x1033,
  blockEnd: 0x1034,
  cacheOf: 0x1065,
} as const;

const HEADER_BYTES = 4;

export function* biffRecords(stream: Buffer, start: number): Generator<BiffRecord> {
  let position = start;
  while (position + HEADER_BYTES <= stream.length) {
    const end = position + HEADER_BYTES + stream.readUInt16LE(position + 2);
    yield { type: stream.readUInt16LE(position), data: stream.subarray(position + HEADER_BYTES, end) };
    position = end;
  }
}

/** Reads characters after a flag byte that selects one or two bytes per character. */
export function biffText(data: Buffer, offset: number, characters: number): string {
  const wide = ((data[offset] ?? 0) & 1) === 1;
  const bytes = data.subarray(offset + 1, offset + 1 + characters * (wide ? 2 : 1));
  return bytes.toString(wide ? 'utf16le' : 'latin1');
}
