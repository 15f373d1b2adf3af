/**
 * Everything about a provider that the rest of Quire uses. The enumerations and field schemas of the API, the
 * adapters of the calls and the labels of the metrics derive from the descriptors in `providers/registry.ts`.
 */
import type { SettingName } from './provider-settings.ts';
import type { ChatSettings } from './remote/chat-settings.ts';
import type { EmbeddingProtocol } from './remote/embedding-protocol.ts';
import type { PageProtocol } from './remote/page-protocol.ts';
import type { SdkDialect } from './remote/sdk/sdk-chat-model.ts';

/** The kinds of configurations that name a provider. */
export type ProviderKind = 'models' | 'embedders' | 'parsers';

/** `adapter`: how an outside provider is called; absent for a provider that is built into this service. */
interface Role<Adapter> {
  required: readonly SettingName[];
  optional: readonly SettingName[];
  adapter?: Adapter;
}

export interface ProviderDescriptor {
  /** The product, as documentation names it. */
  title: string;
  /** True if a configuration must have at least one of `apiKey` and `baseUrl`. */
  needsKeyOrBaseUrl?: boolean;
  models?: Role<(settings: ChatSettings) => SdkDialect>;
  embedders?: Role<EmbeddingProtocol>;
  parsers?: Role<PageProtocol>;
}

/** Descriptors by the name of the provider in the API. */
export type ProviderDescriptors = Readonly<Record<string, ProviderDescriptor>>;

/** Returns the adapter of an outside provider. Throws for a provider that has none of this kind. */
export function adapterOf<Kind extends ProviderKind>(
  providers: ProviderDescriptors,
  kind: Kind,
  provider: string,
): NonNullable<NonNullable<ProviderDescriptor[Kind]>['adapter']> {
  const adapter = providers[provider]?.[kind]?.adapter;
  if (adapter === undefined) throw new Error(`the provider '${provider}' has no adapter for ${kind}`);
  return adapter;
}
