import type { Sharp } from 'sharp';

export const PICTURE_TYPE = 'image/webp';

/** Encodes a page as WebP; effort 1 takes a third of the default's time for some 10 % more bytes. */
export const encodePicture = (picture: Sharp): Promise<Buffer> => picture.webp({ quality: 80, effort: 1 }).toBuffer();
