/** The preview that Word, PowerPoint and LibreOffice store in their zip-based files. */
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { checkPixels } from '../parse/image/raw-picture.ts';
import sharp from 'sharp';

const PREVIEW = /^(?:docProps\/thumbnail\.(?:jpe?g|png)|Thumbnails\/thumbnail\.png)$/i;
/** Previews are about 256 pixels wide and take some 10 kB. yauzl holds members to their declared size. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_PIXELS = 16_000_000;
const MAX_ENTRIES = 10_000;

/** JPEG or PNG bytes; null when there is none. Throws when the file is not a sound zip archive. */
export async function readEmbeddedPicture(path: string): Promise<Buffer | null> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
  try {
    let seen = 0;
    for await (const entry of zip.eachEntry()) {
      seen += 1;
      if (seen > MAX_ENTRIES) return null;
      if (!PREVIEW.test(entry.fileName) || entry.uncompressedSize > MAX_BYTES) continue;
      const picture = await buffer(await zip.openReadStreamPromise(entry));
      const { width, height } = await sharp(picture).metadata();
      checkPixels(width, height, MAX_PIXELS);
      return picture;
    }
    return null;
  } finally {
    zip.close();
  }
}
