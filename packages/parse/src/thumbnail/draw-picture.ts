/**
 * Draws images as WebP on white, rotated by their EXIF orientation, at most `maxSide` pixels on the longer side, never
 * enlarged.
 */
import sharp from 'sharp';

/** `data` is in a raster format that sharp reads, and its size has been checked. Throws the errors of sharp. */
export function drawPicture(data: Buffer, maxSide: number, page = 0): Promise<Buffer> {
  return sharp(data, { page, limitInputPixels: false, failOn: 'truncated' })
    .autoOrient()
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .webp({ quality: 78, effort: 2 })
    .toBuffer();
}
