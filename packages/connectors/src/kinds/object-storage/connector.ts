/** Connector to a bucket of any service with the S3 API. */
import {
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  ListingFailed,
  SourceUnavailable,
} from '../../connector-error.ts';
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
import {
  checkSize,
  contentLength,
  fileBody,
  HttpSource,
  MAX_RESPONSE_BYTES,
  readResponse,
} from '../../http/http-source.ts';
import { retryAfterMs } from '../../http/retry-after.ts';
import { BucketListing } from './bucket-listing.ts';
import type { ObjectStorageConfig } from './config.ts';
import { isAddressable, keyOfPath, pathOfKey } from './keys.ts';
import { parseListing, type ListedObject, type ListedPage } from './listing-xml.ts';
import { S3Client, type Refusal } from './s3-client.ts';

/** Maximum number of keys in a page of the S3 API. */
const MAX_KEYS = 1000;
const ARCHIVED = new Set(['GLACIER', 'DEEP_ARCHIVE']);
/** Codes of errors that concern the keys and not one object. */
const CREDENTIAL_CODES = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'AccountProblem',
  'InvalidSecurity',
  'NotSignedUp',
]);

export class ObjectStorageConnector implements Connector {
  readonly #config: ObjectStorageConfig;
  readonly #context: ConnectorContext;
  readonly #client: S3Client;

  constructor(config: ObjectStorageConfig, context: ConnectorContext) {
    this.#config = config;
    this.#context = context;
    this.#client = new S3Client(config, new HttpSource(context.outbound));
  }

