/**
 * Our own static model: a text's vector is the sum of its tokens' vectors, normalised. How much a token counts is in the
 * length of its vector; a text without a known token gets the zero vector. No network, no native code, thousands of
 * passages a second: the last step of the ladder, and the choice of those who prefer speed to the last points of quality.
 */
import { setImmediate } from 'node:timers/promises';
import { TextTooLongError, type Embedder } from '../../embedder.ts';
import { normalise } from '../inference/pooling.ts';
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
  /** From row to row of the matrix. */
  readonly #stride: number;

  constructor(model: StaticModel) {
    this.modelId = model.modelId;
    this.dimensions = model.dimensions;
    const ids = new Map(model.vocabulary.map((token, id) => [token, id]));
    this.tokenCounter = new WordPieceTokenizer(ids, { unknown: model.unknown });
    this.#stride = Math.ceil(model.dimensions / LANES) * LANES;
    this.#matrix = unpack(model, this.#stride);
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
    const starts = new Int32Array(ids.length);
    for (let index = 0; index < ids.length; index++) starts[index] = (ids[index] ?? 0) * this.#stride;
    const sum = new Float32Array(this.#stride);
    for (let lane = 0; lane < this.#stride; lane += LANES) sumLanes(this.#matrix, starts, lane, sum);
    normalise(sum);
    return sum.slice(0, this.dimensions);
  }
}

/** Dimensions added up at once. Kept in registers, eight are three times as fast as the plain loop (20,700 : 7,000 texts/s). */
const LANES = 8;

function sumLanes(matrix: Float32Array, starts: Int32Array, lane: number, sum: Float32Array): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  let [e, f, g, h] = [0, 0, 0, 0];
  for (let index = 0; index < starts.length; index++) {
    const at = (starts[index] ?? 0) + lane;
    a += matrix[at] ?? 0;
    b += matrix[at + 1] ?? 0;
    c += matrix[at + 2] ?? 0;
    d += matrix[at + 3] ?? 0;
    e += matrix[at + 4] ?? 0;
    f += matrix[at + 5] ?? 0;
    g += matrix[at + 6] ?? 0;
    h += matrix[at + 7] ?? 0;
  }
  sum[lane] = a;
  sum[lane + 1] = b;
  sum[lane + 2] = c;
  sum[lane + 3] = d;
  sum[lane + 4] = e;
  sum[lane + 5] = f;
  sum[lane + 6] = g;
  sum[lane + 7] = h;
}

/** int8 on disk, floats in memory (31 MB), each row filled up to whole lanes. */
function unpack({ matrix, scales, dimensions }: StaticModel, stride: number): Float32Array {
  const rows = new Float32Array(scales.length * stride);
  for (const [row, scale] of scales.entries()) {
    for (let i = 0; i < dimensions; i++) rows[row * stride + i] = (matrix[row * dimensions + i] ?? 0) * scale;
  }
  return rows;
}
