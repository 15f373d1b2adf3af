import type { ConfiguredLimits } from './request-gates.ts';

/** A configuration of a language model at an outside provider, with its key in the clear. */
export interface ChatSettings extends ConfiguredLimits {
  provider: string;
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
}
