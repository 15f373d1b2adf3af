/**
 * Decodes the run-length coding of 4- and 8-bit bitmaps: runs, literals padded to 16 bits, moves and two end markers.
 */
import type { DibHeader } from './dib.ts';
import { corruptImage } from './raw-picture.ts';

const END_OF_LINE = 0;
const END_OF_BITMAP = 1;
const MOVE = 2;

const nibble = (byte: number, position: number): number => (position % 2 === 0 ? byte >> 4 : byte & 15);

/**
 * Returns one byte per pixel, rows from the bottom as stored. Throws `ContentError('corrupt')` if the code leaves the
 * image.
 */
export function decodeRle({ width, height, bits }: DibHeader, code: Buffer): Uint8Array {
  const indices = new Uint8Array(width * height);
  let at = 0;
  let x = 0;
  let row = 0;
  const next = (): number => {
    const byte = code[at];
    if (byte === undefined) throw corruptImage();
    at += 1;
    return byte;
  };
  const put = (index: number): void => {
    // Encoders may pad a run beyond the end of its line, but not beyond the last line.
    if (row >= height) throw corruptImage();
    if (x < width) indices[row * width + x] = index;
    x += 1;
  };
  // The end marker may be missing after the last pixel.
  while (row < height && !(at >= code.length && row === height - 1 && x >= width)) {
    const count = next();
    const value = next();
    if (count > 0) {
      for (let index = 0; index < count; index += 1) put(bits === 4 ? nibble(value, index) : value);
    } else if (value === END_OF_LINE) {
      x = 0;
      row += 1;
    } else if (value === END_OF_BITMAP) {
      break;
    } else if (value === MOVE) {
      x += next();
      row += next();
    } else {
      const bytes = bits === 4 ? Math.ceil(value / 2) : value;
      const literal = code.subarray(at, at + bytes);
      if (literal.length < bytes) throw corruptImage();
      for (let index = 0; index < value; index += 1) {
        put(bits === 4 ? nibble(literal[index >> 1] ?? 0, index) : (literal[index] ?? 0));
      }
      at += bytes + (bytes % 2);
    }
  }
  return indices;
}
