import type { ConfiguredLimits } from './request-gates.ts';

/** Settings of a language model at an outside provider, with the decrypted key. */
export interface ChatSettings extends ConfiguredLimits {
  provider: string;
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  contextTokens?: number | undefined;
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
}
