/**
 * Connector to web sites: a crawl from start URLs and sitemaps. A page of an earlier crawl is requested under its
 * validators. It is deleted only when it answered 404 or 410 in two crawls in a row: until then, the listing contains
 * it.
 */
import { Readable } from 'node:stream';
import { CredentialsRefused, ItemFailed, type SourceUnavailable } from '../../connector-error.ts';
import {
  MAX_SAMPLE_PATHS,
  type Connector,
  type ConnectorContext,
  type FetchedFile,
  type ListingPage,
  type SourceEntry,
} from '../../connector.ts';
import { checkSize, contentLength, fileBody, itemError, statusError } from '../../http/http-source.ts';
import type { WebConfig } from './config.ts';
import { Crawl } from './crawl.ts';
import { readContent } from './page-version.ts';
import { SiteClient } from './site-client.ts';
import { UrlScope } from './url-rules.ts';

export class WebConnector implements Connector {
  readonly #config: WebConfig;
  readonly #context: ConnectorContext;
  readonly #scope: UrlScope;
  readonly #client: SiteClient;

  constructor(config: WebConfig, context: ConnectorContext) {
    this.#config = config;
    this.#context = context;
    this.#scope = new UrlScope(config);
    this.#client = new SiteClient(config, this.#scope, context);
  }

  async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    signal.throwIfAborted();
    yield* this.#crawl().pages(resumeToken, signal);
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    const { path } = entry;
    const { maxFileBytes } = this.#context;
    const url = new URL(entry.url ?? `https://${path}`);
    if (!this.#scope.contains(url))
      throw new ItemFailed(path, 'permission', `${url.host} is not one of the allowed hosts`);
    const response = await this.#client.get(url, maxFileBytes, signal);
    const { status, headers } = response;
    if (status !== 200) {
      response.cancel();
      throw await this.#refusal(status, path, statusError(response), signal);
    }
    try {
      checkSize(contentLength(response), maxFileBytes, path);
    } catch (error) {
      response.cancel();
      throw error;
    }
    const contentType = headers['content-type'];
    const content = await readContent(response).catch((error: unknown) => {
      throw itemError(error, path);
    });
    const body =
      content.page === null
        ? fileBody({ ...response, body: content.body }, path, signal)
        : Readable.from([content.page], { signal, objectMode: false });
    return { version: content.version, ...(contentType === undefined ? {} : { contentType }), body };
  }

  async test(signal: AbortSignal): Promise<readonly string[]> {
    return this.#crawl().sample(MAX_SAMPLE_PATHS, signal);
  }

  async close(): Promise<void> {}

  #crawl(): Crawl {
    return new Crawl(this.#config, this.#context, this.#client, this.#scope);
  }

  /** A page that refuses access fails alone, unless the site refuses all access. */
  async #refusal(status: number, path: string, error: Error, signal: AbortSignal): Promise<Error> {
    if (status === 404 || status === 410 || (status >= 300 && status < 400)) {
      return new ItemFailed(path, 'gone', `the page answered with HTTP ${status}`);
    }
    if (error instanceof CredentialsRefused) {
      if (status === 401 && (await this.#crawl().isRefused(signal))) return error;
      return new ItemFailed(path, 'permission', `the page answered with HTTP ${status}`);
    }
    const { retryAfterMs } = error as SourceUnavailable;
    if (status === 429 || retryAfterMs !== null) return error;
    return new ItemFailed(path, 'network', `the page answered with HTTP ${status}`);
  }
}
