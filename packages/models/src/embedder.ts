import type { TokenCounter } from '@quire/text/chunk/token-counter';

/** Embeds texts as dense vectors, L2-normalised, one per text in the same order. */
export interface Embedder {
  /** Name and version of the model, e.g. `bge-small-en-v1.5/int8`; recorded with a collection's index. */
  readonly modelId: string;
  readonly dimensions: number;
  /** Maximum number of input tokens, without the model's prefix and special tokens; the caller must not exceed it. */
  readonly maxTokens: number;
  readonly tokenCounter: TokenCounter;
  /**
   * Maximum number of concurrent batches; only for models that are called over a network. Finished batches survive a
   * failure.
   */
  readonly concurrentBatches?: number;
  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Thrown for a text with more tokens than the model accepts. Texts are never truncated silently. */
export class TextTooLongError extends Error {
  override readonly name = 'TextTooLongError';
  readonly tokens: number;
  readonly maxTokens: number;

  constructor(tokens: number, maxTokens: number) {
    super(`A text of ${tokens} tokens is longer than the ${maxTokens} that the model reads`);
    this.tokens = tokens;
    this.maxTokens = maxTokens;
  }
}
