import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedCoding, compress } from './content-coding.ts';

test('the preferred coding that the header allows is chosen', () => {
  const chosen = [
    undefined,
    '',
    'gzip, deflate, br',
    'gzip',
    'X-GZIP',
    'br;q=0, gzip',
    'br;q=0.000, *',
    '*',
    '*;q=0',
    'identity, *;q=0',
    'BR ; q=0.5',
    'zstd',
  ].map((header) => acceptedCoding(header));
  expect(chosen).toEqual([
    undefined,
    undefined,
    'br',
    'gzip',
    'gzip',
    'gzip',
    'gzip',
    'br',
    undefined,
    undefined,
    'br',
    undefined,
  ]);
});

test('small and large bytes are compressed in both codings', async () => {
  for (const size of [1_000, 100_000]) {
    const bytes = Buffer.from('text '.repeat(size / 5));
    expect(brotliDecompressSync(await compress(bytes, 'br')).equals(bytes)).toBe(true);
    expect(gunzipSync(await compress(bytes, 'gzip')).equals(bytes)).toBe(true);
  }
});
