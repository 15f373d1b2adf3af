/**
 * The static model that is shipped: the vector of a text is the normalised sum of its tokens' vectors, whose lengths
 * are the weights of the tokens. A text without a known token gets the zero vector. It needs no network and no native
 * code and embeds thousands of chunks per second, at somewhat lower quality.
 */
import { setImmediate } from 'node:timers/promises';
import { TextTooLongError, type Embedder } from '../../embedder.ts';
import { normalise } from '../inference/pooling.ts';
import { WordPieceTokenizer } from '../tokenizer/word-piece.ts';
import type { StaticModel } from './static-model-file.ts';
import { MAX_TOKENS, TokenSums } from './token-sums.ts';

/** Number of tokens summed before the event loop gets a turn: about 2 ms. */
const TOKENS_PER_TURN = 32_768;

export class StaticEmbedder implements Embedder {
  readonly modelId: string;
  readonly dimensions: number;
  /** A sum has no limit of its own; this one bounds a single call. */
  readonly maxTokens = MAX_TOKENS;
  readonly tokenCounter: WordPieceTokenizer;
  readonly #sums: TokenSums;

  constructor(model: StaticModel) {
    this.modelId = model.modelId;
    this.dimensions = model.dimensions;
    const ids = new Map(model.vocabulary.map((token, id) => [token, id]));
    this.tokenCounter = new WordPieceTokenizer(ids, { unknown: model.unknown });
    this.#sums = new TokenSums(model);
  }

  async embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let tokens = 0;
    for (const text of texts) {
      signal.throwIfAborted();
      const ids = this.#encode(text);
      vectors.push(this.#sum(ids));
      tokens += ids.length;
      if (tokens < TOKENS_PER_TURN) continue;
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

  /** Returns token ids that are valid until the next call. */
  #encode(text: string): Int32Array {
    const ids = this.tokenCounter.idsOf(text);
    if (ids.length > MAX_TOKENS) throw new TextTooLongError(ids.length, MAX_TOKENS);
    return ids;
  }

  #sum(ids: Int32Array): Float32Array {
    const sum = this.#sums.sumOf(ids);
    normalise(sum);
    return sum;
  }
}
