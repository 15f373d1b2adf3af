/** Reads safetensors files: header length (u64), a JSON header, then the tensors as in memory. */
import { open, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { fromFloat16 } from '@quire/shared/float16';

const headerSchema = z.record(
  z.string(),
  z.object({ dtype: z.string(), shape: z.array(z.int().min(0)), data_offsets: z.tuple([z.int(), z.int()]) }),
);
type Entry = z.output<typeof headerSchema>[string];

const LENGTH_BYTES = 8;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;

export interface FloatTensor {
  shape: readonly number[];
  values: Float32Array;
}

export class SafetensorsFile {
  readonly #file: FileHandle;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #dataStart: number;

  private constructor(file: FileHandle, entries: ReadonlyMap<string, Entry>, dataStart: number) {
    this.#file = file;
    this.#entries = entries;
    this.#dataStart = dataStart;
  }

  static async open(path: string): Promise<SafetensorsFile> {
    const file = await open(path);
    try {
      const length = Number((await read(file, 0, LENGTH_BYTES)).readBigUInt64LE());
      if (length > MAX_HEADER_BYTES) throw new Error('This is not a safetensors file');
      const header: unknown = JSON.parse((await read(file, LENGTH_BYTES, length)).toString('utf8'));
      const tensors = Object.entries(header ?? {}).filter(([name]) => name !== '__metadata__');
      const entries = headerSchema.parse(Object.fromEntries(tensors));
      return new SafetensorsFile(file, new Map(Object.entries(entries)), LENGTH_BYTES + length);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Returns a tensor of 32-bit, 16-bit or brain floats as 32-bit floats. Throws for other types and unknown names. */
  async floats(name: string): Promise<FloatTensor> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`The model has no tensor '${name}'`);
    const [start, end] = entry.data_offsets;
    const bytes = await read(this.#file, this.#dataStart + start, end - start);
    return { shape: entry.shape, values: toFloats(bytes, entry.dtype, name) };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('The model file is cut short');
  return buffer;
}

function toFloats(bytes: Buffer, type: string, name: string): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'F32') {
    return Float32Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(index * 4, true));
  }
  if (type === 'F16') return fromFloat16(bytes);
  if (type !== 'BF16') throw new Error(`Tensor '${name}' holds ${type}, not floats`);
  const widened = Uint32Array.from({ length: bytes.length / 2 }, (_, index) => view.getUint16(index * 2, true) << 16);
  return new Float32Array(widened.buffer);
}
