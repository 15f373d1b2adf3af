/** A picture as WebP on white, upright by its EXIF tag, at most `maxSide` pixels on its longer side, never enlarged. */
import sharp from 'sharp';

/** `data` is a raster format that sharp reads, already checked for its size. Throws what sharp throws. */
export function drawPicture(data: Buffer, maxSide: number, page = 0): Promise<Buffer> {
  return sharp(data, { page, limitInputPixels: false, failOn: 'truncated' })
    .autoOrient()
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .webp({ quality: 78, effort: 2 })
    .toBuffer();
}
