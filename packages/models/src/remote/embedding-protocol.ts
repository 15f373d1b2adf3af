/** How a provider's embedding API is spoken: what to send for some texts, and which vectors an answer holds. */
export interface EmbeddingRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface EmbeddingSettings {
  model: string;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  dimensions?: number | undefined;
}

export type TextRole = 'document' | 'query';

export interface EmbeddingProtocol {
  /** Texts that one request may carry. */
  readonly batchSize: number;
  /** Tokens of a text, and of all texts of a request together, as our rough counter has them. */
  readonly maxTokens: number;
  readonly batchTokens: number;
  request(settings: EmbeddingSettings, texts: readonly string[], role: TextRole): EmbeddingRequest;
  /** Vectors by the place of their text in the request; some may be absent. Throws when it is not an answer at all. */
  read(answer: unknown): Map<number, number[]>;
  /** What the answer says was read; undefined when it does not say. */
  tokens?(answer: unknown): number | undefined;
}

/** A provider's paths under a base URL, with or without a slash at its end. */
export const under = (baseUrl: string, path: string): string => `${baseUrl.replace(/\/+$/, '')}/${path}`;
