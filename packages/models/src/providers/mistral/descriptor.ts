import type { ProviderDescriptor } from '../../provider-descriptor.ts';
import { LIMITS, PAGE_IMAGES } from '../shared-settings.ts';
import { mistralPages } from './pages.ts';

export const mistral: ProviderDescriptor = {
  title: 'Mistral OCR',
  parsers: { required: ['apiKey'], optional: ['model', 'baseUrl', ...PAGE_IMAGES, ...LIMITS], adapter: mistralPages },
};
