/** How a provider's API is asked to read the picture of a page, and what its answer says. */
import type { PagePicture, ReadPart } from '@quire/blocks/page-reading';

export interface PageRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

export interface PageSettings {
  model?: string | undefined;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
}

export interface PageProtocol {
  readonly defaultModel: string;
  request(settings: PageSettings, picture: PagePicture): PageRequest;
  /** Throws when it is not an answer at all; `refusal`: the provider would not read this page, in words. */
  read(answer: unknown, picture: PagePicture): { parts: ReadPart[]; refusal?: string | undefined; isCut?: boolean };
  inputTokens?: (answer: unknown) => number;
  outputTokens?: (answer: unknown) => number;
}
