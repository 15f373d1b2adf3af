import type { RemoteEmbeddingModel } from '../../database/tables.ts';
import type { ProviderConfig } from './types.ts';

/** Where the key is sent: a provider's own address, or the origin that is set. */
export const destinationOf = ({
  provider,
  baseUrl,
}: Pick<ProviderConfig | RemoteEmbeddingModel, 'provider' | 'baseUrl'>): string =>
  baseUrl === undefined ? provider : new URL(baseUrl).origin;
