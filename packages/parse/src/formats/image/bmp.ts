/** Reads BMP files: a 14-byte header with the offset of the pixels, followed by a device-independent bitmap. */
import { decodeDib, readDibHeader } from './dib.ts';
import { corruptImage } from './raw-picture.ts';
import type { RawPicture } from './raw-picture.ts';

const FILE_HEADER = 14;

/** Throws `ContentError` (`corrupt`, `too_large`). */
export function decodeBmp(bytes: Buffer, maxPixels: number): RawPicture {
  if (bytes.length < FILE_HEADER || bytes.toString('latin1', 0, 2) !== 'BM') throw corruptImage();
  const header = readDibHeader(bytes.subarray(FILE_HEADER), false, maxPixels);
  const declared = bytes.readUInt32LE(10);
  // Some writers leave the offset at 0 or point into the header; then the pixels follow the palette.
  const start = declared >= FILE_HEADER + header.size && declared < bytes.length ? declared : FILE_HEADER + header.end;
  return decodeDib(header, bytes.subarray(start));
}
