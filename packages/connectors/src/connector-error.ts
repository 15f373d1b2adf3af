/** Failures of a source. Messages are shown to users and must not contain credentials. */

export abstract class ConnectorError extends Error {
  abstract readonly type: string;
}

/** The source refused the credentials. The connector needs a user's attention; no retry helps. */
export class CredentialsRefused extends ConnectorError {
  readonly type = 'credentials_refused';
}

/** The rules for outbound connections forbid the address of the source. No retry helps. */
export class AddressRefused extends ConnectorError {
  readonly type = 'address_refused';
}

/** A folder could not be listed completely. No file below it may be regarded as deleted. */
export class ListingFailed extends ConnectorError {
  readonly type = 'listing_failed';
  /** The empty string for the root. */
  readonly folder: string;

  constructor(folder: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.folder = folder;
  }
}

/** `changed`: the file was replaced while it was read. `gone`: it was deleted after the listing. */
export type ItemFailure = 'permission' | 'too_large' | 'unsupported' | 'gone' | 'changed' | 'network';

/** One file could not be fetched. Other files are not affected. */
export class ItemFailed extends ConnectorError {
  readonly type = 'item_failed';
  readonly path: string;
  readonly reason: ItemFailure;

  constructor(path: string, reason: ItemFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
    this.reason = reason;
  }
}

/** The source does not answer, answers with an error of its own, or limits the rate of requests. */
export class SourceUnavailable extends ConnectorError {
  readonly type = 'source_unavailable';
  /** Delay that the source requested before the next call, in milliseconds; null if it named none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}
