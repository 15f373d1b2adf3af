// large: decodes dozens of large pictures in child processes
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ContentError } from '@quire/blocks/content-error';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';
import { openTaskPool, type TaskPool } from './task-pool.ts';
import { chunking, limits as defaults, options as reading } from './testing/default-reading.ts';
import {
  bmp,
  brokenExif,
  png,
  textBomb,
  tiff,
  whiteRows,
  withExif,
  withJpegSize,
  withWebpCanvas,
  zeros,
} from './testing/hostile-pictures.ts';

/** Limits of a small server, so that pictures at the limit take little time. */
const MAX_PIXELS = 4_000_000;
const TASK_MS = 120_000;
const limits = { ...defaults, maxPixels: MAX_PIXELS };
const options = { ...reading, maxPixels: MAX_PIXELS };

vi.setConfig({ testTimeout: 120_000 });

let pool: TaskPool;
let root: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'quire-pictures-'));
  pool = await openTaskPool({ size: 1 });
});

afterAll(async () => {
  await pool.close();
  rmSync(root, { recursive: true });
});

/** How reading, thumbnail and picture of the first page end: `read` with the types of warnings, or the error's type. */
async function endsOf(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(root, name);
  writeFileSync(file, bytes);
  try {
    const inspected = await inspectUpload(file, name, null, limits);
    const source = { path: file, name, sizeBytes: bytes.length, ...inspected };
    const run = { timeoutMs: TASK_MS };
    const ends = [
      await endOf(async () => {
        const { warnings } = await pool.run('parse-and-chunk', { file: source, options, limits, chunking }, run);
        return ['read', ...warnings.map(({ type }) => type)].join(' ');
      }),
      await endOf(async () => {
        await pool.run('thumbnail', { file: source, options, limits, tree: null, maxSide: 256 }, run);
        return 'drawn';
      }),
      await endOf(async () => {
        const drawn = await pool.run('draw-page', { file: source, page: 1, width: 800, limitPixels: MAX_PIXELS }, run);
        return drawn === null ? 'no page' : 'drawn';
      }),
    ];
    return ends.join(', ');
  } catch (error) {
    if (error instanceof FileRefused) return `refused: ${error.type}`;
    throw error;
  } finally {
    rmSync(file);
  }
}

async function endOf(task: () => Promise<string>): Promise<string> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ContentError) return error.type;
    throw error;
  }
}

const SIDE = 2000;
const LONG = 200_000;
const grey = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#888' } });
const page = { width: 64, height: 64, pixels: Buffer.alloc(512, 255) };
/** A page of 3.6 billion pixels, in 450 kB. */
const hugePage = () => ({ width: 60_000, height: 60_000, compression: 8, pixels: zeros(450_000_000) }) as const;

const READ = 'read pages_without_text, drawn, drawn';
const CORRUPT = 'corrupt, corrupt, corrupt';
const REFUSED = 'refused: file_too_large';

