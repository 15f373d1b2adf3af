import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { docxParts, paragraph, relationships } from './testing/docx-parts.ts';
import { pack, testContext, withFile } from './testing/parse-parts.ts';
import { embeddedThumbnail } from './thumbnail.ts';

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 100, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();

const draw = (bytes: Uint8Array): Promise<Buffer | null> =>
  withFile(bytes, 'docx', (file) => embeddedThumbnail(file, testContext, 64));

describe('embeddedThumbnail', () => {
  it('draws the related preview as WebP, no larger than asked', async () => {
    const parts = docxParts(paragraph('x'), {
      '_rels/.rels': relationships(['r1', 'officeDocument', 'word/document.xml'], ['r2', 'thumbnail', 'preview.jpeg']),
      'preview.jpeg': await picture(),
    });
    expect(await sharp((await draw(pack(parts))) ?? Buffer.alloc(0)).metadata()).toMatchObject({
      format: 'webp',
      width: 64,
      height: 32,
    });
  });

  it("finds OpenDocument's preview by its name", async () => {
    const drawn = await draw(pack({ 'content.xml': '', 'Thumbnails/thumbnail.png': await picture() }));
    expect(drawn?.subarray(8, 12).toString()).toBe('WEBP');
  });

  it('is null without a preview, or with one that cannot be drawn', async () => {
    expect(await draw(pack(docxParts('')))).toBe(null);
    expect(await draw(pack({ 'docProps/thumbnail.jpeg': 'not a picture' }))).toBe(null);
  });
});
