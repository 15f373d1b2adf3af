/** The providers that run within this service; they have settings and no adapter. */
import type { ProviderDescriptor } from '../provider-descriptor.ts';
import { PAGE_IMAGES } from './shared-settings.ts';

const localModel = { required: ['model'], optional: ['dimensions', 'maxOutputTokens'] } as const;

export const local: ProviderDescriptor = {
  title: 'Models that run on the CPU of this server',
  models: localModel,
  embedders: localModel,
};

export const bm25: ProviderDescriptor = {
  title: 'Terms, ranked by BM25',
  embedders: { required: [], optional: ['model', 'language'] },
};

export const service: ProviderDescriptor = {
  title: 'The parsers of this service',
  parsers: { required: [], optional: ['model', 'ocr', 'languages', ...PAGE_IMAGES, 'removeBoilerplate'] },
};
