/**
 * Reads text files of any size and encoding in pieces, so that memory depends on the retained text and not on the file
 * size.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ContentError } from '@quire/blocks/content-error';
import { chooseEncoding, type Encoding, SAMPLE_BYTES, sampleOf } from './encoding.ts';
import { textDecoder } from './text-decoder.ts';
import type { SourceFile } from '../parser.ts';

const PIECE_BYTES = 1024 * 1024;

/** Returns the whole text. Throws `too_large` above `maxBytes` before anything is read. */
export async function readWholeText(file: SourceFile, maxBytes: number, signal: AbortSignal): Promise<string> {
  if (file.sizeBytes > maxBytes) {
    const megabytes = Math.floor(maxBytes / 1024 / 1024);
    throw new ContentError('too_large', `Files of this kind are read up to ${megabytes} MB.`);
  }
  const pieces: string[] = [];
  for await (const piece of textPieces(file, signal)) pieces.push(piece);
  return pieces.join('');
}

/**
 * Yields the text in pieces of about a million characters that never split a surrogate pair. Large files are read
 * twice.
 */
export async function* textPieces(file: SourceFile, signal: AbortSignal): AsyncGenerator<string> {
  const whole = smallFile(file.path);
  const pieces = (from: number): Pieces =>
    whole === undefined ? filePieces(file.path, from, signal) : [whole.subarray(from)];
  const encoding = await fileEncoding(file, pieces(0));
  const decoder = textDecoder(encoding.name);
  let held = '';
  for await (const bytes of pieces(encoding.skipBytes)) {
    const piece = held + decoder.decode(bytes);
    const cut = /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length;
    held = piece.slice(cut);
    if (cut > 0) yield piece.slice(0, cut);
  }
  const end = held + decoder.end();
  if (end !== '') yield end;
}

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Returns the bytes of a file that fits in one piece. Synchronous reading does not block other work in this process,
 * and is faster than the thread pool.
 */
function smallFile(path: string): Uint8Array | undefined {
  const descriptor = openSync(path, 'r');
  try {
    return fstatSync(descriptor).size > PIECE_BYTES ? undefined : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function fileEncoding(file: SourceFile, pieces: Pieces): Promise<Encoding> {
  const declared = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(file.contentType)?.[1];
  let head: Uint8Array | undefined;
  let validUtf8 = true;
  let carry = Buffer.alloc(0);
  const samples: Uint8Array[] = [];
  let sampled = 0;
  for await (const bytes of pieces) {
    head ??= Uint8Array.from(bytes.subarray(0, 64 * 1024));
    if (isAscii(bytes) && carry.length === 0) continue;
    const joined = Buffer.concat([carry, bytes]);
    const whole = completeUtf8Length(joined);
    validUtf8 &&= isUtf8(joined.subarray(0, whole));
    carry = Buffer.from(joined.subarray(whole));
    if (sampled < SAMPLE_BYTES) {
      const sample = Buffer.from(sampleOf(bytes));
      samples.push(sample);
      sampled += sample.length;
    }
    if (!validUtf8 && sampled >= SAMPLE_BYTES) break;
  }
  validUtf8 &&= carry.length === 0;
  return chooseEncoding({ head: head ?? new Uint8Array(), sample: Buffer.concat(samples), validUtf8, declared });
}

/** Returns the length without an incomplete character at the end. */
function completeUtf8Length(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < needed ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

async function* filePieces(path: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await using handle = await open(path, 'r');
  // Zeroing a new buffer of the full size takes 0.3 ms, a large part of the time for a small file.
  const { size } = await handle.stat();
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, Math.max(1, size - from)));
  for (let position = from; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
