/**
 * Reads a "plex" (PLC), the layout of most tables in Word files: n+1 ascending positions, then n structures of one
 * size.
 */
export interface PlcEntry {
  start: number;
  end: number;
  /** Offset of the entry's structure in the buffer. */
  dataOffset: number;
}

export function readPlc(buffer: Buffer, location: { offset: number; length: number }, dataBytes: number): PlcEntry[] {
  const { offset } = location;
  const length = Math.min(location.length, buffer.length - offset);
  const count = Math.floor((length - 4) / (4 + dataBytes));
  const entries: PlcEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    entries.push({
      start: buffer.readUInt32LE(offset + index * 4),
      end: buffer.readUInt32LE(offset + index * 4 + 4),
      dataOffset: offset + (count + 1) * 4 + index * dataBytes,
    });
  }
  return entries;
}
