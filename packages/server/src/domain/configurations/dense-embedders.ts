/**
 * Resolves the dense embedder of an index. A configuration names a model; the index records which one was used, so that
 * a collection keeps its model even if a later start finds another one. No model is opened and no provider is called
 * inside of a transaction: `withModels` looks up missing models outside of it and repeats the work.
 */
import type { Kysely } from 'kysely';
import type { CollectionIndexRecord, Database, RemoteEmbeddingModel } from '../../database/tables.ts';
import { apiError } from '../../errors.ts';
import type { Embedder } from '@quire/models/embedder';
import { vectorSettings } from '@quire/models/provider-settings';
import { isRemote } from '@quire/models/providers/registry';
import { remoteModelId } from '@quire/models/remote/remote-embedder';
import type { RemoteIndexEmbedders } from './remote-index-embedders.ts';
import type { ProviderConfig } from './types.ts';

export interface EmbeddingModel {
  /** Model id that is recorded with the index, e.g. `bge-small-en-v1.5/int8`. */
  modelId: string;
  dimensions: number;
  /** Description of where a local model was found. */
  source?: string | undefined;
}

/** The model of a new index. `dimensions` is null for an outside model until its first call. */
export interface IndexModel {
  modelId: string;
  dimensions: number | null;
  remote?: RemoteEmbeddingModel | undefined;
}

/** The embedders that run in this process. */
export interface EmbedderSource {
  /** Resolves a model name on this server; rejects if there is no such model. */
  describe(modelName: string): Promise<EmbeddingModel>;
  /** Opens the shared embedder of a recorded `modelId`. */
  open(modelId: string): Promise<Embedder>;
}

export type EmbeddedIndex = Pick<
  CollectionIndexRecord,
  'collection_id' | 'generation' | 'workspace_id' | 'embedding_model' | 'dimensions' | 'recipe'
>;

const DEFAULT_MODEL = 'default';
const RECORD = 'embedding_model.default';

/** Thrown inside of `withModels` for a local model that is not resolved yet. */
class UnknownModel extends Error {
  override readonly name = 'UnknownModel';
  readonly modelName: string;

  constructor(modelName: string) {
    super(`the model ${modelName} was not looked up`);
    this.modelName = modelName;
  }
}

export class DenseEmbedders {
  readonly #database: Kysely<Database>;
  readonly #source: EmbedderSource;
  readonly #remote: Pick<RemoteIndexEmbedders, 'open'>;
  readonly #known = new Map<string, EmbeddingModel>();

  constructor(deps: {
    database: Kysely<Database>;
    source: EmbedderSource;
    remote: Pick<RemoteIndexEmbedders, 'open'>;
  }) {
    this.#database = deps.database;
    this.#source = deps.source;
    this.#remote = deps.remote;
  }

  /** Runs work that calls `modelOf`, and repeats it after each local model that has to be resolved first. */
  async withModels<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof UnknownModel)) throw error;
        await this.localModel(error.modelName);
      }
    }
  }

  /** Returns the model for a new index with this configuration. Call it only inside of `withModels`. */
  modelOf(config: ProviderConfig): IndexModel {
    const { provider, model = DEFAULT_MODEL, dimensions } = config;
    if (isRemote('embedders', provider)) {
      const remote = { ...vectorSettings(config), provider, model };
      return { modelId: remoteModelId(remote, dimensions ?? null), dimensions: dimensions ?? null, remote };
    }
    const known = this.#known.get(model);
    if (known === undefined) throw new UnknownModel(model);
    return { modelId: known.modelId, dimensions: known.dimensions };
  }

  /** Resolves the name of a local model; throws 422 if it is not available on this server. */
  async localModel(name: string): Promise<EmbeddingModel> {
    const found = name === DEFAULT_MODEL ? await this.defaultModel() : await this.#describe(name);
    this.#known.set(name, found);
    return found;
  }

  async #describe(name: string): Promise<EmbeddingModel> {
    try {
      return await this.#source.describe(name);
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== 'ModelNotFoundError') throw cause;
      const error = `the embedding model '${name}' is not available on this server`;
      throw apiError(422, 'value_error', `Value error, ${error}`, { ctx: { error } });
    }
  }

  /** Returns the default model. It is resolved once per database; a better model found later does not replace it. */
  async defaultModel(): Promise<EmbeddingModel> {
    const recorded = await this.recordedDefault();
    if (recorded !== undefined) return recorded;
    const found = await this.#source.describe(DEFAULT_MODEL);
    await this.#database
      .insertInto('settings')
      .values({ name: RECORD, value: JSON.stringify(found) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await this.recordedDefault()) ?? found;
  }

  /** Returns the recorded default model; undefined before the first start has resolved it. */
  async recordedDefault(): Promise<EmbeddingModel | undefined> {
    const row = await this.#database
      .selectFrom('settings')
      .select('value')
      .where('name', '=', RECORD)
      .executeTakeFirst();
    return row?.value as EmbeddingModel | undefined;
  }

  /** Returns the embedder of an index; null for a sparse one. Rejects with `ProviderError` if its provider fails. */
  async of(index: EmbeddedIndex, signal: AbortSignal): Promise<Embedder | null> {
    if (index.embedding_model === null) return null;
    const { remote } = index.recipe;
    return remote === undefined ? this.#source.open(index.embedding_model) : this.#remote.open(index, remote, signal);
  }

  /** Opens the embedder of a local model that `localModel` has resolved. */
  openLocal(modelId: string): Promise<Embedder> {
    return this.#source.open(modelId);
  }
}
