import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext, SourceFile } from '../parser.ts';
import type { BlockSource } from './office-thumbnail.ts';
import { readEmbeddedPicture } from './embedded-picture.ts';
import { officeThumbnailer, treeThumbnailer } from './office-thumbnail.ts';

const tempDir = await mkdtemp(path.join(tmpdir(), 'quire-thumbnail-'));
afterAll(() => rm(tempDir, { recursive: true, force: true }));

const context: ParseContext = {
  options: { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: 100_000_000 },
  limits: { maxInflatedBytes: 1e9, maxArchiveEntries: 1e4, maxArchiveRatio: 100, maxArchiveDepth: 3 },
  signal: new AbortController().signal,
  tempDir,
  onProgress: () => undefined,
};
const blocks: BlockSource = () => Promise.resolve([{ type: 'paragraph', text: 'words' }]);

async function fileOf(bytes: Uint8Array): Promise<SourceFile> {
  const file = path.join(tempDir, `${bytes.length}.docx`);
  await writeFile(file, bytes);
  return { path: file, name: 'a.docx', sizeBytes: bytes.length, format: 'docx', contentType: '' };
}

const red = await sharp({ create: { width: 256, height: 128, channels: 3, background: '#f00' } })
  .png()
  .toBuffer();

describe('readEmbeddedPicture', () => {
  it('finds the preview of Office and of OpenDocument files', async () => {
    for (const name of ['docProps/thumbnail.jpeg', 'docProps/thumbnail.PNG', 'Thumbnails/thumbnail.png']) {
      const file = await fileOf(zipSync({ 'a.xml': new Uint8Array(3), [name]: red }));
      expect(await readEmbeddedPicture(file.path, context.limits)).toEqual(red);
    }
  });

  it('returns null without a preview, and for one with absurd dimensions', async () => {
    expect(await readEmbeddedPicture((await fileOf(zipSync({ 'a.xml': red }))).path, context.limits)).toBeNull();
    const huge = zipSync({ 'docProps/thumbnail.png': randomBytes(5_000_000) });
    expect(await readEmbeddedPicture((await fileOf(huge)).path, context.limits)).toBeNull();
  });
});

describe('officeThumbnailer', () => {
  const drawNothing = (): Promise<null> => Promise.resolve(null);

  it('uses the embedded picture in its own size if no page can be rendered', async () => {
    const file = await fileOf(zipSync({ 'docProps/thumbnail.png': red }));
    const drawn = await officeThumbnailer({ blocks, drawPdf: drawNothing })(file, context, 512);
    const { format, width, height } = await sharp(drawn ?? Buffer.alloc(0)).metadata();
    expect([format, width, height]).toEqual(['webp', 256, 128]);
  });

  it('draws the block tree if all other sources fail', async () => {
    const file = await fileOf(Buffer.from('no zip archive'));
    const drawn = await officeThumbnailer({ blocks, drawPdf: drawNothing })(file, context, 512);
    const { width, height } = await sharp(drawn ?? Buffer.alloc(0)).metadata();
    expect([width, height]).toEqual([362, 512]);
  });

  it('reports the error of the reader', async () => {
    const refuse: BlockSource = () => Promise.reject(new ContentError('encrypted', 'The file needs a password'));
    const drawn = treeThumbnailer(refuse)(await fileOf(Buffer.from('x')), context, 512);
    await expect(drawn).rejects.toMatchObject({ type: 'encrypted' });
  });

  it('stops when the task is aborted', async () => {
    const controller = new AbortController();
    controller.abort(new Error('over'));
    const over = { ...context, signal: controller.signal };
    const drawn = officeThumbnailer({ blocks, drawPdf: drawNothing })(await fileOf(Buffer.from('y')), over, 512);
    await expect(drawn).rejects.toThrow('over');
  });
});
