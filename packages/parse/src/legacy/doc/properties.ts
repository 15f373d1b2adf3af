/** Property modifiers ("sprm"): the codes that say how a paragraph or run differs from its style. */
export interface Property {
  code: number;
  /** The operand's bytes. */
  operand: Buffer;
}

/** Operand sizes of modern codes by their top three bits; 6 means that the size stands before the operand. */
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
        // A list of tabs too long for one byte: its sizes have to be added up.
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

/** Word 6 codes of paragraphs have one byte; sizes by code from 2, 0 for a size byte before the operand. */
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
    // The first code that is not a paragraph's ends what can be told apart.
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
