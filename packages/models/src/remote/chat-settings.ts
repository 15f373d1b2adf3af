import type { ProviderSettings } from '../provider-settings.ts';

/** All settings of a language model at an outside provider, with the decrypted key. */
export interface ChatSettings extends ProviderSettings {
  configurationId: string;
  provider: string;
  model: string;
}
