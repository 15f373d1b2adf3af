/** A provider's API for reading the image of a page: the request, and the content of a response. */
import type { PagePicture, ReadPart } from '@quire/blocks/page-reading';
import type { ProviderSettings } from '../provider-settings.ts';

export interface PageRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** All settings of an outside parser, with the decrypted key. */
export type PageSettings = ProviderSettings;

export interface PageProtocol {
  readonly defaultModel: string;
  request(settings: PageSettings, picture: PagePicture): PageRequest;
  /** Throws for an invalid response. `refusal`: the reason why the provider did not read the page. */
  read(answer: unknown, picture: PagePicture): { parts: ReadPart[]; refusal?: string | undefined; isCut?: boolean };
  inputTokens?: (answer: unknown) => number;
  outputTokens?: (answer: unknown) => number;
}
