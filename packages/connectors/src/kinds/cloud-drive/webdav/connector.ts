/** Connector to a WebDAV server: folders are listed by PROPFIND with depth 1. */
import {
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  ListingFailed,
  SourceUnavailable,
} from '../../../connector-error.ts';
import type { ConnectorContext, Existence, FetchedFile, KnownFile, SourceEntry } from '../../../connector.ts';
import {
  checkSize,
  contentLength,
  fileBody,
  HttpSource,
  MAX_RESPONSE_BYTES,
  statusError,
  type SourceResponse,
} from '../../../http/http-source.ts';
import { TreeConnector } from '../../../tree-connector.ts';
import type { TreeChild } from '../../../tree-listing.ts';
import { encodeKey } from '../../object-storage/keys.ts';
import type { WebdavConfig } from '../config.ts';
import { Authorization } from './digest.ts';
import { MultistatusParser, type DavResource } from './multistatus.ts';

/** Maximum size of the answer for one folder, in bytes. */
const MAX_FOLDER_BYTES = 256 * 1024 * 1024;
const XML_TYPE = 'application/xml; charset=utf-8';
const PROPERTIES =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getcontentlength/>' +
  '<getlastmodified/><getcontenttype/></prop></propfind>';

export class WebdavConnector extends TreeConnector {
  readonly #http: HttpSource;
  /** Address of the root, without a slash at its end. */
  readonly #base: string;
  readonly #authorization: Authorization | null;

  constructor({ url, username, password }: WebdavConfig, context: ConnectorContext) {
    super(context);
    this.#http = new HttpSource(context.outbound);
    const { origin, pathname } = new URL(url);
    this.#base = `${origin}${pathname.replace(/\/+$/, '')}`;
    this.#authorization = username === undefined ? null : new Authorization({ username, password: password ?? '' });
  }

  async fetch({ path }: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    const { maxFileBytes } = this.context;
    const response = await this.#send('GET', this.#urlOf(path), {}, undefined, maxFileBytes, signal);
    const { status, headers } = response;
    try {
      if (status !== 200) throw itemRefusal(response, path);
      checkSize(contentLength(response), maxFileBytes, path);
      const version = await this.#versionOf(response, path, signal);
      const contentType = headers['content-type'];
      const body = fileBody(response, path, signal);
      return { version, ...(contentType === undefined ? {} : { contentType }), body };
    } catch (error) {
      response.cancel();
      throw error;
    }
  }

  protected async existsBelow({ path }: KnownFile, signal: AbortSignal): Promise<Existence> {
    const headers = { depth: '0', 'content-type': XML_TYPE };
    const response = await this.#send('PROPFIND', this.#urlOf(path), headers, PROPERTIES, MAX_RESPONSE_BYTES, signal);
    if (response.status === 207) {
      const [resource] = await parse(response, path);
      return resource === undefined ? 'unknown' : existenceOf(resource.status, resource.isFolder);
    }
    response.cancel();
    const { status, headers: answered } = response;
    // A folder in place of the file: servers redirect to its address with a slash.
    const location = answered.location === undefined ? '' : new URL(answered.location, this.#urlOf(path)).pathname;
    if (location === `${new URL(this.#urlOf(path)).pathname}/`) return 'absent';
    if (status === 401 || status === 429 || status >= 500) throw statusError(response);
    return existenceOf(status, false);
  }

  async close(): Promise<void> {}

  async children(_folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    const resources = await this.#propfind(path, '1', signal);
    const parent = path === '' ? [] : path.split('/');
    const children: TreeChild<string>[] = [];
    let isDescribed = false;
    for (const resource of resources) {
      const names = this.#namesOf(resource.href, path);
      if (names === null || !parent.every((name, at) => isSameName(names[at], name))) continue;
      isDescribed ||= names.length === parent.length;
      const [name, ...below] = names.slice(parent.length);
      // 404: the child was deleted meanwhile.
      if (name === undefined || below.length > 0 || resource.status === 404) continue;
      children.push(this.#child(resource, name, [...parent, name].join('/')));
    }
    // A folder is described with its children. Without it, the addresses are those of other folders.
    if (!isDescribed && children.length === 0)
      throw new ListingFailed(path, 'the server described other addresses in place of the folder');
    return children;
  }

  #child(resource: DavResource, name: string, path: string): TreeChild<string> {
    const { status } = resource;
    if (status !== 200) {
      const reason = status === 0 ? '' : ` (HTTP ${status})`;
      return { kind: 'failed', name, message: `the server did not return its properties${reason}` };
    }
    if (resource.isFolder) return { kind: 'folder', name, folder: path };
    const modified = new Date(resource.modified);
    return {
      kind: 'file',
      name,
      entry: {
        url: this.#urlOf(path),
        version: versionText(resource.etag, resource.modified, resource.sizeBytes),
        ...(resource.sizeBytes === null ? {} : { sizeBytes: resource.sizeBytes }),
        ...(Number.isNaN(modified.getTime()) ? {} : { modifiedAt: modified }),
        ...(resource.contentType === '' ? {} : { contentType: resource.contentType }),
      },
    };
  }

  /** Returns the segments of an address below the root; null for another address. */
  #namesOf(href: string, folder: string): string[] | null {
    try {
      const { pathname } = new URL(href, `${this.#base}/`);
      const root = new URL(`${this.#base}/`).pathname.split('/').slice(0, -1).map(decodeURIComponent);
      const segments = pathname.replace(/\/+$/, '').split('/').map(decodeURIComponent);
      return root.every((name, at) => isSameName(segments[at], name)) ? segments.slice(root.length) : null;
    } catch (error) {
      throw new ListingFailed(folder, 'the server returned an address that cannot be decoded', { cause: error });
    }
  }

