import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readExif } from './exif.ts';

async function exifOf(fields: Record<string, string>): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } });
  const jpeg = await picture.withExif({ IFD0: fields }).jpeg().toBuffer();
  return (await sharp(jpeg).metadata()).exif ?? Buffer.alloc(0);
}

describe('readExif', () => {
  it('reads words in both byte orders, short ones too', async () => {
    expect(await exifOf({ Artist: 'Bo', Copyright: 'Nobody at all' }).then(readExif)).toEqual([
      { label: 'Artist', value: 'Bo' },
      { label: 'Copyright', value: 'Nobody at all' },
    ]);
    // Header, one directory with one entry: tag 010e, type 2, 3 bytes, in place.
    const entry = Buffer.from('4d4d002a000000080001010e0002000000036869000000000000', 'hex');
    expect(readExif(entry)).toEqual([{ label: 'Description', value: 'hi' }]);
  });

  it('never fails on damaged bytes', async () => {
    const whole = await exifOf({ Artist: 'Somebody with a name', Model: 'Camera' });
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length - 1), fc.nat(255), (end, at, value) => {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        expect(Array.isArray(readExif(damaged.subarray(0, end)))).toBe(true);
      }),
    );
  });
});
