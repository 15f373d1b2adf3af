/**
 * Configurations: models, parsers and embedders with their provider, settings and API key. A workspace has one default
 * per role. API keys are stored sealed; `config.apiKey` holds the mask.
 */
import { vectorSettings } from '@quire/models/provider-settings';
import type { Kysely, Updateable } from 'kysely';
import type { ConfigurationKind, ConfigurationsTable, Database } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { auditResource } from '../../database/pending-audit.ts';
import { apiError, conflict, deleted, notFound, valueError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { newId } from '../../shared/uuid.ts';
import { moveModelUsers, usersOfModel } from '../chats/model-users.ts';
import type { ConfigurationUsers } from './configuration-users.ts';
import { destinationOf } from './destination.ts';
import { checkConfig } from './provider-config.ts';
import { isMask, keyPlace, maskKey } from './api-key.ts';
import { ConfigurationRepository, type ConfigurationRecord } from './repository.ts';
import { roleOf, type ConfigurationChanges, type NewConfiguration, type ProviderConfig } from './types.ts';

export interface ConfigurationServiceDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  collections: ConfigurationUsers;
}

export interface Removal {
  force: boolean;
  purge: boolean;
}

const KEY_FIELD = ['body', 'config', 'apiKey'] as const;
/** Equal for configurations of embedders with the same vectors and terms. */
const indexedBy = ({ provider, ...settings }: ProviderConfig): string =>
  JSON.stringify({ provider, ...vectorSettings(settings) });

