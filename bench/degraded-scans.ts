/** Generates one page of text with the defects of scanners and phone cameras, deterministically. */
import sharp, { type Sharp } from 'sharp';
import { textPicture } from '@quire/parse/ocr/testing/text-picture';

const LINES = [
  'The harbour master keeps a book of every ship that enters the port.',
  'Each entry names the vessel, its master and the day of its arrival.',
  'Dues are paid before the cargo is landed, and a receipt is given.',
  'Vessels that carry powder lie at the outer mole until they are cleared,',
  'which takes two days in summer and up to five in the winter months.',
  'Nobody has asked for the book since the lighthouse was built in 1874,',
  'when 312 ships paid 4,560 crowns, half of them for timber and salt.',
  'The pages are counted every evening, signed below the last line and',
  'locked away with the lantern, the barometer and two faded letters.',
];

export interface DegradedScan {
  name: string;
  picture: Buffer;
  text: string;
}

export async function degradedScans(): Promise<DegradedScan[]> {
  const page = await textPicture(LINES.map((text, index) => ({ text, x: 120, y: 150 + index * 70, size: 30 })));
  const { width = 0 } = await sharp(page).metadata();
  const variants: [string, Sharp | Promise<Sharp>][] = [
    ['clean', sharp(page)],
    ['askew 3', sharp(page).rotate(3, { background: '#fff' })],
    ['askew 12', sharp(page).rotate(-12, { background: '#fff' })],
    ['on its side', sharp(page).rotate(90)],
    ['on its head', sharp(page).rotate(180)],
    ['half size', sharp(page).resize(Math.round(width / 2))],
    ['blurred', sharp(page).blur(1.6)],
    [
      'low quality',
      sharp(page)
        .resize(Math.round(width * 0.7))
        .jpeg({ quality: 15 }),
    ],
    ['grain', changed(page, (level, at) => level + (noise(at) + noise(at + 1) - 1) * 110)],
    ['specks', changed(page, (level, at) => (noise(at) < 0.02 ? noise(at + 7) * 255 : level))],
    ['shadow', changed(page, (level, at, x) => level * (1 - (0.75 * x) / width))],
    ['faint', changed(page, (level) => 170 + level * 0.15)],
    ['inverse', changed(page, (level) => 255 - level)],
    ['on a desk', sharp(page).extend({ top: 200, bottom: 200, left: 150, right: 150, background: '#222' })],
  ];
  return Promise.all(
    variants.map(async ([name, variant]) => ({
      name,
      picture: await sharp(await (await variant).toBuffer())
        .png()
        .toBuffer(),
      text: LINES.join(' '),
    })),
  );
}

/** Returns a pseudo-random number in 0..1 that depends only on the position. */
function noise(at: number): number {
  const mixed = Math.imul(at ^ (at >>> 15), 0x2c1b3c6d);
  return ((Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) ^ mixed) >>> 0) / 2 ** 32;
}

async function changed(page: Buffer, level: (grey: number, at: number, x: number) => number): Promise<Sharp> {
  const { data, info } = await sharp(page).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = Buffer.alloc(width * height);
  for (let at = 0; at < pixels.length; at += 1)
    pixels[at] = Math.min(255, Math.max(0, level(data[at * channels] ?? 0, at, at % width)));
  return sharp(pixels, { raw: { width, height, channels: 1 } }).png();
}
