/**
 * A server of Microsoft Graph over a tree in memory: tokens, children, delta, throttling, faults. Only imported by
 * tests.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Fault } from '../conformance/source.ts';

export interface StoredItem {
  id: string;
  name: string;
  parentId: string | null;
  /** Null for a folder. */
  bytes: Buffer | null;
  /** Number of the content. */
  content: number;
  more?: object;
}

export interface GraphServer {
  login: string;
  api: string;
  items: Map<string, StoredItem>;
  /** Ids of changed items, in order. */
  feed: string[];
  /** Permissions by the id of their item. Null: the application may not read them. Default: none. */
  permissions: Map<string, readonly object[] | null>;
  /** Number of requests in each batch. */
  batches: number[];
  /** First position that the feed still has. */
  oldest: number;
  fault: Fault | null;
  tokens: Set<string>;
  /** Authorization of each request for content at the other host. */
  downloads: (string | undefined)[];
  /** Host that serves the content of files, without its port. */
  downloadHost: string;
  pageSize: number;
  /** Called before the content of a file is sent. */
  onContent: (() => void) | null;
  put(path: string, bytes: Buffer | null, more?: object): string;
  idOf(path: string): string;
  move(id: string, path: string): void;
  delete(id: string): void;
  close(): Promise<void>;
}

const ROOT = 'root-id';

class Graph {
  readonly server: GraphServer;
  #counter = 0;
  #listed = 0;
  #grants = 0;

