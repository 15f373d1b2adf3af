/** Document parsers of outside providers, called within the limits of their configuration. */
import { createHash } from 'node:crypto';
import type { DocumentParser } from '../document-parser.ts';
import { contentWarning, type ContentWarning } from '@quire/blocks/content-warning';
import type { PagePicture, ReadPage } from '@quire/blocks/page-reading';
import { ProviderError } from './provider-error.ts';
import type { ProviderConnection, ProviderConnections } from './provider-connections.ts';
import type { PageProtocol, PageSettings } from './page-protocol.ts';

export interface RemoteParserSettings extends ProviderConnection, PageSettings {}

/** A vision model takes about 30 s for a dense page. */
const TIMEOUT_MS = 180_000;
const JPEG_QUALITY = 85;
/** A4 at 200 dpi; both providers scale larger images down to about this size. */
const MAX_PIXELS = 4_000_000;
const CONCURRENT_PAGES = 4;

export class RemoteDocumentParser implements DocumentParser {
  readonly parserId: string;
  readonly drawing: DocumentParser['drawing'];
  readonly concurrentPages: number;
  readonly #settings: RemoteParserSettings;
  readonly #protocol: PageProtocol;
  readonly #connections: ProviderConnections;

  constructor(settings: RemoteParserSettings, connections: ProviderConnections) {
    this.#protocol = connections.pageProtocolOf(settings);
    this.#settings = { ...settings, model: settings.model ?? this.#protocol.defaultModel };
    this.#connections = connections;
    const { jpegQuality = JPEG_QUALITY, maxPixels = MAX_PIXELS } = settings;
    this.drawing = { jpegQuality, maxPixels };
    this.concurrentPages = Math.min(settings.maxConcurrency ?? CONCURRENT_PAGES, CONCURRENT_PAGES);
    const { provider, model, baseUrl } = this.#settings;
    const identity = JSON.stringify([provider, model, baseUrl ?? null, jpegQuality, maxPixels]);
    this.parserId = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  }

  async readPage(picture: PagePicture, signal: AbortSignal): Promise<ReadPage> {
    const client = this.#connections.clientOf(this.#settings, 'parse', TIMEOUT_MS);
    const { inputTokens, outputTokens } = this.#protocol;
    const { apiKey } = this.#settings;
    const request = this.#protocol.request(this.#settings, picture);
    const answer = await client.postJson({ ...request, signal, apiKey, inputTokens, outputTokens });
    const { page } = picture;
    const { parts, refusal, isCut } = this.#read(answer, picture);
    const warnings: ContentWarning[] = [];
    if (refusal !== undefined) {
      warnings.push(contentWarning('truncated', `A page was not read: the provider refused it (${refusal})`, [page]));
    }
    if (isCut === true) {
      warnings.push(contentWarning('truncated', 'A page was cut off at the limit of output tokens', [page]));
    }
    return { page, parts, warnings };
  }

  #read(answer: unknown, picture: PagePicture): ReturnType<PageProtocol['read']> {
    try {
      return this.#protocol.read(answer, picture);
    } catch {
      throw new ProviderError(200, 'The provider answered something that is not a page');
    }
  }
}
