/** Reads the preview image that Word, PowerPoint and LibreOffice store in their zip-based files. */
import sharp from 'sharp';
import { inflateMember } from '../archive/inflate-member.ts';
import { withArchive } from '../archive/open-archive.ts';
import { checkPixels } from '../formats/image/raw-picture.ts';
import type { ParseLimits } from '../parser.ts';

const PREVIEW = /^(?:docProps\/thumbnail\.(?:jpe?g|png)|Thumbnails\/thumbnail\.png)$/i;
/** Maximum size of a preview, in bytes. Most are about 256 pixels wide and take 10 kB. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_PIXELS = 16_000_000;

/** Returns the bytes of a JPEG or PNG; null if there is no preview. Throws if the file is not a valid zip archive. */
export function readEmbeddedPicture(path: string, limits: ParseLimits): Promise<Buffer | null> {
  return withArchive(path, limits, async ({ fd, directory }) => {
    const preview = directory.members.find(
      ({ name, declaredBytes }) => PREVIEW.test(name) && declaredBytes <= MAX_BYTES,
    );
    if (preview === undefined) return null;
    const parts: Buffer[] = [];
    for await (const part of inflateMember(fd, preview)) parts.push(part);
    const picture = Buffer.concat(parts);
    const { width, height } = await sharp(picture).metadata();
    checkPixels(width, height, MAX_PIXELS);
    return picture;
  });
}