  #urlOf(path: string): string {
    return `${this.#base}/${encodeKey(path)}`;
  }

  /** Returns the version that the headers of a file show, or that its properties show if there is no ETag. */
  async #versionOf({ headers }: SourceResponse, path: string, signal: AbortSignal): Promise<string> {
    if (headers.etag !== undefined) return versionText(headers.etag, '', null);
    const [resource] = await this.#propfind(path, '0', signal);
    if (resource === undefined) throw new ItemFailed(path, 'gone', 'the file does not exist any more');
    return versionText(resource.etag, resource.modified, resource.sizeBytes);
  }

  async #propfind(path: string, depth: '0' | '1', signal: AbortSignal): Promise<DavResource[]> {
    const url = depth === '0' || path === '' ? this.#urlOf(path) : `${this.#urlOf(path)}/`;
    const headers = { depth, 'content-type': XML_TYPE };
    const response = await this.#send('PROPFIND', url, headers, PROPERTIES, MAX_FOLDER_BYTES, signal);
    if (response.status !== 207) {
      response.cancel();
      throw folderRefusal(response, path);
    }
    return parse(response, path);
  }

  async #send(
    method: 'GET' | 'PROPFIND',
    url: string,
    headers: Record<string, string>,
    body: string | undefined,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<SourceResponse> {
    for (;;) {
      const authorization = this.#authorization?.header(method, url);
      const response = await this.#http.request({
        method,
        url,
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
        ...(body === undefined ? {} : { body }),
        maxBytes,
        maxRedirects: method === 'GET' ? 5 : 0,
        signal,
      });
      if (response.status !== 401 || this.#authorization === null) return response;
      const challenge = [response.headers['www-authenticate'] ?? ''].flat().join(', ');
      const isFirst = authorization === undefined;
      if (!this.#authorization.accept(challenge, isFirst)) return response;
      response.cancel();
    }
  }
}

/** Servers may answer with another normal form of Unicode than the one of the request. */
const isSameName = (one: string | undefined, other: string): boolean => one?.normalize() === other.normalize();

async function parse({ body }: SourceResponse, path: string): Promise<DavResource[]> {
  const parser = new MultistatusParser();
  const decoder = new TextDecoder();
  for await (const part of body) feed(parser, decoder.decode(part, { stream: true }), path);
  if (!parser.isWhole) throw new SourceUnavailable('the listing of a folder is not complete');
  return parser.resources;
}

function existenceOf(status: number, isFolder: boolean): Existence {
  if (status === 200) return isFolder ? 'absent' : 'present';
  return status === 404 || status === 410 ? 'absent' : 'unknown';
}

function feed(parser: MultistatusParser, text: string, folder: string): void {
  try {
    parser.write(text);
  } catch (error) {
    throw new ListingFailed(folder, 'the listing is no valid XML', { cause: error });
  }
}

/** A weak ETag and its quotes are written differently in properties and headers. */
const versionText = (etag: string, modified: string, sizeBytes: number | null): string => {
  const text = etag.replace(/^W\//, '').replaceAll('"', '');
  return text === '' ? `${modified} ${sizeBytes ?? ''}` : text;
};

function folderRefusal(response: SourceResponse, path: string): ConnectorError {
  const { status, headers } = response;
  if (status === 401 || (status === 403 && path === '')) return statusError(response);
  if (status === 429 || status >= 500) return statusError(response);
  const target = headers.location === undefined ? '' : `, to ${headers.location}`;
  return new ListingFailed(path, `the folder answered with HTTP ${status}${target}`);
}

function itemRefusal(response: SourceResponse, path: string): ConnectorError {
  const { status } = response;
  if (status === 401) return new CredentialsRefused('the source refused the credentials (HTTP 401)');
  if (status === 403) return new ItemFailed(path, 'permission', 'reading is not allowed (HTTP 403)');
  if (status === 404 || status === 410) return new ItemFailed(path, 'gone', `the file answered with HTTP ${status}`);
  return statusError(response);
}
