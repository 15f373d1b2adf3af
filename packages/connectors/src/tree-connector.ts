/** The common part of connectors to trees whose folders are named by their path: WebDAV, FTP and SFTP. */
import {
  MAX_SAMPLE_PATHS,
  type Connector,
  type ConnectorContext,
  type Existence,
  type FetchedFile,
  type KnownFile,
  type ListingPage,
  type SourceEntry,
} from './connector.ts';
import { samplePaths, TreeListing, type TreeChild, type TreeSource } from './tree-listing.ts';

export abstract class TreeConnector implements Connector, TreeSource<string> {
  readonly root = '';
  protected readonly context: ConnectorContext;
  #rootListed: Promise<unknown> | null = null;

  constructor(context: ConnectorContext) {
    this.context = context;
  }

  abstract children(folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]>;
  abstract fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile>;
  /** Requests one file, while the root exists. */
  protected abstract existsBelow(file: KnownFile, signal: AbortSignal): Promise<Existence>;
  abstract close(): Promise<void>;

  list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    return new TreeListing(this, this.context.maxPageEntries, signal).pages(resumeToken);
  }

  /** The root is listed once before: without it, every file would look deleted. */
  async exists(file: KnownFile, signal: AbortSignal): Promise<Existence> {
    const listed = this.#rootListed ?? this.children(this.root, '', signal);
    this.#rootListed = listed;
    listed.catch(() => (this.#rootListed = null));
    await listed;
    signal.throwIfAborted();
    return this.existsBelow(file, signal);
  }

  test(signal: AbortSignal): Promise<readonly string[]> {
    return samplePaths(this, MAX_SAMPLE_PATHS, signal);
  }
}
