/** The common part of connectors to drives with a REST service, ids of files and a change feed. */
import { type ConnectorError, ItemFailed } from '../../connector-error.ts';
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
import { FeedListing, type ChangeBatch, type FeedSource } from '../../feed-listing.ts';
import type { SourceResponse } from '../../http/http-source.ts';
import { samplePaths, type TreeChild } from '../../tree-listing.ts';
import { readJson, type RestClient, type RestError } from './rest-client.ts';

/** Maximum depth of folders, and number of folders whose place is kept. */
const MAX_DEPTH = 64;
const MAX_KEPT_FOLDERS = 10_000;

/** Folder that holds an item; null for the root of a drive, and where the account may not see it. */
export type Place = { parentId: string | null };

export abstract class DriveConnector implements Connector, FeedSource {
  readonly root = '';
  protected readonly context: ConnectorContext;
  protected readonly client: RestClient;
  #root: Promise<string> | null = null;
  readonly #isInside = new Map<string, Promise<Existence>>();

  constructor(context: ConnectorContext, client: RestClient) {
    this.context = context;
    this.client = client;
  }

  abstract startToken(signal: AbortSignal): Promise<string>;
  abstract changes(token: string, maxChanges: number, signal: AbortSignal): Promise<ChangeBatch | null>;
  abstract parentOf(folderId: string, signal: AbortSignal): Promise<string | null>;
  /** Returns all children of a folder by its id. */
  protected abstract childrenOf(id: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]>;
  /** Requests an item by its id; one in the trash is absent. */
  protected abstract placeOf(id: string, signal: AbortSignal): Promise<Place | 'absent' | 'unknown'>;
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

  /** A file that exists outside of the root is absent from the source. */
  async exists({ id }: KnownFile, signal: AbortSignal): Promise<Existence> {
    if (id === undefined) return 'unknown';
    const root = await this.rootId(signal);
    const place = await this.placeOf(id, signal);
    if (typeof place === 'string') return place;
    // The account may not see the folder of the file.
    return place.parentId === null ? 'unknown' : this.#below(root, place.parentId, signal, 0);
  }

  /** Returns whether what is in a folder is below the root. */
  #below(root: string, folderId: string, signal: AbortSignal, depth: number): Promise<Existence> {
    const known = this.#isInside.get(folderId);
    if (known !== undefined) return known;
    if (this.#isInside.size >= MAX_KEPT_FOLDERS) this.#isInside.clear();
    const asking = this.#askBelow(root, folderId, signal, depth);
    this.#isInside.set(folderId, asking);
    asking.catch(() => this.#isInside.delete(folderId));
    return asking;
  }

  async #askBelow(root: string, folderId: string, signal: AbortSignal, depth: number): Promise<Existence> {
    if (folderId === root) return 'present';
    if (depth > MAX_DEPTH) return 'unknown';
    const place = await this.placeOf(folderId, signal);
    if (typeof place === 'string') return 'unknown';
    return place.parentId === null ? 'absent' : this.#below(root, place.parentId, signal, depth + 1);
  }

  /** Returns the description of an item, and what an answer without one says of it. */
  protected async described<T>(url: string, signal: AbortSignal): Promise<T | 'absent' | 'unknown'> {
    const answer = await this.client.get(url, signal);
    if (!('error' in answer)) return readJson<T>(answer.response);
    const error = this.fileError(answer.error, '');
    if (!(error instanceof ItemFailed)) throw error;
    return error.reason === 'gone' ? 'absent' : 'unknown';
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
