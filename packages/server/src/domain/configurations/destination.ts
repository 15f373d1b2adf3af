import type { RemoteEmbeddingModel } from '../../database/tables.ts';
import type { ProviderConfig } from './types.ts';

/** Returns the origin that receives the API key: the provider's own, or that of `baseUrl`. */
export const destinationOf = ({
  provider,
  baseUrl,
}: Pick<ProviderConfig | RemoteEmbeddingModel, 'provider' | 'baseUrl'>): string =>
  baseUrl === undefined ? provider : new URL(baseUrl).origin;
