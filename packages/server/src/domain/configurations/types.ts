import type { ProviderSettings } from '@quire/models/provider-settings';
import type { ProviderName } from '@quire/models/providers/registry';
import type { ConfigurationKind, ConfigurationRole } from '../../database/tables.ts';

/** Settings of a configuration; kind and provider determine which ones it has. An `apiKey` in it is masked. */
export interface ProviderConfig extends ProviderSettings {
  provider: ProviderName;
}

export interface NewConfiguration {
  name: string;
  config: ProviderConfig;
  isDefault?: boolean | undefined;
}

/** Fields of `config` that are null are removed; fields that are left out stay unchanged. */
export interface ConfigurationChanges {
  name?: string | undefined;
  config?: { [Name in keyof ProviderConfig]?: ProviderConfig[Name] | null } | undefined;
  isDefault?: boolean | undefined;
}

export interface ConfigurationTest {
  ok: boolean;
  latencyMs: number;
  message: string;
}

export function roleOf(kind: ConfigurationKind, provider: ProviderName): ConfigurationRole {
  if (kind === 'models') return 'model';
  if (kind === 'parsers') return 'parser';
  return provider === 'bm25' ? 'sparse_embedder' : 'dense_embedder';
}
