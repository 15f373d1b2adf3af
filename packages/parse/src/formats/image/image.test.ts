// large: recognises whole pages
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeOcr } from '../../ocr/ocr.ts';
import { PARAGRAPH, paragraphPicture, textPicture } from '../../ocr/testing/text-picture.ts';
import { reader } from './image.ts';
import { parseImage, thumbnailOf } from './testing/parse-image.ts';

// Some tests run OCR on several pages.
vi.setConfig({ testTimeout: 120_000 });
afterAll(closeOcr);

const plain = (width: number, height: number, background = '#3465a4') =>
  sharp({ create: { width, height, channels: 3, background } });

/** An entry of a TIFF directory: tag 259, one SHORT; its value follows. */
const COMPRESSION_ENTRY = Buffer.from([0x03, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00]);

describe('warnings', () => {
  it('leaves out a page in a script without an OCR language, names the script, and does not describe it', async () => {
    const lines = [
      'Смотритель порта ведёт книгу, в которую',
      'записывают каждое большое судно вместе с',
      'днём прибытия и его родным портом. Никто',
      'никогда не спрашивал, зачем нужна эта книга.',
    ];
    const page = await textPicture(lines.map((text, i) => ({ text, x: 80, y: 140 + i * 60, size: 40 })));
    const { blocks, isDescription, warnings } = await parseImage(reader, page, 'png');
    expect([blocks, isDescription]).toEqual([[], undefined]);
    expect(warnings).toEqual([
      {
        type: 'ocr_language_missing',
        message: 'Text in Cyrillic script was left out: the OCR languages (eng) do not cover it',
        pages: [1],
      },
      { type: 'pages_without_text', message: 'No text was read from these pages', pages: [1] },
    ]);
  });

  it('describes a picture of one pixel, which is marked as a description and has a warning', async () => {
    const { blocks, isDescription, warnings } = await parseImage(reader, await plain(1, 1).png().toBuffer(), 'png');
    expect([blocks.map(({ type }) => type), isDescription]).toEqual([['figure'], true]);
    expect(warnings.map(({ type, pages }) => [type, pages])).toEqual([['pages_without_text', [1]]]);
  });
});

