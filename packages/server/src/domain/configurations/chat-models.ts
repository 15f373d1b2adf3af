/** Opens the chat model of a configuration. The model is cached until the configuration changes. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { apiError, deleted, notFound } from '../../errors.ts';
import type { ChatModel, ChatModelSource } from '@quire/models/chat-model';
import type { LocalChatModels } from '@quire/models/local/local-chat-models';
import { isRemote } from '@quire/models/providers/registry';
import type { RemoteChatModels } from '@quire/models/remote/remote-chat-models';
import type { SecretBox } from '../../shared/secret-box.ts';
import { openKey } from './api-key.ts';
import { ConfigurationRepository, type ConfigurationRecord } from './repository.ts';
import type { ProviderConfig } from './types.ts';

export interface ConfiguredChatModelsDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  remote: Pick<RemoteChatModels, 'open'>;
  local: Pick<LocalChatModels, 'open'>;
}

/** Model name of the extractive answer engine, which uses no language model. */
const EXTRACTIVE = 'extractive';
/** Maximum number of cached models; the oldest is evicted first. */
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

  /** Returns the model of a record; null for `extractive`. Throws 422 if this server cannot use it. */
  async of(record: ConfigurationRecord): Promise<ChatModel | null> {
    const config = record.config as unknown as ProviderConfig;
    if (config.provider === 'local' && config.model === EXTRACTIVE) return null;
    const modifiedAt = record.modified_at.getTime();
    const known = this.#models.get(record.id);
    const model = known?.modifiedAt === modifiedAt ? known.model : await this.#make(record, config);
    await model.learnContext?.();
    if (known?.model === model) return model;
    this.#models.delete(record.id);
    const [oldest] = this.#models.keys();
    if (this.#models.size >= MAX_MODELS && oldest !== undefined) this.#models.delete(oldest);
    this.#models.set(record.id, { modifiedAt, model });
    return model;
  }

  async #make(record: ConfigurationRecord, config: ProviderConfig): Promise<ChatModel> {
    const { provider, model = '', maxOutputTokens } = config;
    if (provider === 'local') return this.#local(model, maxOutputTokens);
    if (!isRemote('models', provider)) throw unusable(`'${provider}' has no language models`);
    const apiKey = openKey(this.#deps.secretBox, record);
    return this.#deps.remote.open({ ...config, configurationId: record.id, model, apiKey });
  }

  async #local(model: string, maxOutputTokens: number | undefined): Promise<ChatModel> {
    try {
      return await this.#deps.local.open(model, { maxOutputTokens });
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      if (cause.name === 'ModelNotFoundError')
        throw unusable(`the language model '${model}' is not available on this server`);
      if (cause.name === 'RuntimeMissingError') throw unusable(cause.message);
      throw cause;
    }
  }
}

const unusable = (error: string): Error => apiError(422, 'value_error', `Value error, ${error}`, { ctx: { error } });
