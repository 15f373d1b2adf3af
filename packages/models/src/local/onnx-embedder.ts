/** Embeds texts with a transformer, on onnxruntime in worker threads. */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { TextTooLongError, type Embedder } from '../embedder.ts';
import type { TokenCounter } from '@quire/text/chunk/token-counter';
import type { Priority } from './inference/inference-protocol.ts';
import { planBatches } from './inference/plan-batches.ts';
import { startInferenceThread, ThreadPool } from './inference/thread-pool.ts';
import type { ModelFiles } from './model-files.ts';
import { readTokenizer, type TextTokenizer } from './tokenizer/text-tokenizer.ts';

/** Maximum number of threads for documents; each holds a copy of the model (25 to 90 MB). */
const MAX_THREADS = 4;
/** Number of texts tokenised before the event loop gets a turn: about 2 ms. */
const TEXTS_PER_TURN = 8;

export class OnnxEmbedder implements Embedder {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly tokenCounter: TokenCounter;
  readonly #tokenizer: TextTokenizer;
  readonly #queryPrefix: string;
  readonly #documentPrefix: string;
  readonly #inputTokens: number;
  readonly #runsSingleTexts: boolean;
  readonly #pool: ThreadPool;

  constructor(model: ModelFiles, tokenizer: TextTokenizer, pool: ThreadPool) {
    this.modelId = model.modelId;
    this.dimensions = model.dimensions;
    this.#tokenizer = tokenizer;
    this.#queryPrefix = model.queryPrefix;
    this.#documentPrefix = model.documentPrefix;
    this.#inputTokens = model.maxTokens;
    this.#runsSingleTexts = model.runsSingleTexts;
    this.#pool = pool;
    const added = tokenizer.before.length + tokenizer.after.length;
    const prefix = Math.max(tokenizer.count(model.queryPrefix), tokenizer.count(model.documentPrefix));
    this.maxTokens = model.maxTokens - added - prefix;
    this.tokenCounter = tokenizer;
  }

  /** Loads the tokenizer and one session, so that a broken model fails here. */
  static async open(
    model: ModelFiles,
    documentThreads: number = Math.min(MAX_THREADS, availableParallelism()),
    presentOwner?: () => string,
  ): Promise<OnnxEmbedder> {
    const tokenizer = await readTokenizer(model.tokenizerFile);
    const { modelFile, pooling, paddingId } = model;
    const start = (priority: Priority) => startInferenceThread({ modelFile, pooling, paddingId, priority });
    const pool = new ThreadPool(start, documentThreads, presentOwner);
    const marks = Int32Array.from([...tokenizer.before, ...tokenizer.after]);
    const { length } = await pool.run([marks], 'query', new AbortController().signal);
    if (length !== model.dimensions) {
      await pool.close();
      throw new Error(`${model.modelId} gives ${length} dimensions, not ${model.dimensions}`);
    }
    return new OnnxEmbedder(model, tokenizer, pool);
  }

  async embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const rows: Int32Array[] = [];
    for (const text of texts) {
      rows.push(this.#encode(this.#documentPrefix + text));
      if (rows.length % TEXTS_PER_TURN === 0) await setImmediate();
    }
    // Every batch of the call listens to this signal; Node warns above ten listeners.
    const own = AbortSignal.any([signal]);
    setMaxListeners(0, own);
    const vectors: Float32Array[] = [];
    const batches = this.#runsSingleTexts
      ? rows.map((_, index) => [index])
      : planBatches(rows.map(({ length }) => length));
    await Promise.all(
      batches.map(async (batch) => {
        const flat = await this.#pool.run(
          batch.flatMap((index) => rows[index] ?? []),
          'documents',
          own,
        );
        for (const [position, index] of batch.entries()) vectors[index] = this.#vector(flat, position);
      }),
    );
    return vectors;
  }

  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array> {
    return this.#vector(await this.#pool.run([this.#encode(this.#queryPrefix + text)], 'query', signal), 0);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #encode(text: string): Int32Array {
    const { before, after } = this.#tokenizer;
    const ids = this.#tokenizer.encode(text);
    const length = before.length + ids.length + after.length;
    if (length > this.#inputTokens) throw new TextTooLongError(length, this.#inputTokens);
    return Int32Array.from([...before, ...ids, ...after]);
  }

  #vector(flat: Float32Array, position: number): Float32Array {
    return flat.slice(position * this.dimensions, (position + 1) * this.dimensions);
  }
}
