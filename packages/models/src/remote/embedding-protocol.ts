/** A provider's embedding API: the request for some texts, and the vectors of a response. */
import type { VectorSettings } from '../provider-settings.ts';

export interface EmbeddingRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface EmbeddingSettings extends VectorSettings {
  model: string;
  apiKey?: string | undefined;
}

export type TextRole = 'document' | 'query';

export interface EmbeddingProtocol {
  /** Maximum number of texts in one request. */
  readonly batchSize: number;
  /** Maximum number of tokens of one text, by the estimating counter. */
  readonly maxTokens: number;
  readonly batchTokens: number;
  request(settings: EmbeddingSettings, texts: readonly string[], role: TextRole): EmbeddingRequest;
  /**
   * Returns vectors by the position of their text in the request; some may be missing. Throws for an invalid response.
   */
  read(answer: unknown): Map<number, number[]>;
  /** Returns the number of input tokens that the response reports, if any. */
  tokens?(answer: unknown): number | undefined;
}

/** Joins a base URL, with or without a slash at its end, and a path. */
export const under = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, '')}/${path}`;
