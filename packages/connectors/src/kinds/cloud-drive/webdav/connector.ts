/** Connector to a WebDAV server: folders are listed by PROPFIND with depth 1. */
import {
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  ListingFailed,
  SourceUnavailable,
} from '../../../connector-error.ts';
import type { ConnectorContext, FetchedFile, SourceEntry } from '../../../connector.ts';
import {
  checkSize,
  contentLength,
  fileBody,
  HttpSource,
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

  async close(): Promise<void> {}

  async children(_folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    const resources = await this.#propfind(path, '1', signal);
    const parent = path === '' ? [] : path.split('/');
    return resources.flatMap((resource) => {
      const names = this.#namesOf(resource.href, path);
      const isChild = names.length === parent.length + 1 && parent.every((name, at) => names[at] === name);
      const name = names.at(-1);
      return !isChild || name === undefined ? [] : [this.#child(resource, name, [...parent, name].join('/'))];
    });
  }

  #child(resource: DavResource, name: string, path: string): TreeChild<string> {
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

  /** Returns the segments of an address below the root. */
  #namesOf(href: string, folder: string): string[] {
    try {
      const { pathname } = new URL(href, `${this.#base}/`);
      const root = new URL(`${this.#base}/`).pathname.split('/').slice(0, -1).map(decodeURIComponent);
      const segments = pathname.replace(/\/+$/, '').split('/').map(decodeURIComponent);
      return root.every((name, at) => segments[at] === name) ? segments.slice(root.length) : [];
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
    const headers = { depth, 'content-type': 'application/xml; charset=utf-8' };
    const response = await this.#send('PROPFIND', url, headers, PROPERTIES, MAX_FOLDER_BYTES, signal);
    if (response.status !== 207) {
      response.cancel();
      throw folderRefusal(response, path);
    }
    const parser = new MultistatusParser();
    const decoder = new TextDecoder();
    for await (const part of response.body) feed(parser, decoder.decode(part, { stream: true }), path);
    if (!parser.isWhole) throw new SourceUnavailable('the listing of a folder is not complete');
    return parser.resources;
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
      if (!this.#authorization.accept(challenge)) return response;
      response.cancel();
    }
  }
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
