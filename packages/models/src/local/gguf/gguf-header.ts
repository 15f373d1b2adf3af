/**
 * Reads the header of a GGUF file before native code gets the file: checks its format and returns its context length.
 */
import { open } from 'node:fs/promises';

export interface GgufHeader {
  architecture: string;
  /** Context length of the training, in tokens. */
  contextTokens: number;
}

const MAGIC = 0x46554747;
/** Versions with 64-bit counts: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const VERSIONS = new Set([2, 3]);
/** The required values precede the vocabulary, within the first kilobytes. */
const READ_BYTES = 1024 * 1024;

/** Sizes of the fixed-size value types in bytes, by type number. */
const SIZES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const UINT32 = 4;
const STRING = 8;
const ARRAY = 9;

/** Throws if the file is not GGUF or lacks a required value. */
export async function readGgufHeader(file: string): Promise<GgufHeader> {
  const reader = new Reader(await firstBytes(file));
  if (reader.uint32() !== MAGIC || !VERSIONS.has(reader.uint32())) throw new Error('It is not a GGUF file');
  reader.skip(8);
  const count = reader.uint64();
  let architecture: string | undefined;
  for (let index = 0; index < count; index += 1) {
    const key = reader.text();
    const type = reader.uint32();
    if (key === 'general.architecture' && type === STRING) architecture = reader.text();
    else if (architecture !== undefined && key === `${architecture}.context_length` && type === UINT32) {
      return { architecture, contextTokens: reader.uint32() };
    } else reader.skipValue(type);
  }
  throw new Error('The GGUF file does not say how long a context its model reads');
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads little-endian values; reading beyond the end throws `RangeError`. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  uint32(): number {
    this.skip(4);
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  uint64(): number {
    this.skip(8);
    return Number(this.#bytes.readBigUInt64LE(this.#at - 8));
  }

  text(): string {
    const length = this.uint64();
    this.skip(length);
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  skip(bytes: number): void {
    this.#at += bytes;
    if (this.#at > this.#bytes.length) throw new RangeError('The GGUF file’s head is cut or too long');
  }

  skipValue(type: number): void {
    if (type === STRING) this.skip(this.uint64());
    else if (type === ARRAY) this.#skipArray();
    else this.skip(sizeOf(type));
  }

  #skipArray(): void {
    const type = this.uint32();
    const count = this.uint64();
    if (type !== STRING && type !== ARRAY) this.skip(sizeOf(type) * count);
    else for (let index = 0; index < count; index += 1) this.skipValue(type);
  }
}

function sizeOf(type: number): number {
  const size = SIZES[type];
  if (size === undefined) throw new Error('The GGUF file has a value of an unknown type');
  return size;
}
