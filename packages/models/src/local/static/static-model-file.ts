/**
 * Reads the file of a static model, written by scripts/distil/model_file.py: a vector for each token of a vocabulary,
 * as int8 with one scale per row. Little-endian:
 *
 *     "QSTM"  u32 version  u32 header bytes  header (JSON)  f32 scales  i8 matrix  vocabulary, one token per line
 */
import { z } from 'zod';

const MAGIC = 'QSTM';
const VERSION = 1;
const FIXED_BYTES = 12;

const headerSchema = z.object({
  modelId: z.string().min(1),
  tokenizer: z.literal('bert-uncased'),
  unknown: z.string(),
  tokens: z.int().min(1),
  dimensions: z.int().min(1),
  vocabularyBytes: z.int().min(1),
});

export interface StaticModel {
  modelId: string;
  dimensions: number;
  /** Tokens by id. */
  vocabulary: readonly string[];
  /** The token for words outside of the vocabulary. */
  unknown: string;
  /** One scale per token; a row of the matrix times its scale is the token's vector. */
  scales: Float32Array;
  matrix: Int8Array;
}

/** Throws if the bytes are not a complete model file. */
export function readStaticModel(bytes: Uint8Array): StaticModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder('utf-8', { fatal: true });
  if (bytes.length < FIXED_BYTES || text.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new Error('This is not the file of a static model');
  }
  if (view.getUint32(4, true) !== VERSION) throw new Error(`Static model of version ${view.getUint32(4, true)}`);
  const headerEnd = FIXED_BYTES + view.getUint32(8, true);
  const header = headerSchema.parse(JSON.parse(text.decode(bytes.subarray(FIXED_BYTES, headerEnd))));
  const matrixStart = headerEnd + header.tokens * 4;
  const matrixEnd = matrixStart + header.tokens * header.dimensions;
  if (matrixEnd + header.vocabularyBytes !== bytes.length) throw new Error('The file of the static model is cut short');
  const vocabulary = text.decode(bytes.subarray(matrixEnd)).split('\n');
  if (vocabulary.length !== header.tokens) throw new Error('The vocabulary does not fit the matrix');
  return {
    modelId: header.modelId,
    dimensions: header.dimensions,
    unknown: header.unknown,
    vocabulary,
    scales: Float32Array.from({ length: header.tokens }, (_, row) => view.getFloat32(headerEnd + row * 4, true)),
    matrix: new Int8Array(bytes.buffer, bytes.byteOffset + matrixStart, header.tokens * header.dimensions),
  };
}
