import type { ProviderDescriptor } from '../../provider-descriptor.ts';
import { SAMPLING } from '../shared-settings.ts';
import { openAiChat } from './chat.ts';
import { openAiEmbeddings } from './embeddings.ts';

const settings = { required: ['model'], optional: ['apiKey', ...SAMPLING] } as const;

export const openAiCompatible: ProviderDescriptor = {
  title: 'OpenAI, or any server with an OpenAI-compatible API',
  // A self-hosted server needs no key; without a base URL the server is OpenAI's.
  needsKeyOrBaseUrl: true,
  models: { ...settings, optional: [...settings.optional, 'contextTokens'], adapter: openAiChat },
  embedders: { ...settings, adapter: openAiEmbeddings },
};