describe('reading images', () => {
  it('reads a Chinese page without any configuration', async () => {
    const page = await readFile(new URL('../../ocr/testing/chinese-page.png', import.meta.url));
    const { blocks, warnings } = await parseImage(reader, page, 'png');
    const text =
      '港口管理员保存着一本登记册，凡进入港口的船只都会连同抵达日期登记在册。没有人问过他这本册子有什么用处，' +
      '每年春天，新船长们前来递交文件，检查员逐页核对货物清单和船员名单，然后盖章放行。';
    expect([blocks.map((block) => block.text), warnings]).toEqual([[text], []]);
  });

  it('returns the words of an image with page and bounding box', async () => {
    const { blocks, pageCount } = await parseImage(reader, await paragraphPicture(), 'png');
    expect(blocks.map(({ type, text, page }) => ({ type, text: text?.toLowerCase(), page }))).toEqual([
      { type: 'paragraph', text: PARAGRAPH.join(' ').toLowerCase(), page: 1 },
    ]);
    const [left, top, right, bottom] = blocks[0]?.bbox ?? [0, 0, 0, 0];
    // The text covers 80..1040 of 1240 and 110..380 of 900.
    expect([left, top, right, bottom].map((value) => Math.round(value * 20))).toEqual([1, 2, 17, 8]);
    expect(pageCount).toBe(1);
  });

  it('describes an image without words by name, size and EXIF', async () => {
    const exif = {
      IFD0: { Make: 'Acme', Model: 'Camera 3', ImageDescription: 'A blue wall' },
      IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' },
    };
    const jpeg = await plain(320, 200).withExif(exif).jpeg().toBuffer();
    const { blocks } = await parseImage(reader, jpeg, 'jpg');
    expect(blocks).toHaveLength(1);
    expect(blocks[0]?.type).toBe('figure');
    expect(blocks[0]?.text?.split('\n').toSorted()).toEqual([
      'Camera maker: Acme',
      'Camera: Camera 3',
      'Description: A blue wall',
      'JPEG image, 320 × 200 pixels',
      'Taken: 2024:05:06 07:08:09',
      'picture.jpg',
    ]);
  });

  it('reads the pages of a TIFF, and only the first frame of an animation', async () => {
    const page = await paragraphPicture();
    const pages = await sharp([page, page], { join: { animated: true } })
      .tiff()
      .toBuffer();
    const tiff = await parseImage(reader, pages, 'tiff');
    expect([tiff.pageCount, tiff.blocks.map((block) => block.page)]).toEqual([2, [1, 2]]);
    const gif = await sharp([page, page], { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await parseImage(reader, gif, 'gif')).pageCount).toBe(1);
  });

  it('reads the other pages of a TIFF with one damaged page, and names that page', async () => {
    const page = await paragraphPicture();
    const pages = await sharp([page, page, page], { join: { animated: true } })
      .tiff({ compression: 'none' })
      .toBuffer();
    const second = pages.indexOf(COMPRESSION_ENTRY, pages.indexOf(COMPRESSION_ENTRY) + 1);
    pages.writeUInt16LE(34661, second + COMPRESSION_ENTRY.length);
    const { blocks, pageCount, warnings } = await parseImage(reader, pages, 'tiff');
    expect([pageCount, blocks.map((block) => block.page)]).toEqual([3, [1, 3]]);
    expect(warnings).toEqual([
      {
        type: 'truncated',
        message: 'A page was left out: The TIFF is compressed by JBIG, which cannot be read',
        pages: [2],
      },
    ]);
  });

  it('corrects the aspect ratio of a fax with half the lines, and reads it', async () => {
    const page = sharp(await paragraphPicture()).toColourspace('b-w');
    const { width = 0, height = 0 } = await page.metadata();
    const pixels = await page
      .resize(width, height / 2, { fit: 'fill' })
      .raw()
      .toBuffer();
    const fax = await sharp(pixels, { raw: { width, height: height / 2, channels: 1 } })
      .toColourspace('b-w')
      .tiff({ compression: 'ccittfax4', bitdepth: 1, xres: 8.03, yres: 3.85 })
      .toBuffer();
    const { blocks } = await parseImage(reader, fax, 'tiff');
    expect(blocks.map(({ text }) => text?.toLowerCase())).toEqual([PARAGRAPH.join(' ').toLowerCase()]);
    const drawn = await sharp(await thumbnailOf(reader, fax, 'tiff', 512)).metadata();
    expect([drawn.width, drawn.height]).toEqual([512, 388]);
  });

  it('names the unsupported compression of a TIFF instead of calling it empty', async () => {
    const plainTiff = await plain(64, 64).tiff({ compression: 'none' }).toBuffer();
    for (const [compression, name] of [
      [34661, 'JBIG'],
      [50000, 'Zstandard'],
    ] as const) {
      const at = plainTiff.indexOf(COMPRESSION_ENTRY);
      plainTiff.writeUInt16LE(compression, at + COMPRESSION_ENTRY.length);
      for (const ocr of ['auto', 'never'] as const)
        await expect(parseImage(reader, plainTiff, 'tiff', { ocr })).rejects.toMatchObject({
          type: 'unsupported',
          message: `The TIFF is compressed by ${name}, which cannot be read`,
        });
    }
  });

  it('crops a small slip from a large sheet with specks, and returns its position on the sheet', async () => {
    const small = await sharp(await paragraphPicture())
      .resize(400)
      .toBuffer();
    const sheet = await plain(1600, 2000, '#fff')
      .composite([{ input: small, left: 700, top: 1200 }])
      .png()
      .toBuffer();
    const { blocks } = await parseImage(reader, sheet, 'png');
    expect(blocks.map(({ text }) => text?.toLowerCase())).toEqual([PARAGRAPH.join(' ').toLowerCase()]);
    // The text covers 726..1043 and 1235..1323.
    expect(blocks[0]?.bbox?.map((side) => Math.round(side * 50))).toEqual([23, 31, 33, 33]);
  });

  it('does not run OCR if it is disabled', async () => {
    const { blocks } = await parseImage(reader, await paragraphPicture(), 'png', { ocr: 'never' });
    expect(blocks.map((block) => block.type)).toEqual(['figure']);
  });

  it.each(['jpg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const)(
    'calls a %s file corrupt that is cut off',
    async (format) => {
      const noise = Buffer.from(Uint8Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251));
      const whole = sharp(noise, { raw: { width: 300, height: 300, channels: 3 } });
      const bytes = await whole.toFormat(format === 'jpg' ? 'jpeg' : format).toBuffer();
      for (const ocr of ['auto', 'never'] as const) {
        const cut = parseImage(reader, bytes.subarray(0, bytes.length / 2), format, { ocr });
        await expect(cut).rejects.toMatchObject({ type: 'corrupt' });
      }
    },
  );

  it('refuses images above the pixel limit before decoding them', async () => {
    const big = await plain(2000, 1000).png().toBuffer();
    await expect(parseImage(reader, big, 'png', { maxPixels: 1_999_999 })).rejects.toMatchObject({ type: 'too_large' });
  });

  it('does not draw an SVG that is named like a PNG', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="9" height="9"/></svg>',
    );
    await expect(parseImage(reader, svg, 'png')).rejects.toMatchObject({ type: 'corrupt' });
  });
});

describe('thumbnails of images', () => {
  it('fit the requested size, upright, without enlarging', async () => {
    const turned = await plain(1000, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const large = await sharp(await thumbnailOf(reader, turned, 'jpg', 512)).metadata();
    expect([large.format, large.width, large.height]).toEqual(['webp', 205, 512]);
    const small = await sharp(await thumbnailOf(reader, await plain(40, 30).png().toBuffer(), 'png', 512)).metadata();
    expect([small.width, small.height]).toEqual([40, 30]);
  });
});
