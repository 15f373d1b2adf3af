/** The common part of connectors to trees whose folders are named by their path: WebDAV, FTP and SFTP. */
import {
  MAX_SAMPLE_PATHS,
  type Connector,
  type ConnectorContext,
  type FetchedFile,
  type ListingPage,
  type SourceEntry,
} from './connector.ts';
import { samplePaths, TreeListing, type TreeChild, type TreeSource } from './tree-listing.ts';

export abstract class TreeConnector implements Connector, TreeSource<string> {
  readonly root = '';
  protected readonly context: ConnectorContext;

  constructor(context: ConnectorContext) {
    this.context = context;
  }

  abstract children(folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]>;
  abstract fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile>;
  abstract close(): Promise<void>;

  list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    return new TreeListing(this, this.context.maxPageEntries, signal).pages(resumeToken);
  }

  test(signal: AbortSignal): Promise<readonly string[]> {
    return samplePaths(this, MAX_SAMPLE_PATHS, signal);
  }
}
