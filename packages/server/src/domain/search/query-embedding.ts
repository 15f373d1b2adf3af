/**
 * Embeds a query for one index, or reports why it could not: when an embedder is down, a search is answered by terms
 * alone instead of failing or waiting.
 */
import type { CollectionIndexRecord } from '../../database/tables.ts';
import { ContentError } from '@quire/blocks/content-error';
import type { Logger } from '../../logger.ts';
import type { Embedder } from '@quire/models/embedder';
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
/** Time in ms for which an embedder is skipped after it reached the limit, so that later queries do not wait for it. */
const SKIP_MS = 15_000;

export class QueryEmbedding {
  readonly #deps: QueryEmbeddingDeps;
  /** End of the back-off, by table name. */
  readonly #resting = new Map<string, number>();

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
