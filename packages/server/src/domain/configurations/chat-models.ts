/** The language model that a configuration stands for, with its key opened; the same object until it is changed. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { apiError, deleted, notFound } from '../../errors.ts';
import type { ChatModel, ChatModelSource } from '../../providers/chat-model.ts';
import type { RemoteChatModels } from '../../providers/remote/remote-chat-models.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { keyPlace } from './api-key.ts';
import { ConfigurationRepository, type ConfigurationRecord } from './repository.ts';
import type { ProviderConfig } from './types.ts';

export interface ConfiguredChatModelsDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  remote: Pick<RemoteChatModels, 'open'>;
}

/** Answers by quotation; no language model. */
const EXTRACTIVE = 'extractive';
/** Models remembered; the one opened first goes first. */
const MAX_MODELS = 1000;

export class ConfiguredChatModels implements ChatModelSource {
  readonly #deps: ConfiguredChatModelsDeps;
  readonly #configurations: ConfigurationRepository;
  readonly #models = new Map<string, { modifiedAt: number; model: ChatModel }>();

  constructor(deps: ConfiguredChatModelsDeps) {
    this.#deps = deps;
    this.#configurations = new ConfigurationRepository(deps.database);
  }

  async open(workspaceId: string, configurationId: string | null): Promise<ChatModel | null> {
    const record =
      configurationId === null
        ? (await this.#configurations.defaults(workspaceId)).get('model')
        : await this.#configurations.findById(workspaceId, 'models', configurationId);
    if (record === undefined) throw notFound();
    if (record.deleted_at !== null) throw deleted('The model is deleted', { id: record.id });
    return this.of(record);
  }

  /** The model of a record that was read already; null for `extractive`. 422 when it cannot be used here. */
  async of(record: ConfigurationRecord): Promise<ChatModel | null> {
    const config = record.config as unknown as ProviderConfig;
    if (config.provider === 'local' && config.model === EXTRACTIVE) return null;
    const modifiedAt = record.modified_at.getTime();
    const known = this.#models.get(record.id);
    if (known?.modifiedAt === modifiedAt) return known.model;
    const model = this.#make(record, config);
    this.#models.delete(record.id);
    const [oldest] = this.#models.keys();
    if (this.#models.size >= MAX_MODELS && oldest !== undefined) this.#models.delete(oldest);
    this.#models.set(record.id, { modifiedAt, model });
    return model;
  }

  #make(record: ConfigurationRecord, config: ProviderConfig): ChatModel {
    const { provider, model = '' } = config;
    if (provider !== 'provider_a' && provider !== 'provider_b') {
      const error = `the model '${model}' is not to be had here`;
      throw apiError(422, 'value_error', `Value error, ${error}`, { ctx: { error } });
    }
    const { baseUrl, maxOutputTokens, temperature, maxConcurrency, requestsPerMinute } = config;
    const sealed = record.secrets['apiKey'];
    const apiKey = sealed === undefined ? undefined : this.#deps.secretBox.open(sealed, keyPlace(record.id));
    const limits = { configurationId: record.id, maxConcurrency, requestsPerMinute };
    return this.#deps.remote.open({ provider, model, apiKey, baseUrl, maxOutputTokens, temperature, ...limits });
  }
}