describe('hostile pictures', () => {
  it.each<[string, string, () => Buffer]>([
    ['limit.png', READ, () => png({ width: SIDE, height: SIDE, pixels: whiteRows(SIDE, SIDE) })],
    ['above.png', REFUSED, () => png({ width: SIDE, height: SIDE + 1, pixels: whiteRows(SIDE, 1) })],
    [
      'deep.png',
      READ,
      () => png({ width: SIDE, height: SIDE, bits: 16, colour: 6, pixels: zeros(SIDE * (SIDE * 8 + 1)) }),
    ],
    ['claims.png', CORRUPT, () => png({ width: SIDE, height: SIDE, pixels: whiteRows(64, 64) })],
    ['more-than-said.png', READ, () => png({ width: 64, height: 64, pixels: zeros(200_000_000) })],
    [
      'comment.png',
      READ,
      () => png({ width: 64, height: 64, pixels: whiteRows(64, 64), extra: [textBomb(200_000_000)] }),
    ],
    ['cut.png', CORRUPT, () => png({ width: SIDE, height: SIDE, pixels: whiteRows(SIDE, SIDE) }).subarray(0, 700)],
    ['column.png', READ, () => png({ width: 16, height: LONG, pixels: whiteRows(16, LONG) })],
    ['row.png', READ, () => png({ width: LONG, height: 16, pixels: whiteRows(LONG, 16) })],
    ['thin.png', READ, () => png({ width: 1, height: LONG, pixels: zeros(2 * LONG) })],
  ])('reads or refuses a PNG: %s', async (name, end, make) => {
    expect(await endsOf(name, make())).toBe(end);
  });

  it('reads or refuses JPEGs that are cut off, state another size, or have damaged EXIF', async () => {
    const jpeg = await grey().jpeg().toBuffer();
    expect(await endsOf('cut.jpg', jpeg.subarray(0, jpeg.length - 40))).toBe(CORRUPT);
    expect(await endsOf('claims.jpg', withJpegSize(jpeg, 1900, 1900))).toBe(READ);
    expect(await endsOf('huge.jpg', withJpegSize(jpeg, 65_500, 65_500))).toBe(REFUSED);
    expect(await endsOf('exif.jpg', withExif(jpeg, brokenExif()))).toBe(READ);
    const long = Buffer.concat([Buffer.from('Exif\0\0'), Buffer.alloc(60_000, 255)]);
    expect(await endsOf('long-exif.jpg', withExif(jpeg, long))).toBe(READ);
  });

  it('refuses WebPs with another canvas or a missing end', async () => {
    const webp = await grey().webp().toBuffer();
    expect(await endsOf('canvas.webp', withWebpCanvas(webp, 16_384, 16_384))).toBe(REFUSED);
    expect(await endsOf('other-canvas.webp', withWebpCanvas(webp, 1500, 1500))).toBe(CORRUPT);
    expect(await endsOf('cut.webp', webp.subarray(0, 40))).toBe(CORRUPT);
  });

  it('reads or refuses bitmaps that state far more pixels than they hold', async () => {
    const square = { width: SIDE, height: SIDE };
    const [end, move] = [Buffer.from([0, 1]), Buffer.from([0, 2, 255, 255, 0, 1])];
    expect(await endsOf('rle.bmp', bmp({ ...square, bits: 8, compression: 1, pixels: end }))).toBe(READ);
    expect(await endsOf('move.bmp', bmp({ ...square, bits: 8, compression: 1, pixels: move }))).toBe(READ);
    expect(await endsOf('claims.bmp', bmp({ ...square, bits: 24, pixels: Buffer.alloc(100) }))).toBe(CORRUPT);
    const huge = bmp({ width: 65_535, height: 65_535, bits: 1, pixels: Buffer.alloc(0) });
    expect(await endsOf('huge.bmp', huge)).toBe(REFUSED);
  });

  it('reads or refuses TIFFs with huge strips, pixels beyond the end, and circular directories', async () => {
    const pixels = zeros(SIDE * SIDE * 32);
    const wide = tiff([{ width: SIDE, height: SIDE, bits: 64, samples: 4, compression: 8, pixels }]);
    expect(await endsOf('wide.tiff', wide)).toBe(CORRUPT);
    expect(await endsOf('beyond.tiff', tiff([{ ...page, at: 0x7fffffff }]))).toBe(READ);
    expect(await endsOf('loop.tiff', tiff([page], 8))).toBe(READ);
  });

  it('measures every page of a TIFF before it is decoded', async () => {
    expect(await endsOf('after-copy.tiff', tiff([{ ...page, subfile: 1 }, hugePage()]))).toBe(CORRUPT);
    const second = tiff([page, hugePage()]);
    expect(await endsOf('second.tiff', second)).toBe('read pages_without_text truncated, drawn, drawn');
    const file = path.join(root, 'pages.tiff');
    writeFileSync(file, second);
    const source = {
      path: file,
      name: 'pages.tiff',
      sizeBytes: second.length,
      format: 'tiff',
      contentType: '',
    } as const;
    const run = { timeoutMs: TASK_MS };
    const listed = await pool.run('list-pages', { file: source, options, limits }, run);
    expect(listed?.pages).toEqual([{ page: 1, width: 64, height: 64 }]);
    const drawn = pool.run('draw-page', { file: source, page: 2, width: 800, limitPixels: MAX_PIXELS }, run);
    await expect(drawn).rejects.toMatchObject({ type: 'corrupt' });
  });

  it('reads the first 1,000 pages of a TIFF with thousands of them', async () => {
    const tiny = { width: 8, height: 8, pixels: Buffer.alloc(8, 255) };
    const end = 'read truncated pages_without_text, drawn, drawn';
    const copies = Array.from({ length: 5000 }, () => ({ ...tiny, subfile: 1 }) as const);
    expect(await endsOf('directories.tiff', tiff(copies))).toBe(end);
  });
});
