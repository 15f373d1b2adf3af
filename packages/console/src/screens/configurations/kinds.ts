/** The three kinds of configurations, as one shape for the screen. */
import type { Embedder, Model, Parser, Quire } from '@quire/client';

export const KINDS = [
  { kind: 'models', label: 'Language models', one: 'language model', request: 'CreateModelRequest' },
  { kind: 'embedders', label: 'Embedders', one: 'embedder', request: 'CreateEmbedderRequest' },
  { kind: 'parsers', label: 'Parsers', one: 'parser', request: 'CreateParserRequest' },
] as const;

export type Kind = (typeof KINDS)[number]['kind'];
export type Configuration = Model | Embedder | Parser;

/** Calls of a kind with the settings as the form holds them; the service checks them. */
export interface ConfigurationCalls {
  list(options: object): ReturnType<Quire['models']['list']>;
  create(body: object): Promise<Configuration>;
  update(id: string, changes: object): Promise<Configuration>;
  delete(id: string, options: { force?: boolean }): Promise<Configuration>;
  undelete(id: string): Promise<Configuration>;
  test(id: string): Promise<{ ok: boolean; latencyMs: number; message: string }>;
}

export const callsOf = (quire: Quire, kind: Kind): ConfigurationCalls => quire[kind] as unknown as ConfigurationCalls;

/** Does not compile without each provider of the API. */
const PROVIDERS: Readonly<Record<Configuration['config']['provider'], string>> = {
  provider_a: 'OpenAI, or a server with its API',
  provider_b: 'Gemini',
  provider_c: 'Mistral',
  local: 'A model on this machine',
  service: 'The parsers of Quire',
  bm25: 'Words (BM25)',
};

/** Returns the name for people; a provider of a newer service keeps its name in the API. */
export const providerName = (provider: string): string => new Map(Object.entries(PROVIDERS)).get(provider) ?? provider;
