import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGgufHeader } from './gguf-header.ts';

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(path.join(tmpdir(), 'quire-gguf-'))));
afterAll(() => rm(directory, { recursive: true }));

const uint32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const uint64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);
const entry = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), uint32(type), value]);

const ARCHITECTURE = entry('general.architecture', 8, text('gemma3'));
const TAGS = entry('general.tags', 9, Buffer.concat([uint32(8), uint64(2), text('gemma'), text('google')]));
const SIZES = entry('general.sizes', 9, Buffer.concat([uint32(10), uint64(2), uint64(1), uint64(2)]));
const LENGTH = entry('gemma3.context_length', 4, uint32(32_768));

const head = (entries: readonly Buffer[], version = 3, magic = 'GGUF') =>
  Buffer.concat([Buffer.from(magic), uint32(version), uint64(236), uint64(entries.length), ...entries]);

async function read(bytes: Buffer) {
  const file = path.join(directory, 'model.gguf');
  await writeFile(file, bytes);
  return readGgufHeader(file);
}

test('architecture and context length are read after values of every type', async () => {
  const entries = [ARCHITECTURE, TAGS, SIZES, entry('general.ok', 7, Buffer.of(1)), LENGTH];
  expect(await read(head(entries))).toEqual({ architecture: 'gemma3', contextTokens: 32_768 });
});

test.each([
  ['another file', Buffer.from('%PDF-1.7 and so on, long enough to be read'), 'It is not a GGUF file'],
  ['a version that is not known', head([ARCHITECTURE, LENGTH], 99), 'It is not a GGUF file'],
  ['a file that is cut', head([ARCHITECTURE, LENGTH]).subarray(0, 60), 'cut or too long'],
  ['nothing', Buffer.alloc(0), 'cut or too long'],
  ['no context length', head([ARCHITECTURE]), 'does not say how long a context'],
  ['an unknown type', head([ARCHITECTURE, entry('x', 77, uint32(1)), LENGTH]), 'unknown type'],
  ['a text of absurd length', head([entry('x', 8, uint64(2 ** 52)), LENGTH]), 'cut or too long'],
])('%s is refused', async (_what, bytes, message) => {
  await expect(read(bytes)).rejects.toThrow(message);
});
