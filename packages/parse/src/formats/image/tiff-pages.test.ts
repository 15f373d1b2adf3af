import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { tiff } from './testing/tiff-file.ts';
import { selectPage, tiffPages } from './tiff-pages.ts';

/** Returns the pages without the places of their directories. */
const described = (file: Buffer): object[] => tiffPages(file).map(({ at: _at, linkAt: _linkAt, ...page }) => page);

describe('tiffPages', () => {
  it('reads compression, copies and unequal resolutions, in both byte orders and in BigTIFF', () => {
    for (const kind of ['little', 'big', 'bigtiff'] as const) {
      const file = tiff(kind, [
        { compression: 4, resolution: [204, 98] },
        { compression: 34661, subfileType: 1 },
        { compression: 1, subfileType: 2 },
      ]);
      expect(described(file)).toEqual([
        { compression: 4, isCopy: false, aspect: 204 / 98 },
        { compression: 34661, isCopy: true, aspect: 1 },
        { compression: 1, isCopy: false, aspect: 1 },
      ]);
    }
  });

  it('reads a file of another program', async () => {
    const blank = sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } });
    const fax = await blank
      .toColourspace('b-w')
      .tiff({ compression: 'ccittfax4', bitdepth: 1, xres: 8, yres: 4 })
      .toBuffer();
    expect(described(fax)).toEqual([{ compression: 4, isCopy: false, aspect: 2 }]);
  });

  it('makes a page the only one of the file', () => {
    for (const kind of ['little', 'big', 'bigtiff'] as const) {
      const file = tiff(kind, [{ compression: 1 }, { compression: 4 }, { compression: 5 }]);
      const [first, second] = tiffPages(file);
      if (first === undefined || second === undefined) throw new Error('the file has three pages');
      selectPage(file, second);
      expect(described(file)).toEqual([{ compression: 4, isCopy: false, aspect: 1 }]);
      selectPage(file, first);
      expect(described(file)).toEqual([{ compression: 1, isCopy: false, aspect: 1 }]);
    }
  });

  it('ignores circular chains, offsets beyond the end and resolutions of zero', () => {
    expect(tiffPages(tiff('little', [{ compression: 1 }], { next: 8 }))).toHaveLength(1);
    expect(tiffPages(tiff('little', [{ compression: 1 }], { next: 1e9 }))).toHaveLength(1);
    expect(tiffPages(tiff('little', [{ compression: 1, resolution: [200, 0] }]))[0]?.aspect).toBe(1);
    expect(tiffPages(Buffer.from('II*\0'))).toEqual([]);
    expect(tiffPages(Buffer.from('no picture at all'))).toEqual([]);
  });
});
