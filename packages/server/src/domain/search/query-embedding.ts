/**
 * Embeds a query for one index, or reports why it could not: when an embedder is down, a search is answered by terms
 * alone instead of failing or waiting.
 */
import type { CollectionIndexRecord } from '../../database/tables.ts';
import { ContentError } from '@quire/blocks/content-error';
import type { Logger } from '../../logger.ts';
import type { Embedder } from '@quire/models/embedder';
import { BACKGROUND_TEXTS } from '@quire/models/background-texts';
import { pause } from '@quire/shared/pause';
import { TextTooLongError } from '@quire/models/embedder';

export interface QueryEmbeddingDeps {
  /** Returns the dense embedder of an index, or null for a sparse index. */
  embedderFor: (index: CollectionIndexRecord, signal: AbortSignal) => Promise<Embedder | null>;
  /** Returns the time of a monotonic clock, in ms. */
  now: () => number;
  logger: Logger;
}

/** `modelId` is null for a sparse index, and before the first document of an index. */
export type QueryVector =
  | { modelId: string; vector: Float32Array; problem: null }
  | { modelId: string | null; vector: null; problem: string | null };

/** Time limit of a query's embedding in ms, retries included. */
const DEADLINE_MS = 5_000;
/** Time limit of the embedding of the background texts in ms; a search waits for it no longer than for its query. */
const BACKGROUND_DEADLINE_MS = 60_000;
/** Time in ms for which an embedder is skipped after it reached the limit, so that later queries do not wait for it. */
const SKIP_MS = 15_000;

export class QueryEmbedding {
  readonly #deps: QueryEmbeddingDeps;
  /** End of the back-off, by table name. */
  readonly #resting = new Map<string, number>();
  /** Vectors of the background texts, by model. */
  readonly #backgrounds = new Map<string, Promise<readonly Float32Array[] | null>>();
  /** Models whose background is known. */
  readonly #ready = new Set<string>();

  constructor(deps: QueryEmbeddingDeps) {
    this.#deps = deps;
  }

  /** Embeds the query; rejects only with the signal's reason. */
  async of(index: CollectionIndexRecord, query: string, signal: AbortSignal): Promise<QueryVector> {
    const { embedding_model: modelId, dimensions, table_name: table } = index;
    if (modelId === null || dimensions === null) return { modelId: null, vector: null, problem: null };
    if ((this.#resting.get(table) ?? 0) > this.#deps.now()) return { modelId, vector: null, problem: TOO_SLOW };
    this.#resting.delete(table);
    signal.throwIfAborted();
    // Combined by hand: `AbortSignal.any` with `AbortSignal.timeout` costs 0.1 ms more per query.
    const cancel = new AbortController();
    const leave = (): void => cancel.abort(signal.reason);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      cancel.abort(new DOMException(TOO_SLOW, 'TimeoutError'));
    }, DEADLINE_MS);
    signal.addEventListener('abort', leave, { once: true });
    try {
      const vector = await Promise.race([this.#embed(index, query, cancel.signal), rejected(cancel.signal)]);
      return vector === null ? { modelId: null, vector, problem: null } : { modelId, vector, problem: null };
    } catch (error) {
      signal.throwIfAborted();
      if (late) this.#resting.set(table, this.#deps.now() + SKIP_MS);
      this.#deps.logger.warn({ err: error, model: modelId }, 'a query was not embedded; the search goes on by terms');
      return { modelId, vector: null, problem: late ? TOO_SLOW : reasonOf(error) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /**
   * Returns the vectors of the background texts for the index's model; null if the embedder fails or is slow. They are
   * computed once per model.
   */
  async background(index: CollectionIndexRecord, signal: AbortSignal): Promise<readonly Float32Array[] | null> {
    const { embedding_model: modelId } = index;
    if (modelId === null) return null;
    let known = this.#backgrounds.get(modelId);
    if (known === undefined) {
      known = this.#embedBackground(index).catch((error: unknown) => {
        this.#deps.logger.warn({ err: error, model: modelId }, 'the background of an embedding model was not computed');
        this.#backgrounds.delete(modelId);
        return null;
      });
      this.#backgrounds.set(modelId, known);
    }
    if (this.#ready.has(modelId)) return known;
    const waiting = new AbortController();
    const late = pause(DEADLINE_MS, [signal, waiting.signal]).then(() => null);
    try {
      return await Promise.race([known, late]);
    } finally {
      waiting.abort();
    }
  }

  async #embedBackground(index: CollectionIndexRecord): Promise<readonly Float32Array[] | null> {
    const signal = AbortSignal.timeout(BACKGROUND_DEADLINE_MS);
    const embedder = await this.#deps.embedderFor(index, signal);
    if (embedder === null) return null;
    const vectors = await embedder.embedDocuments(BACKGROUND_TEXTS, signal);
    this.#ready.add(embedder.modelId);
    return vectors;
  }

  async #embed(index: CollectionIndexRecord, query: string, signal: AbortSignal): Promise<Float32Array | null> {
    const embedder = await this.#deps.embedderFor(index, signal);
    return embedder === null ? null : embedder.embedQuery(query, signal);
  }
}

const TOO_SLOW = `the embedder did not answer within ${DEADLINE_MS / 1000} s`;

function reasonOf(error: unknown): string {
  if (error instanceof ContentError) return error.message;
  return error instanceof TextTooLongError ? 'the query is longer than the model reads' : 'the embedder failed';
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
