import type { TokenCounter } from '@quire/text/chunk/token-counter';

/** Turns texts into dense vectors, L2-normalised, one per text in the same order. */
export interface Embedder {
  /** Recorded with a collection's index: name and version of the model, e.g. `bge-small-en-v1.5/int8`. */
  readonly modelId: string;
  readonly dimensions: number;
  /** Longest input in tokens, the model's prefix and marks included; longer text is the caller's error. */
  readonly maxTokens: number;
  readonly tokenCounter: TokenCounter;
  /** Only for models that are called over a network: batches under way at once. What is done is kept over a failure. */
  readonly concurrentBatches?: number;
  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** A text has more tokens than the model reads. Passages must be cut to fit: text is never cut silently. */
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
