/** The head of a GGUF file, for tests: version 3 without tensors, with text and 32-bit values. */
const STRING = 8;
const UINT32 = 4;

const uint32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const uint64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)]);

/** Returns the head of a model that reads 512 tokens, with further values. */
export function ggufHead(values: Readonly<Record<string, string | number>>): Buffer {
  const all = { 'general.architecture': 'llama', 'llama.context_length': 512, ...values };
  const entries = Object.entries(all).map(([key, value]) =>
    typeof value === 'number'
      ? Buffer.concat([text(key), uint32(UINT32), uint32(value)])
      : Buffer.concat([text(key), uint32(STRING), text(value)]),
  );
  return Buffer.concat([Buffer.from('GGUF'), uint32(3), uint64(0), uint64(entries.length), ...entries]);
}
