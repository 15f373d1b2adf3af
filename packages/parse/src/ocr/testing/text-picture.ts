/** Renders pictures of text in the packaged font. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { FONT_FAMILY, useShippedFonts } from '../../thumbnail/fonts.ts';

interface PlacedText {
  text: string;
  x: number;
  y: number;
  size: number;
}

const WIDTH = 1240;
const HEIGHT = 900;

/** Renders texts as PNG, black on white, 1240 × 900 pixels. */
export async function textPicture(texts: readonly PlacedText[]): Promise<Buffer> {
  await useShippedFonts(await mkdtemp(path.join(tmpdir(), 'quire-fonts-')));
  const spans = texts.map(({ text, x, y, size }) => `<text x="${x}" y="${y}" font-size="${size}">${text}</text>`);
  const background = `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${FONT_FAMILY}">`;
  return sharp(Buffer.from(`${svg}${background}${spans.join('')}</svg>`))
    .png()
    .toBuffer();
}

export const PARAGRAPH = [
  'The harbour master keeps a book in which every',
  'big ship that enters the port is written down',
  'with the day of its arrival and its home port.',
  'Nobody has ever asked him what the book is for,',
  'and he would not have known what to answer them.',
] as const;

export function paragraphPicture(): Promise<Buffer> {
  return textPicture(PARAGRAPH.map((text, index) => ({ text, x: 80, y: 140 + index * 60, size: 40 })));
}
