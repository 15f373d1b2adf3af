/** Chooses the parser of a run: the named configuration or the workspace's default, with the request's overrides. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { valueError } from '../../errors.ts';
import { ConfigurationRepository, type ConfigurationRecord } from './repository.ts';
import type { ProviderConfig } from './types.ts';

export interface ParserRequest {
  parserId?: string | undefined;
  parserConfig?:
    | {
        provider?: ProviderConfig['provider'] | undefined;
        jpegQuality?: number | undefined;
        maxPixels?: number | undefined;
      }
    | undefined;
}

export interface ParserChoice {
  /** Configuration with the key and address of an outside parser; null for the built-in one without configuration. */
  record: ConfigurationRecord | null;
  /** The configuration's settings with the overrides of the request. */
  config: ProviderConfig;
}

export class ParserChoices {
  readonly #configurations: ConfigurationRepository;

  constructor(deps: { database: Kysely<Database> }) {
    this.#configurations = new ConfigurationRepository(deps.database);
  }

  /** Chooses the parser; throws 422 for an id or a provider that the workspace does not have. */
  async choose(workspaceId: string, { parserId, parserConfig }: ParserRequest): Promise<ParserChoice> {
    const named = await this.#named(workspaceId, parserId);
    const provider = parserConfig?.provider ?? (named?.config['provider'] as ProviderConfig['provider'] | undefined);
    const record = await this.#ofProvider(workspaceId, named, provider ?? 'service');
    const said = {
      ...(parserConfig?.jpegQuality === undefined ? {} : { jpegQuality: parserConfig.jpegQuality }),
      ...(parserConfig?.maxPixels === undefined ? {} : { maxPixels: parserConfig.maxPixels }),
    };
    const base = (record?.config ?? {}) as Partial<ProviderConfig>;
    return { record, config: { ...base, provider: provider ?? 'service', ...said } };
  }

  async #named(workspaceId: string, parserId: string | undefined): Promise<ConfigurationRecord | undefined> {
    if (parserId === undefined) return (await this.#configurations.defaults(workspaceId)).get('parser');
    const record = await this.#configurations.findById(workspaceId, 'parsers', parserId);
    if (record === undefined || record.deleted_at !== null) {
      throw valueError(['body', 'parserId'], 'there is no such parser', parserId);
    }
    return record;
  }

  /** Returns the newest configuration of a provider that the request names instead of its configuration's. */
  async #ofProvider(
    workspaceId: string,
    named: ConfigurationRecord | undefined,
    provider: ProviderConfig['provider'],
  ): Promise<ConfigurationRecord | null> {
    if (named?.config['provider'] === provider) return named;
    const { items } = await this.#configurations.list(workspaceId, 'parsers', {}, { limit: 100 });
    const found = items.find(({ config }) => config['provider'] === provider);
    if (found !== undefined) return found;
    if (provider === 'service') return null;
    const error = `the workspace has no parser of the provider '${provider}'`;
    throw valueError(['body', 'parserConfig', 'provider'], error, provider);
  }
}
