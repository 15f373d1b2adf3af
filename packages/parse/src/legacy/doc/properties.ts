/** Reads property modifiers ("sprm"), which state how a paragraph or run differs from its style. */
export interface Property {
  code: number;
  /** Bytes of the operand. */
  operand: Buffer;
}

/** Operand sizes of modern codes by their top three bits; 6 means that a size precedes the operand. */
const MODERN_SIZES = [1, 1, 2, 4, 2, 2, -1, 3];
const TABLE_DEFINITION = 0xd608;
const TAB_CHANGES = 0xc615;

export function* readModernProperties(buffer: Buffer, start: number, end: number): Generator<Property> {
  let position = start;
  while (position + 2 <= end) {
    const code = buffer.readUInt16LE(position);
    position += 2;
    let size = MODERN_SIZES[code >> 13] ?? 1;
    if (size < 0) {
      if (position >= end) return;
      if (code === TABLE_DEFINITION) {
        size = buffer.readUInt16LE(position) - 1;
        position += 2;
      } else {
        size = buffer.readUInt8(position);
        position += 1;
        // The size of a long list of tabs does not fit in one byte and is computed from its parts.
        if (code === TAB_CHANGES && size === 255) size = longTabChanges(buffer, position);
      }
    }
    if (size < 0 || position + size > end) return;
    yield { code, operand: buffer.subarray(position, position + size) };
    position += size;
  }
}

function longTabChanges(buffer: Buffer, position: number): number {
  const deleted = buffer.readUInt8(position);
  const added = buffer.readUInt8(position + 1 + deleted * 4);
  return 2 + deleted * 4 + added * 3;
}

/** Operand sizes of Word 6 paragraph codes from 2 on; 0 means that a size byte precedes the operand. */
const OLD_SIZES = [
  2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 2, 2, 2, 2, 4, 2, 2, 0, 1, 1, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2,
  2, 2, 2, 1, 2, 2, 2, 2, 2, 1, 1,
];

export function* readOldProperties(buffer: Buffer, start: number, end: number): Generator<Property> {
  let position = start;
  while (position < end) {
    const code = buffer.readUInt8(position);
    position += 1;
    let size = OLD_SIZES[code - 2];
    // The operand size of an unknown code is unknown, so reading ends.
    if (size === undefined) return;
    if (size === 0) {
      if (position >= end) return;
      size = buffer.readUInt8(position);
      position += 1;
    }
    if (position + size > end) return;
    yield { code, operand: buffer.subarray(position, position + size) };
    position += size;
  }
}
