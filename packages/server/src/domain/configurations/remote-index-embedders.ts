/** Opens embedders of outside providers for indexes, with the present API key of their configuration. */
import type { Kysely, Selectable } from 'kysely';
import type { ConfigurationsTable, Database, RemoteEmbeddingModel } from '../../database/tables.ts';
import { ContentError } from '@quire/blocks/content-error';
import type { Embedder } from '@quire/models/embedder';
import type { ProviderConnections } from '@quire/models/remote/provider-connections';
import {
  findDimensions,
  RemoteEmbedder,
  remoteModelId,
  type RemoteEmbedderSettings,
} from '@quire/models/remote/remote-embedder';
import type { SecretBox } from '../../shared/secret-box.ts';
import { openKey } from './api-key.ts';
import type { EmbeddedIndex } from './dense-embedders.ts';
import { destinationOf } from './destination.ts';
import type { ProviderConfig } from './types.ts';

export interface RemoteIndexEmbeddersDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  connections: ProviderConnections;
}

type Configuration = Pick<Selectable<ConfigurationsTable>, 'id' | 'config' | 'secrets' | 'modified_at'>;

/** Maximum number of cached embedders; the oldest is evicted first. */
const MAX_CACHED = 1_000;

export class RemoteIndexEmbedders {
  readonly #deps: RemoteIndexEmbeddersDeps;
  /** Cache by configuration and model; a changed configuration is read again. */
  readonly #cache = new Map<string, { embedder: RemoteEmbedder; modifiedAt: number }>();

  constructor(deps: RemoteIndexEmbeddersDeps) {
    this.#deps = deps;
  }

  /** Opens the embedder. The length of the model's vectors is found by a first call and recorded with the index. */
  async open(index: EmbeddedIndex, remote: RemoteEmbeddingModel, signal: AbortSignal): Promise<Embedder> {
    const configuration = await this.#configurationOf(index);
    const modifiedAt = configuration.modified_at.getTime();
    const settings = (): RemoteEmbedderSettings => this.#settings(configuration, remote);
    const dimensions = index.dimensions ?? (await this.#findDimensions(index, settings(), signal));
    const key = `${configuration.id} ${remoteModelId(remote, dimensions)}`;
    const kept = this.#cache.get(key);
    if (kept?.modifiedAt === modifiedAt) return kept.embedder;
    const embedder = new RemoteEmbedder(settings(), dimensions, this.#deps.connections);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(key, { embedder, modifiedAt });
    return embedder;
  }

  async #configurationOf({ workspace_id, recipe }: EmbeddedIndex): Promise<Configuration> {
    const record = await this.#deps.database
      .selectFrom('configurations')
      .select(['id', 'config', 'secrets', 'modified_at'])
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', recipe.embedderId)
      .executeTakeFirst();
    if (record !== undefined) return record;
    throw new ContentError('provider_error', 'The configuration of the embedder was erased');
  }

  /** Returns the settings. If the configuration moved to another host, its present key is not sent to the old one. */
  #settings({ id, config, secrets }: Configuration, remote: RemoteEmbeddingModel): RemoteEmbedderSettings {
    const current = config as unknown as ProviderConfig;
    if (destinationOf(current) !== destinationOf(remote)) {
      const message =
        'The configuration of the embedder has moved to another host, for which the index is being rebuilt';
      throw new ContentError('provider_error', message);
    }
    const apiKey = openKey(this.#deps.secretBox, { id, secrets });
    const { maxConcurrency, requestsPerMinute } = current;
    return { ...remote, configurationId: id, apiKey, maxConcurrency, requestsPerMinute };
  }

  async #findDimensions(index: EmbeddedIndex, settings: RemoteEmbedderSettings, signal: AbortSignal): Promise<number> {
    const dimensions = await findDimensions(settings, this.#deps.connections, signal);
    await this.#deps.database
      .updateTable('collection_indexes')
      .set({ dimensions, embedding_model: remoteModelId(settings, dimensions) })
      .where('workspace_id', '=', index.workspace_id)
      .where('collection_id', '=', index.collection_id)
      .where('generation', '=', index.generation)
      .where('dimensions', 'is', null)
      .execute();
    return dimensions;
  }
}
