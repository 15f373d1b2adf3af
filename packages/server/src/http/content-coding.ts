/** Content codings of answers: which one a client accepts, and compression outside of the main thread. */
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';

export type Coding = 'br' | 'gzip';

/** In order of preference. */
const CODINGS: readonly Coding[] = ['br', 'gzip'];

/** Quality of brotli, 0 to 11. At 11, its default, a text of 400 kB takes a second; at 4 it takes 10 ms. */
const BROTLI_QUALITY = 4;
/** Base-2 logarithm of brotli's window. The default of 22 takes 4 MB of memory for each answer, 18 a quarter. */
const BROTLI_WINDOW = 18;
/** Level of gzip between the fastest (1) and zlib's default (6), which takes longer for a few percent. */
const GZIP_LEVEL = 4;

const brotliOptions = (quality: number): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW },
});
const gzipOptions: ZlibOptions = { level: GZIP_LEVEL };

/** Returns the preferred coding of those that the header `Accept-Encoding` allows; undefined for none. */
export function acceptedCoding(
  header: string | string[] | undefined,
  offered: readonly Coding[] = CODINGS,
): Coding | undefined {
  if (header === undefined) return undefined;
  const entries = String(header)
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()));
  const isRefused = (entry: readonly string[]): boolean => entry.some((part) => /^q=0(?:\.0*)?$/.test(part));
  const named = (name: string): readonly string[] | undefined =>
    entries.find(([each]) => each === name || (name === 'gzip' && each === 'x-gzip'));
  const any = named('*');
  return offered.find((coding) => {
    const entry = named(coding) ?? any;
    return entry !== undefined && !isRefused(entry);
  });
}

const inBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const inGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** Size in bytes up to which compression takes less time (0.1 ms) than passing the bytes to a thread and back. */
const DIRECT_BYTES = 8 * 1024;

/**
 * Compresses in the thread pool, and small texts at once. The memory of the compressor is free again before the answer
 * is sent, so that a slow reader does not hold it.
 */
export async function compress(bytes: Buffer, coding: Coding, quality = BROTLI_QUALITY): Promise<Buffer> {
  if (bytes.length > DIRECT_BYTES)
    return coding === 'br' ? inBrotli(bytes, brotliOptions(quality)) : inGzip(bytes, gzipOptions);
  return coding === 'br' ? brotliCompressSync(bytes, brotliOptions(quality)) : gzipSync(bytes, gzipOptions);
}

export const compressor = (coding: Coding): Transform =>
  coding === 'br' ? createBrotliCompress(brotliOptions(BROTLI_QUALITY)) : createGzip(gzipOptions);
