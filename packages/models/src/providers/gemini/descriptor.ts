import type { ProviderDescriptor } from '../../provider-descriptor.ts';
import { PAGE_IMAGES, SAMPLING } from '../shared-settings.ts';
import { geminiChat } from './chat.ts';
import { geminiEmbeddings } from './embeddings.ts';
import { geminiPages } from './pages.ts';

const settings = { required: ['model', 'apiKey'], optional: SAMPLING } as const;

export const gemini: ProviderDescriptor = {
  title: 'Google Gemini',
  models: { ...settings, optional: [...SAMPLING, 'contextTokens'], adapter: geminiChat },
  embedders: { ...settings, adapter: geminiEmbeddings },
  parsers: { ...settings, optional: [...SAMPLING, ...PAGE_IMAGES], adapter: geminiPages },
};
