import type { ConfigurationKind, ConfigurationRole } from '../../database/tables.ts';

/** The providers of each kind, in the order in which errors name them. */
export const PROVIDERS = {
  models: ['provider_a', 'provider_b', 'local'],
  embedders: ['bm25', 'local', 'provider_a', 'provider_b'],
  parsers: ['service', 'provider_b', 'provider_c'],
} as const satisfies Record<ConfigurationKind, readonly string[]>;

export type Provider = (typeof PROVIDERS)[ConfigurationKind][number];

/** A configuration's settings; which ones there are depends on kind and provider. An `apiKey` in it is masked. */
export interface ProviderConfig {
  provider: Provider;
  model?: string | undefined;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  dimensions?: number | undefined;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  maxConcurrency?: number | undefined;
  requestsPerMinute?: number | undefined;
  language?: string | undefined;
  ocr?: 'auto' | 'always' | 'never' | undefined;
  languages?: string[] | undefined;
  jpegQuality?: number | undefined;
  maxPixels?: number | undefined;
  removeBoilerplate?: boolean | undefined;
}

export interface NewConfiguration {
  name: string;
  config: ProviderConfig;
  isDefault?: boolean | undefined;
}

/** Fields of `config` that are null are removed, those that are left out stay. */
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

export function roleOf(kind: ConfigurationKind, provider: Provider): ConfigurationRole {
  if (kind === 'models') return 'model';
  if (kind === 'parsers') return 'parser';
  return provider === 'bm25' ? 'sparse_embedder' : 'dense_embedder';
}
