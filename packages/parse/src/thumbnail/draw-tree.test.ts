// large: fonts are set once per process
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawTree } from './draw-tree.ts';
import type { DrawableBlock } from './draw-tree.ts';

const tempDir = await mkdtemp(path.join(tmpdir(), 'quire-fonts-'));

async function draw(blocks: readonly DrawableBlock[], landscape = false): Promise<Buffer> {
  return drawTree(blocks, { maxSide: 512, landscape, tempDir });
}

/** Returns the share of dark pixels in each of `bands` horizontal bands, from top to bottom. */
async function ink(webp: Buffer, bands: number): Promise<number[]> {
  const { data, info } = await sharp(webp).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const rows = Math.floor(info.height / bands);
  return Array.from({ length: bands }, (_, band) => {
    const part = data.subarray(band * rows * info.width, (band + 1) * rows * info.width);
    return part.filter((value) => value < 128).length / part.length;
  });
}

const paragraph = (text: string, page?: number): DrawableBlock => ({
  type: 'paragraph',
  text,
  ...(page === undefined ? {} : { page }),
});

describe('drawTree', () => {
  it('draws an upright page or a landscape slide as WebP of the requested size', async () => {
    const page = await sharp(await draw([paragraph('words')])).metadata();
    expect([page.format, page.width, page.height]).toEqual(['webp', 362, 512]);
    const slide = await sharp(await draw([paragraph('words')], true)).metadata();
    expect([slide.width, slide.height]).toEqual([512, 288]);
  });

  it('draws text from the top and stops at the end of the first page', async () => {
    const [top = 0, middle = 0, bottom = 0] = await ink(await draw([paragraph('A few words.')]), 3);
    expect([top > 0, middle, bottom]).toEqual([true, 0, 0]);
    const full = [paragraph('words that go on '.repeat(500)), paragraph('never seen')];
    const bands = await ink(await draw(full), 8);
    expect(bands.every((band) => band > 0.01)).toBe(true);
    const two = await ink(await draw([paragraph('first', 1), paragraph('second '.repeat(900), 2)]), 3);
    expect(two[1]).toBe(0);
  });

  it('draws every kind of block, markup in the text and characters that XML forbids', async () => {
    const cell = (text: string) => ({ text, rowSpan: 1, colSpan: 1, header: true });
    const blocks: DrawableBlock[] = [
      { type: 'heading', level: 2, text: 'A & B <script>' },
      { type: 'list', ordered: true, start: 3, children: [{ type: 'listItem', level: 1, text: 'x\u0000y\ud800z' }] },
      { type: 'table', rows: [[cell('a'), cell('b'.repeat(500))], [cell('c')]] },
      { type: 'code', text: 'if (a < b) {}\n' },
      { type: 'quote', text: 'quoted' },
      { type: 'figure', text: 'a picture' },
      { type: 'section', children: [paragraph('שלום'), paragraph('Ελληνικά'), paragraph('русский')] },
    ];
    expect((await sharp(await draw(blocks)).metadata()).format).toBe('webp');
  });

  it('uses the shipped font if the system has no fonts', async () => {
    // Without a font, every letter becomes the same box.
    const drawn = await Promise.all(['iiii', 'mmmm', 'жжжж', 'ωωωω'].map((text) => draw([paragraph(text)])));
    expect(new Set(drawn.map((webp) => webp.toString('base64'))).size).toBe(4);
    expect(process.env['FONTCONFIG_FILE']).toBe(path.join(tempDir, 'fonts.conf'));
  });

  it('draws an empty page for an empty document', async () => {
    expect(await ink(await draw([]), 1)).toEqual([0]);
  });
});
