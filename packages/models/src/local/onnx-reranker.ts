/** Scores pairs of query and text with a cross-encoder, on onnxruntime in worker threads. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { probabilityOf, type Reranker } from '../reranker.ts';
import { planBatches } from './inference/plan-batches.ts';
import { startInferenceThread, ThreadPool } from './inference/thread-pool.ts';
import type { CrossEncoderFolder } from './model-folder.ts';
import { readTokenizer, type TextTokenizer } from './tokenizer/text-tokenizer.ts';

const configSchema = z.object({
  model_type: z.string().default('bert'),
  max_position_embeddings: z.int().default(512),
  pad_token_id: z.int().nullish(),
});
/** Longer input makes a search slow: attention takes quadratic time. */
const MAX_TOKENS = 512;
/** Maximum share of the input for the query. */
const MAX_QUERY_SHARE = 0.5;
const MAX_THREADS = 4;

export class OnnxReranker implements Reranker {
  readonly modelId: string;
  readonly #tokenizer: TextTokenizer;
  readonly #maxTokens: number;
  /** Special tokens between the query and the text. */
  readonly #between: readonly number[];
  readonly #pool: ThreadPool;

  private constructor(
    modelId: string,
    tokenizer: TextTokenizer,
    settings: { maxTokens: number; between: readonly number[] },
    pool: ThreadPool,
  ) {
    this.modelId = modelId;
    this.#tokenizer = tokenizer;
    this.#maxTokens = settings.maxTokens;
    this.#between = settings.between;
    this.#pool = pool;
  }

  /** Loads the tokenizer and scores a pair, so that a broken model fails here. */
  static async open({ name, folder, weights }: CrossEncoderFolder, presentOwner?: () => string): Promise<OnnxReranker> {
    const config = configSchema.parse(JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8')));
    const tokenizer = await readTokenizer(path.join(folder, 'tokenizer.json'));
    const isBert = config.model_type === 'bert';
    const paddingId = config.pad_token_id ?? 0;
    // RoBERTa numbers positions from behind its padding token, and has two separators between texts.
    const positions = config.max_position_embeddings - (isBert ? 0 : paddingId + 1);
    const between = isBert ? tokenizer.after : [...tokenizer.after, ...tokenizer.after];
    const modelFile = path.join(folder, weights);
    const pool = new ThreadPool(
      (priority) =>
        startInferenceThread({ modelFile, pooling: 'scores', paddingId, separatorId: tokenizer.after[0], priority }),
      Math.min(MAX_THREADS, availableParallelism()),
      presentOwner,
    );
    const settings = { maxTokens: Math.min(MAX_TOKENS, positions), between };
    const reranker = new OnnxReranker(name, tokenizer, settings, pool);
    try {
      await reranker.score('a', ['a'], new AbortController().signal);
    } catch (error) {
      await pool.close();
      throw error;
    }
    return reranker;
  }

  async score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const rows = texts.map((text) => this.#encode(query, text));
    const scores: number[] = [];
    await Promise.all(
      planBatches(rows.map(({ length }) => length)).map(async (batch) => {
        const logits = await this.#pool.run(
          batch.flatMap((index) => rows[index] ?? []),
          'query',
          signal,
        );
        if (logits.length !== batch.length) throw new Error(`${this.modelId} gives no score for each pair`);
        for (const [position, index] of batch.entries()) scores[index] = probabilityOf(logits[position] ?? 0);
      }),
    );
    return scores;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #encode(query: string, text: string): Int32Array {
    const { before, after } = this.#tokenizer;
    const room = this.#maxTokens - before.length - this.#between.length - after.length;
    const asked = this.#tokenizer.encode(query).slice(0, Math.floor(room * MAX_QUERY_SHARE));
    const read = this.#tokenizer.encode(text).slice(0, room - asked.length);
    return Int32Array.from([...before, ...asked, ...this.#between, ...read, ...after]);
  }
}
