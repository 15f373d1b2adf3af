/**
 * Our own static model: a text's vector is the sum of its tokens' vectors, normalised. How much a token counts is in the
 * length of its vector. No network, no native code, thousands of passages a second; the last step of the ladder, and the
 * choice of those who prefer speed to the last points of quality.
 */
import { setImmediate } from 'node:timers/promises';
import { TextTooLongError, type Embedder } from '../../embedder.ts';
import { WordPieceTokenizer } from '../tokenizer/word-piece.ts';
import type { StaticModel } from './static-model-file.ts';

/** A sum has no limit of its own; this one keeps a single call under 10 ms. */
const MAX_TOKENS = 8192;
/** About 3 ms of work between two looks at the event loop. */
const TOKENS_AT_ONCE = 8192;

export class StaticEmbedder implements Embedder {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxTokens = MAX_TOKENS;
  readonly tokenCounter: WordPieceTokenizer;
  readonly #matrix: Float32Array;

  constructor(model: StaticModel) {
    this.modelId = model.modelId;
    this.dimensions = model.dimensions;
    const ids = new Map(model.vocabulary.map((token, id) => [token, id]));
    this.tokenCounter = new WordPieceTokenizer(ids, { unknown: model.unknown });
    this.#matrix = unpack(model);
  }

  async embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let tokens = 0;
    for (const text of texts) {
      signal.throwIfAborted();
      const ids = this.#encode(text);
      vectors.push(this.#sum(ids));
      tokens += ids.length;
      if (tokens < TOKENS_AT_ONCE) continue;
      tokens = 0;
      await setImmediate();
    }
    signal.throwIfAborted();
    return vectors;
  }

  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array> {
    signal.throwIfAborted();
    return this.#sum(this.#encode(text));
  }

  async close(): Promise<void> {}

  #encode(text: string): number[] {
    const ids = this.tokenCounter.encode(text);
    if (ids.length > MAX_TOKENS) throw new TextTooLongError(ids.length, MAX_TOKENS);
    return ids;
  }

  #sum(ids: readonly number[]): Float32Array {
    const size = this.dimensions;
    const matrix = this.#matrix;
    const sum = new Float32Array(size);
    for (const id of ids) {
      const row = id * size;
      for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + (matrix[row + i] ?? 0);
    }
    return normalised(sum);
  }
}

/** int8 on disk, floats in memory: twice the speed for 31 MB. */
function unpack({ matrix, scales, dimensions }: StaticModel): Float32Array {
  const rows = new Float32Array(matrix.length);
  for (const [index, value] of matrix.entries()) {
    rows[index] = value * (scales[Math.floor(index / dimensions)] ?? 0);
  }
  return rows;
}

/** A text without a known token has no direction: it gets the zero vector, which is near nothing. */
function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
