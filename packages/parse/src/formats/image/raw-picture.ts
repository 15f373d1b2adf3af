/** Decoded pixels, and the checks that the decoders of this folder run before they allocate memory. */
import { ContentError } from '@quire/blocks/content-error';

/** Bytes of red, green, blue, alpha; rows from the top, without padding. */
export interface RawPicture {
  data: Buffer;
  width: number;
  height: number;
}

export function corruptImage(cause?: unknown): ContentError {
  return new ContentError('corrupt', 'The image is damaged or cut off and cannot be decoded', { cause });
}

/** Throws `corrupt` for impossible sizes and `too_large` above the limit. */
export function checkPixels(width: number, height: number, maxPixels: number): void {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) throw corruptImage();
  if (width * height <= maxPixels) return;
  const size = `${width} × ${height} pixels`;
  throw new ContentError('too_large', `The image has ${size}; at most ${maxPixels} pixels are decoded`);
}