  constructor(port: number, close: () => Promise<void>) {
    const origin = `http://127.0.0.1:${port}`;
    const { items, feed }: Pick<GraphServer, 'items' | 'feed'> = { items: new Map(), feed: [] };
    this.server = {
      login: origin,
      api: `${origin}/v1.0`,
      items,
      feed,
      permissions: new Map(),
      batches: [],
      oldest: 0,
      fault: null,
      tokens: new Set(),
      downloads: [],
      downloadHost: 'localhost',
      pageSize: 999,
      onContent: null,
      put: (path, bytes, more) => this.#put(path, bytes, more),
      idOf: (path) => this.#find(path) ?? `no item ${path}`,
      move: (id, path) => {
        const [name, parentId] = this.#place(path);
        items.set(id, { ...items.get(id)!, name, parentId });
        feed.push(id);
      },
      delete: (id) => {
        items.delete(id);
        feed.push(id);
      },
      close,
    };
    items.set(ROOT, { id: ROOT, name: 'root', parentId: null, bytes: null, content: 0 });
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.server.login);
    if (url.pathname.endsWith('/oauth2/v2.0/token')) return this.#grant(request, response);
    if (url.pathname.startsWith('/download/')) return this.#download(url, request, response);
    const { fault, tokens } = this.server;
    if (fault?.kind === 'unavailable') {
      response.setHeader('retry-after', String(fault.retryAfterMs / 1000));
      return fail(response, 429, 'tooManyRequests');
    }
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    if (!tokens.has(token) || fault?.kind === 'credentials') return fail(response, 401, 'InvalidAuthenticationToken');
    if (url.pathname === '/v1.0/$batch') return this.#batch(request, response);
    const path = decodeURIComponent(url.pathname.slice('/v1.0/drives/drive-1/'.length));
    if (path === 'root/delta') return this.#delta(url, response);
    const [kind = '', id = '', action] = path.split('/');
    if (kind.startsWith('root'))
      return this.#item(path === 'root' ? ROOT : this.#find(path.slice('root:/'.length)), response);
    if (action === 'children') return this.#children(id, url, response);
    if (action === 'permissions') return send(response, this.#permissions(id, url).body);
    if (action !== 'content') return this.#item(id, response);
    if (fault?.kind === 'file' && this.#find(fault.path) === id) return fail(response, 403, 'accessDenied');
    const other = new URL(`/download/${id}`, this.server.login);
    other.hostname = this.server.downloadHost;
    response.writeHead(302, { location: other.href }).end();
  }

  #batch(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { requests } = JSON.parse(body) as { requests: { id: string; url: string }[] };
      this.server.batches.push(requests.length);
      const answers = requests.map(({ id, url }) => {
        const [, , , , item = ''] = url.split('/');
        return { id, ...this.#permissions(decodeURIComponent(item), new URL(url, this.server.api)) };
      });
      // The service answers in any order.
      send(response, { responses: answers.toReversed() });
    });
  }

  /** Returns one permission for each page. */
  #permissions(id: string, url: URL): { status: number; body: object } {
    const permissions = this.server.permissions.get(id) ?? (this.server.permissions.has(id) ? null : []);
    if (permissions === null) return { status: 403, body: { error: { code: 'accessDenied' } } };
    const at = Number(url.searchParams.get('$skiptoken') ?? 0);
    const next = `${this.server.api}/drives/drive-1/items/${id}/permissions?$skiptoken=${at + 1}`;
    const link = at + 1 < permissions.length ? { '@odata.nextLink': next } : {};
    return { status: 200, body: { value: permissions.slice(at, at + 1), ...link } };
  }

  #grant(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (this.server.fault?.kind === 'credentials') {
      response.writeHead(401).end(JSON.stringify({ error: 'invalid_client' }));
      return;
    }
    this.#grants += 1;
    const token = `token-${this.#grants}`;
    this.server.tokens.add(token);
    send(response, { access_token: token, expires_in: 3600 });
  }

  #download(url: URL, request: IncomingMessage, response: ServerResponse): void {
    this.server.downloads.push(request.headers.authorization);
    this.server.onContent?.();
    const item = this.server.items.get(url.pathname.split('/')[2] ?? '');
    const bytes = item?.bytes ?? Buffer.alloc(0);
    pipeline(Readable.from(chunksOf(bytes)), response, () => undefined);
  }

  #item(id: string | null, response: ServerResponse): void {
    const item = this.server.items.get(id ?? '');
    const isMissing = this.server.fault?.kind === 'missing-root' && id === ROOT;
    if (item === undefined || isMissing) return fail(response, 404, 'itemNotFound');
    send(response, described(item));
  }

  #children(id: string, url: URL, response: ServerResponse): void {
    const { fault, items, pageSize } = this.server;
    if (fault?.kind === 'folder' && this.#find(fault.folder) === id) return fail(response, 403, 'accessDenied');
    const hidden = fault?.kind === 'hidden' ? this.#find(fault.path) : null;
    const found = [...items.values()].filter((item) => item.parentId === id && item.id !== hidden);
    const from = Number(url.searchParams.get('$skiptoken') ?? 0);
    const page = found.slice(from, from + pageSize);
    this.#listed += page.length;
    if (fault?.kind === 'cut' && this.#listed > fault.afterEntries) {
      response.writeHead(200, { 'content-length': 1000 });
      return void response.write('{"value":[', () => response.destroy());
    }
    url.searchParams.set('$skiptoken', String(from + pageSize));
    const next = from + pageSize < found.length ? { '@odata.nextLink': url.href } : {};
    send(response, { value: page.map(described), ...next });
  }

  #delta(url: URL, response: ServerResponse): void {
    const { feed, items, oldest, pageSize } = this.server;
    const token = url.searchParams.get('token') ?? '';
    const from = token === 'latest' ? feed.length : Number(token);
    if (from < oldest) return fail(response, 410, 'resyncRequired');
    const value = feed.slice(from, from + pageSize).map((id) => {
      const item = items.get(id);
      return item === undefined ? { id, deleted: { state: 'deleted' } } : described(item);
    });
    const isLast = from + pageSize >= feed.length;
    url.searchParams.set('token', String(isLast ? feed.length : from + pageSize));
    const root = from === feed.length ? [] : [{ id: ROOT, root: {}, folder: {} }];
    send(response, { value: [...root, ...value], [isLast ? '@odata.deltaLink' : '@odata.nextLink']: url.href });
  }

  #put(path: string, bytes: Buffer | null, more: object = {}): string {
    const [name, parentId] = this.#place(path);
    this.#counter += 1;
    const id = this.#find(path) ?? `id-${this.#counter}`;
    this.server.items.set(id, { id, name, parentId, bytes, content: this.#counter, more });
    this.server.feed.push(id);
    return id;
  }

  #place(path: string): [string, string] {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    const folder = segments.join('/');
    return [name, folder === '' ? ROOT : (this.#find(folder) ?? this.#put(folder, null))];
  }

  #find(path: string): string | null {
    let id = ROOT;
    for (const name of path.split('/')) {
      const child = [...this.server.items.values()].find((item) => item.name === name && item.parentId === id);
      if (child === undefined) return null;
      ({ id } = child);
    }
    return id;
  }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function described({ id, name, parentId, bytes, content, more }: StoredItem): object {
  const kind = bytes === null ? { folder: {} } : { file: { mimeType: 'text/plain' }, size: bytes.length };
  const tags = {
    cTag: `"c:${id},${content}"`,
    lastModifiedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, content)).toISOString(),
  };
  return { id, name, ...kind, ...tags, parentReference: { id: parentId }, ...more };
}

const send = (response: ServerResponse, body: object): void => void response.end(JSON.stringify(body));

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status);
  send(response, { error: { code, message: 'refused' } });
}

export async function startGraphServer(): Promise<GraphServer> {
  const listener = http.createServer((request, response) => graph.answer(request, response));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const graph = new Graph((listener.address() as AddressInfo).port, async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });
  return graph.server;
}
