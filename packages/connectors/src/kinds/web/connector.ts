/**
 * Connector to web sites: a crawl from start URLs and sitemaps. A page of an earlier crawl is requested under its
 * validators. It is deleted only when it answered 404 or 410 in two crawls in a row: until then, the listing contains
 * it.
 */
import { Readable } from 'node:stream';
import { CredentialsRefused, ItemFailed, ListingFailed, type SourceUnavailable } from '../../connector-error.ts';
import {
  MAX_SAMPLE_PATHS,
  type Connector,
  type ConnectorContext,
  type Existence,
  type FetchedFile,
  type KnownFile,
  type ListingPage,
  type SourceEntry,
} from '../../connector.ts';
import { checkSize, contentLength, fileBody, itemError, statusError } from '../../http/http-source.ts';
import type { WebConfig } from './config.ts';
import { Crawl, isPermanentRedirect } from './crawl.ts';
import { readContent } from './page-version.ts';
import { SiteClient } from './site-client.ts';
import { UrlScope } from './url-rules.ts';

export class WebConnector implements Connector {
  readonly #config: WebConfig;
  readonly #context: ConnectorContext;
  readonly #scope: UrlScope;
  readonly #client: SiteClient;
  #startStatus: Promise<number | null> | null = null;

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

  /** A page that the configuration excludes now is absent. A temporary redirect says nothing about a page. */
  async exists({ path, url: address }: KnownFile, signal: AbortSignal): Promise<Existence> {
    signal.throwIfAborted();
    const url = new URL(address ?? `https://${path}`);
    if (!this.#scope.contains(url)) return 'absent';
    if (!(await this.#client.mayRead(url, signal))) return 'unknown';
    const response = await this.#client.get(url, Number.MAX_SAFE_INTEGER, signal);
    response.cancel();
    const { status } = response;
    if (status === 200) return 'present';
    if (isPermanentRedirect(status)) return 'absent';
    if (status === 404 || status === 410) return this.#missing(signal);
    const isRefused = status === 401 && (await this.#crawl().isRefused(signal));
    if (isRefused || status === 429 || status >= 500) throw statusError(response);
    return 'unknown';
  }

  async test(signal: AbortSignal): Promise<readonly string[]> {
    return this.#crawl().sample(MAX_SAMPLE_PATHS, signal);
  }

  async close(): Promise<void> {}

  /** A page is absent unless the site has lost its start as well, which is read once. */
  async #missing(signal: AbortSignal): Promise<Existence> {
    const asked = this.#startStatus ?? this.#crawl().startStatus(signal);
    this.#startStatus = asked;
    asked.catch(() => (this.#startStatus = null));
    const status = await asked;
    if (status !== 404 && status !== 410) return 'absent';
    throw new ListingFailed('', `the start of the crawl answered with HTTP ${status}`);
  }

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
