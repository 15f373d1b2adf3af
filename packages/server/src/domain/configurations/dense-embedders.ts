/**
 * Which dense embedder an index is built with. A configuration names a model; the index records which one that was, so
 * that a collection keeps its model whatever is found on a later start.
 */
import type { Kysely } from 'kysely';
import type { CollectionIndexRecord, Database } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { apiError } from '../../errors.ts';
import type { Embedder } from '../../providers/embedder.ts';

export interface EmbeddingModel {
  /** Recorded with the index, e.g. `bge-small-en-v1.5/int8`. */
  modelId: string;
  dimensions: number;
}

/** The embedders that run in this process, or are reached from it. */
export interface EmbedderSource {
  /** What a model's name stands for here and now; rejects when there is no such model. */
  describe(modelName: string): Promise<EmbeddingModel>;
  /** The shared embedder of a recorded `modelId`. */
  open(modelId: string): Promise<Embedder>;
}

const DEFAULT_MODEL = 'default';
const RECORD = 'embedding_model.default';

export class DenseEmbedders {
  readonly #database: Kysely<Database>;
  readonly #source: EmbedderSource;

  constructor(deps: { database: Kysely<Database>; source: EmbedderSource }) {
    this.#database = deps.database;
    this.#source = deps.source;
  }

  /** The model that a new index with this configuration is built with; null: sparse only. */
  async modelFor(executor: Executor, configurationId: string): Promise<EmbeddingModel | null> {
    const { config } = await executor
      .selectFrom('configurations')
      .select('config')
      .where('id', '=', configurationId)
      .executeTakeFirstOrThrow();
    if (config['provider'] !== 'local') return null;
    const name = typeof config['model'] === 'string' ? config['model'] : DEFAULT_MODEL;
    return this.localModel(name);
  }

  /** What a local model's name stands for; 422 when it is not to be had. */
  async localModel(name: string): Promise<EmbeddingModel> {
    if (name === DEFAULT_MODEL) return this.defaultModel();
    try {
      return await this.#source.describe(name);
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== 'ModelNotFoundError') throw cause;
      const error = `the embedding model '${name}' is not to be had here`;
      throw apiError(422, 'value_error', `Value error, ${error}`, { ctx: { error } });
    }
  }

  /** Resolved once in the life of a database, then the same for ever: a better model found later changes nothing. */
  async defaultModel(): Promise<EmbeddingModel> {
    const recorded = await this.#recorded();
    if (recorded !== undefined) return recorded;
    const found = await this.#source.describe(DEFAULT_MODEL);
    await this.#database
      .insertInto('settings')
      .values({ name: RECORD, value: JSON.stringify(found) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await this.#recorded()) ?? found;
  }

  async #recorded(): Promise<EmbeddingModel | undefined> {
    const row = await this.#database
      .selectFrom('settings')
      .select('value')
      .where('name', '=', RECORD)
      .executeTakeFirst();
    return row?.value as EmbeddingModel | undefined;
  }

  /** The embedder of an index; null for a sparse one. */
  async of(index: Pick<CollectionIndexRecord, 'embedding_model'>): Promise<Embedder | null> {
    return index.embedding_model === null ? null : this.#source.open(index.embedding_model);
  }
}