  async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    const maxKeys = Math.min(this.#context.maxPageEntries, MAX_KEYS);
    const listing = new BucketListing((query) => this.#page(query, maxKeys, signal), maxKeys);
    for await (const { objects, ...page } of listing.pages(resumeToken)) {
      yield {
        ...page,
        entries: objects.filter(({ key }) => !key.endsWith('/')).map((object) => this.#entry(object)),
        completeFolders: page.resumeToken === null ? [''] : [],
        failures: [],
      };
    }
  }

  async exists({ path }: KnownFile, signal: AbortSignal): Promise<Existence> {
    const key = keyOfPath(path);
    if (!key.startsWith(this.#config.prefix)) return 'absent';
    const answer = await this.#client.probe(key, signal);
    if ('refusal' in answer) return existenceOf(answer.refusal, path);
    answer.response.cancel();
    return 'present';
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    const { path } = entry;
    const { maxFileBytes } = this.#context;
    const answer = await this.#client.get(keyOfPath(path), {}, maxFileBytes, signal);
    if ('refusal' in answer) throw itemRefusal(answer.refusal, path);
    const { response } = answer;
    const sizeBytes = contentLength(response);
    const { etag = '', 'last-modified': modified, 'content-type': contentType } = response.headers;
    try {
      checkSize(sizeBytes, maxFileBytes, path);
    } catch (error) {
      response.cancel();
      throw error;
    }
    return {
      version: versionOf({ etag, modifiedAt: new Date(modified ?? 0).toISOString(), sizeBytes: sizeBytes ?? 0 }),
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
      ...(contentType === undefined ? {} : { contentType }),
      body: fileBody(response, path, signal),
    };
  }

  async test(signal: AbortSignal): Promise<readonly string[]> {
    const page = await this.#page({}, MAX_SAMPLE_PATHS * 2, signal);
    if (page === null) throw new ListingFailed('', 'the source refuses the parameters of the listing');
    const keys = page.objects.map(({ key }) => key).filter((key) => !key.endsWith('/'));
    return keys.slice(0, MAX_SAMPLE_PATHS).map(pathOfKey);
  }

  async close(): Promise<void> {}

  /** Returns null if the service refuses the parameters. */
  async #page(
    position: Readonly<Record<string, string>>,
    maxKeys: number,
    signal: AbortSignal,
  ): Promise<ListedPage | null> {
    const { prefix } = this.#config;
    const query = {
      'encoding-type': 'url',
      'list-type': '2',
      'max-keys': String(maxKeys),
      ...(prefix === '' ? {} : { prefix }),
      ...position,
    };
    const answer = await this.#client.get('', query, MAX_RESPONSE_BYTES, signal);
    if ('refusal' in answer) {
      if (refusesParameters(answer.refusal)) return null;
      throw listingRefusal(answer.refusal);
    }
    return parseListing((await readResponse(answer.response)).toString());
  }

  #entry({ key, etag, sizeBytes, modifiedAt, storageClass }: ListedObject): SourceEntry {
    const modified = new Date(modifiedAt);
    return {
      path: pathOfKey(key),
      url: this.#client.urlOf(key),
      version: versionOf({
        etag,
        modifiedAt: Number.isNaN(modified.getTime()) ? '' : cutToSecond(modified),
        sizeBytes,
      }),
      sizeBytes,
      ...(Number.isNaN(modified.getTime()) ? {} : { modifiedAt: modified }),
      ...skipOf(key, storageClass),
    };
  }
}

/** The header of an object has no milliseconds. */
const cutToSecond = (date: Date): string => new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString();

/** Returns the ETag without its quotes, which some services leave out of listings; else time and size. */
function versionOf({ etag, modifiedAt, sizeBytes }: Pick<ListedObject, 'etag' | 'modifiedAt' | 'sizeBytes'>): string {
  const text = etag.replaceAll('"', '');
  return text === '' ? `${modifiedAt} ${sizeBytes}` : text;
}

function skipOf(key: string, storageClass: string): Pick<SourceEntry, 'skip'> {
  if (!isAddressable(key))
    return { skip: { type: 'unsupported_name', message: 'the key has a segment of dots or a null character' } };
  if (!ARCHIVED.has(storageClass)) return {};
  return { skip: { type: 'archived', message: `the object is in the storage class ${storageClass}` } };
}

const describe = ({ status, code, message }: Refusal): string =>
  code === '' ? `the source answered with HTTP ${status}` : `${code}: ${message} (HTTP ${status})`;

function listingRefusal(refusal: Refusal): ConnectorError {
  const { status, code } = refusal;
  if (code === 'NoSuchBucket' || status === 404) return new ListingFailed('', describe(refusal));
  if (status === 401 || status === 403 || CREDENTIAL_CODES.has(code)) return new CredentialsRefused(describe(refusal));
  return new SourceUnavailable(describe(refusal), retryAfterMs(refusal.headers['retry-after']));
}

/** A token that has expired, or a parameter that the service does not support. */
const refusesParameters = ({ status, code }: Refusal): boolean =>
  [400, 410, 422].includes(status) && !CREDENTIAL_CODES.has(code);

/** Only `NoSuchKey` shows that the object is missing: a proxy answers 404 as well. */
function existenceOf(refusal: Refusal, path: string): Existence {
  const { status, code } = refusal;
  if (code === 'NoSuchKey') return 'absent';
  if (code === 'NoSuchBucket') throw listingRefusal(refusal);
  // The range of an empty object, and an archived object.
  if (status === 416 || code === 'InvalidObjectState') return 'present';
  const error = itemRefusal(refusal, path);
  const isItsOwn = error instanceof ItemFailed || (status >= 400 && status < 500 && status !== 429);
  if (!isItsOwn || error instanceof CredentialsRefused) throw error;
  return 'unknown';
}

function itemRefusal(refusal: Refusal, path: string): ConnectorError {
  const { status, code } = refusal;
  if (CREDENTIAL_CODES.has(code) || status === 401) return new CredentialsRefused(describe(refusal));
  if (code === 'InvalidObjectState') return new ItemFailed(path, 'unsupported', describe(refusal));
  if (status === 403) return new ItemFailed(path, 'permission', describe(refusal));
  if (status === 404 && code !== 'NoSuchBucket') return new ItemFailed(path, 'gone', describe(refusal));
  return new SourceUnavailable(describe(refusal), retryAfterMs(refusal.headers['retry-after']));
}