/** Merges shallowly: null removes a field, undefined leaves it unchanged. */
function mergeConfig(config: ProviderConfig, changes: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...config, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

export class ConfigurationService {
  readonly #database: Kysely<Database>;
  readonly #configurations: ConfigurationRepository;
  readonly #deps: ConfigurationServiceDeps;

  constructor(deps: ConfigurationServiceDeps) {
    this.#database = deps.database;
    this.#configurations = new ConfigurationRepository(deps.database);
    this.#deps = deps;
  }

  create(workspaceId: string, kind: ConfigurationKind, input: NewConfiguration): Promise<ConfigurationRecord> {
    const { apiKey } = input.config;
    if (apiKey !== undefined && isMask(apiKey)) throw valueError(KEY_FIELD, 'a masked key is not a key');
    const id = newId();
    auditResource('configuration', id);
    const role = roleOf(kind, input.config.provider);
    return this.#database.transaction().execute(async (transaction) => {
      const configurations = new ConfigurationRepository(transaction);
      if (input.isDefault === true) await configurations.clearDefault(workspaceId, role);
      return configurations.insert({
        id,
        workspace_id: workspaceId,
        kind,
        role,
        name: input.name,
        is_default: input.isDefault === true,
        ...this.#stored(id, input.config, {}),
      });
    });
  }

  /** Returns the record, also of a deleted one; undefined if the workspace has none of this id and kind. */
  findById(workspaceId: string, kind: ConfigurationKind, id: string): Promise<ConfigurationRecord | undefined> {
    return this.#configurations.findById(workspaceId, kind, id);
  }

  async get(workspaceId: string, kind: ConfigurationKind, id: string): Promise<ConfigurationRecord> {
    const record = await this.#configurations.findById(workspaceId, kind, id);
    if (record === undefined) throw notFound();
    return record;
  }

  list(
    workspaceId: string,
    kind: ConfigurationKind,
    filter: { includeDeleted?: boolean | undefined },
    query: ListQuery,
  ): Promise<ListPage<ConfigurationRecord>> {
    return this.#configurations.list(workspaceId, kind, filter, query);
  }

  /** Changes a configuration. A change that alters an embedder's vectors starts a re-index of its collections. */
  update(
    workspaceId: string,
    kind: ConfigurationKind,
    id: string,
    changes: ConfigurationChanges,
  ): Promise<ConfigurationRecord> {
    return this.#deps.collections.transact(async (transaction) => {
      const configurations = new ConfigurationRepository(transaction);
      const current = await lockExisting(configurations, workspaceId, kind, id);
      if (current.deleted_at !== null) throw deleted('The configuration is deleted', { id });
      const before = current.config as unknown as ProviderConfig;
      const config = this.#merge(current, before, changes.config ?? {});
      const update: Updateable<ConfigurationsTable> = this.#stored(id, config, current.secrets);
      if (changes.name !== undefined) update.name = changes.name;
      if (changes.isDefault === false && current.is_default) {
        throw conflict('It stays the default until another one is made the default', { isDefault: true });
      }
      if (changes.isDefault === true && !current.is_default) {
        await configurations.clearDefault(workspaceId, current.role);
        update.is_default = true;
      }
      const updated = await configurations.update(workspaceId, id, update);
      if (updated === undefined) throw notFound();
      const altered = kind === 'embedders' && indexedBy(config) !== indexedBy(before);
      if (altered) await this.#deps.collections.reindexUsersOf(transaction, updated);
      return updated;
    });
  }

  /**
   * Deletes softly; repeated calls return the same record. A configuration in use needs `force`, which moves its users.
   */
  remove(workspaceId: string, kind: ConfigurationKind, id: string, removal: Removal): Promise<ConfigurationRecord> {
    return this.#deps.collections.transact(async (transaction) => {
      const configurations = new ConfigurationRepository(transaction);
      const current = await lockExisting(configurations, workspaceId, kind, id);
      if (current.deleted_at === null) await this.#release(transaction, current, removal.force);
      const deletedAt = current.deleted_at ?? new Date();
      if (removal.purge) {
        await configurations.erase(workspaceId, id);
        return { ...current, deleted_at: deletedAt };
      }
      if (current.deleted_at !== null) return current;
      return (await configurations.update(workspaceId, id, { deleted_at: deletedAt })) ?? current;
    });
  }

  async undelete(workspaceId: string, kind: ConfigurationKind, id: string): Promise<ConfigurationRecord> {
    const current = await this.get(workspaceId, kind, id);
    if (current.deleted_at === null) return current;
    const record = await this.#database
      .transaction()
      .execute((transaction) => new ConfigurationRepository(transaction).update(workspaceId, id, { deleted_at: null }));
    if (record === undefined) throw notFound();
    return record;
  }

  /** Moves all users to the default; throws 409 without `force`, and for the default itself. */
  async #release(transaction: Executor, record: ConfigurationRecord, force: boolean): Promise<void> {
    const users = await this.#deps.collections.usersOf(transaction, record);
    const chats = await usersOfModel(transaction, record);
    const collectionIds = users.map((collection) => collection.id);
    const named = record.role === 'model' ? { chatIds: chats.ids, chatCount: chats.count } : { collectionIds };
    if (record.is_default) {
      const msg = 'It is the default: make another one the default first';
      throw apiError(409, 'in_use', msg, { ctx: { isDefault: true, ...named } });
    }
    if (users.length === 0 && chats.count === 0) return;
    const fallback = (await new ConfigurationRepository(transaction).defaults(record.workspace_id)).get(record.role);
    if (!force || fallback === undefined) {
      const msg = 'It is in use; with force=true its users move to the default';
      throw apiError(409, 'in_use', msg, { ctx: { isDefault: false, ...named } });
    }
    await this.#deps.collections.moveUsers(transaction, record, fallback.id);
    await moveModelUsers(transaction, record, fallback.id);
  }

  #merge(current: ConfigurationRecord, before: ProviderConfig, changes: Record<string, unknown>): ProviderConfig {
    const config = checkConfig(current.kind, mergeConfig(before, changes));
    if (roleOf(current.kind, config.provider) !== current.role) {
      const error = 'a sparse embedder cannot become a dense one, nor the other way round';
      throw valueError(['body', 'config', 'provider'], error, config.provider);
    }
    const { apiKey } = config;
    if (apiKey !== undefined && isMask(apiKey)) {
      if (apiKey !== before.apiKey) throw valueError(KEY_FIELD, 'a masked key is not a key');
      if (destinationOf(config) !== destinationOf(before)) {
        throw valueError(KEY_FIELD, 'a baseUrl on another host needs the API key again');
      }
    }
    return config;
  }

  /** Returns the columns: seals a new key and replaces it by its mask; a mask keeps the stored key. */
  #stored(id: string, config: ProviderConfig, secrets: Record<string, string>): { config: string; secrets: string } {
    const { apiKey } = config;
    if (apiKey === undefined) return { config: JSON.stringify(config), secrets: '{}' };
    if (isMask(apiKey)) return { config: JSON.stringify(config), secrets: JSON.stringify(secrets) };
    const sealed = this.#deps.secretBox.seal(apiKey, keyPlace(id));
    return {
      config: JSON.stringify({ ...config, apiKey: maskKey(apiKey) }),
      secrets: JSON.stringify({ apiKey: sealed }),
    };
  }
}

async function lockExisting(
  configurations: ConfigurationRepository,
  workspaceId: string,
  kind: ConfigurationKind,
  id: string,
): Promise<ConfigurationRecord> {
  const record = await configurations.lock(workspaceId, kind, id);
  if (record === undefined) throw notFound();
  return record;
}
