/** The interface of a connector: lists the files of one source in pages and fetches each as a stream. */
import type { Readable } from 'node:stream';
import type { OutboundClient } from '@quire/outbound/outbound-client';
import type { ListingFailed } from './connector-error.ts';

/** Maximum length of a path, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 1024;
/** Maximum length of a resume token, in bytes of UTF-8. */
export const MAX_RESUME_TOKEN_BYTES = 16 * 1024;
/** Maximum number of paths in the sample of `test`. */
export const MAX_SAMPLE_PATHS = 10;

/** A file of the source. */
export interface SourceEntry {
  /** Unique in the source: segments separated by `/`, without a leading slash, exactly as the source spells them. */
  path: string;
  /** Identifier that a file keeps when it is moved, where the source has one. */
  id?: string;
  url?: string;
  /** Changes whenever the content changes, and never otherwise: an ETag, or modification time and size. */
  version: string;
  sizeBytes?: number;
  modifiedAt?: Date;
  contentType?: string;
  /** Readers of the file: `user:<name>`, `group:<name>` or `public`. Absent if the source does not report them. */
  permissions?: readonly string[];
  /** Name of the document, with an extension. By default the last segment of the path. */
  name?: string;
  /** Reason why the file is listed but not fetched. Its document, if there is one, is deleted. */
  skip?: SkipReason;
}

/** For example `robots`, `noindex` or `no_download`. */
export interface SkipReason {
  type: string;
  message: string;
}

/** A file of an earlier listing, as far as it is needed to find it again. */
export type KnownFile = Pick<SourceEntry, 'path' | 'id' | 'url'>;

/**
 * Answer of the source about one file. `absent`: the source says that there is no such file, or the file is outside of
 * the configured part of the source. `unknown`: the answer shows neither, for example a refusal.
 */
export type Existence = 'present' | 'absent' | 'unknown';

/** A problem of the source. It is shown with the result of the synchronisation. */
export interface ListingWarning {
  /** One of each type is kept. */
  type: 'unordered_listing' | 'listing_restarted' | 'incomplete_listing';
  message: string;
}

/**
 * A file that the source reports as deleted, by one of the two. `isInferred`: the source reported a change that only
 * suggests the deletion, so that a known file is verified first.
 */
export type RemovedFile = ({ path: string } | { id: string }) & { isInferred?: true };

export interface ListingPage {
  /** At most `maxPageEntries` of the context. */
  entries: readonly SourceEntry[];
  /**
   * Continues the listing after this page, also in another process; null for the last page. Its length is bounded by
   * `MAX_RESUME_TOKEN_BYTES`.
   */
  resumeToken: string | null;
  /**
   * Folders that the listing finished with this page: all files below them, at any depth, are in this page or an
   * earlier one, except below folders in `failures`. The root is the empty string.
   */
  completeFolders: readonly string[];
  /**
   * Folders that could not be listed. The listing continues with the others. The path of a single file is possible too:
   * that file is spared.
   */
  failures: readonly ListingFailed[];
  /**
   * Files that are deleted, although no folder is complete: the source reported the deletion itself, in its change feed
   * or in the answer for the file. They are not verified, as nothing is concluded from what a listing lacks.
   */
  removed?: readonly RemovedFile[];
  /** Changes of the state of this connector (`ConnectorContext.state`), stored together with the page; null removes. */
  state?: Readonly<Record<string, string | null>>;
  /**
   * Position in the change feed of the source, on the last page. The next synchronisation gets it as `changesSince` of
   * the context, once this one has ended without a failure.
   */
  changeToken?: string;
  warnings?: readonly ListingWarning[];
}

export interface FetchedFile {
  /** Version of the bytes in `body`. It differs from the entry's if the file was replaced after the listing. */
  version: string;
  sizeBytes?: number;
  contentType?: string;
  /**
   * Fails with `ItemFailed` if the file is replaced while it is read and the rest would be of another version. Must be
   * read or destroyed.
   */
  body: Readable;
}

/**
 * A connection to one source. Methods reject with the reason of an aborted signal, with a `ConnectorError` for all
 * other failures, and never return a partial result instead. Links are not followed.
 */
export interface Connector {
  /** Lists the whole source, or what follows the page with this token. Throws if the listing cannot continue. */
  list(resumeToken: string | null, signal: AbortSignal): AsyncIterable<ListingPage>;
  /** Opens a file. Files of more than `maxFileBytes` fail with `ItemFailed`, here or while the body is read. */
  fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile>;
  /**
   * Requests one file that a listing left out, before its document is deleted. Does not use the answers of that
   * listing. Rejects with `CredentialsRefused`, with `SourceUnavailable` if the source does not answer, and with
   * `ListingFailed` if the whole source is gone.
   */
  exists(file: KnownFile, signal: AbortSignal): Promise<Existence>;
  /** Checks address and credentials; returns the first paths of the source, at most `MAX_SAMPLE_PATHS`. */
  test(signal: AbortSignal): Promise<readonly string[]>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Texts by key that a kind keeps between pages and synchronisations. Pages change them (`ListingPage.state`). */
export interface ConnectorState {
  get(key: string): Promise<string | null>;
  /** Returns up to `limit` pairs whose key begins with the prefix and comes after `after`, in the order of UTF-8. */
  scan(prefix: string, after: string, limit: number): Promise<readonly (readonly [string, string])[]>;
}

/** Limits and services that every kind gets. */
export interface ConnectorContext {
  maxFileBytes: number;
  maxPageEntries: number;
  /** Sends all requests, to checked and pinned addresses. */
  outbound: OutboundClient;
  state: ConnectorState;
  /**
   * Position in the change feed from which on changes suffice. Null requests a full listing. A kind without a feed
   * ignores it. A listing of changes reports no complete folder.
   */
  changesSince: string | null;
  /** Whether nothing may be remembered of the source, so that the next synchronisation finds what a dry run finds. */
  isDryRun?: boolean;
  /** Stores a value in an empty field of the configuration: the host key that was seen first. */
  remember(field: string, value: string): Promise<void>;
}
