/** The common part of connectors to drives with a REST service, ids of files and a change feed. */
import { type ConnectorError, ItemFailed } from '../../connector-error.ts';
import {
  MAX_SAMPLE_PATHS,
  type Connector,
  type ConnectorContext,
  type FetchedFile,
  type ListingPage,
  type SourceEntry,
} from '../../connector.ts';
import { FeedListing, type ChangeBatch, type FeedSource } from '../../feed-listing.ts';
import type { SourceResponse } from '../../http/http-source.ts';
import { samplePaths, type TreeChild } from '../../tree-listing.ts';
import { readJson, type RestClient, type RestError } from './rest-client.ts';

export abstract class DriveConnector implements Connector, FeedSource {
  readonly root = '';
  protected readonly context: ConnectorContext;
  protected readonly client: RestClient;
  #root: Promise<string> | null = null;

  constructor(context: ConnectorContext, client: RestClient) {
    this.context = context;
    this.client = client;
  }

  abstract startToken(signal: AbortSignal): Promise<string>;
  abstract changes(token: string, maxChanges: number, signal: AbortSignal): Promise<ChangeBatch | null>;
  abstract parentOf(folderId: string, signal: AbortSignal): Promise<string | null>;
  /** Returns all children of a folder by its id. */
  protected abstract childrenOf(id: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]>;
  protected abstract open(id: string, path: string, signal: AbortSignal): Promise<FetchedFile>;
  protected abstract findRoot(signal: AbortSignal): Promise<string>;
  /** `folder` is the empty string for the root and for requests that concern no folder. */
  protected abstract listingError(error: RestError, folder: string): ConnectorError;
  protected abstract fileError(error: RestError, path: string): ConnectorError;

  list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    this.#root = null;
    return new FeedListing(this, this.context.maxPageEntries, signal).pages(resumeToken, this.context.changesSince);
  }

  async test(signal: AbortSignal): Promise<readonly string[]> {
    this.#root = null;
    return samplePaths(this, MAX_SAMPLE_PATHS, signal);
  }

  async close(): Promise<void> {}

  rootId(signal: AbortSignal): Promise<string> {
    this.#root ??= this.findRoot(signal);
    this.#root.catch(() => (this.#root = null));
    return this.#root;
  }

  async children(folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    return this.childrenOf(folder === '' ? await this.rootId(signal) : folder, path, signal);
  }

  async fetch({ id, path }: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    if (id === undefined) throw new ItemFailed(path, 'gone', 'the id of the file is not known');
    return this.open(id, path, signal);
  }

  protected async json<T>(url: string, folder: string, signal: AbortSignal): Promise<T> {
    const answer = await this.client.get(url, signal);
    if ('error' in answer) throw this.listingError(answer.error, folder);
    return readJson<T>(answer.response);
  }

  /** Returns null for what does not exist any more. */
  protected async jsonOrNull<T>(url: string, signal: AbortSignal): Promise<T | null> {
    const answer = await this.client.get(url, signal);
    if (!('error' in answer)) return readJson<T>(answer.response);
    if (answer.error.status === 404) return null;
    throw this.listingError(answer.error, '');
  }

  protected async file(url: string, path: string, signal: AbortSignal, maxBytes?: number): Promise<SourceResponse> {
    const answer = await this.client.get(url, signal, maxBytes);
    if ('error' in answer) throw this.fileError(answer.error, path);
    return answer.response;
  }
}
