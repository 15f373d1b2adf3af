/**
 * A server of the Google Drive API over a tree in memory: tokens, listings, changes, exports, faults. Only imported by
 * tests.
 */
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Fault } from '../conformance/source.ts';

const FOLDER = 'application/vnd.google-apps.folder';

export interface StoredFile {
  id: string;
  name: string;
  mimeType: string;
  parents: string[];
  createdTime: string;
  modifiedTime: string;
  trashed?: boolean;
  bytes?: Buffer;
  capabilities?: { canDownload: boolean };
  permissions?: object[];
}

export interface DriveServer {
  api: string;
  token: string;
  files: Map<string, StoredFile>;
  /** Ids of changed files, in order. */
  feed: string[];
  /** First position that the feed still has. */
  oldest: number;
  fault: Fault | null;
  /** Access tokens that are accepted. */
  tokens: Set<string>;
  /** Forms that were sent to the token endpoint. */
  grants: URLSearchParams[];
  requests: URL[];
  pageSize: number;
  isSearchIncomplete: boolean;
  /** Called before the content of a file is sent. */
  onContent: (() => void) | null;
  /** Creates a file or folder, and the folders of its path. Returns its id. */
  put(path: string, bytes: Buffer | null, more?: Partial<StoredFile>): string;
  idOf(path: string): string;
  change(id: string, more: Partial<StoredFile>): void;
  delete(id: string): void;
  close(): Promise<void>;
}

class Drive {
  readonly server: DriveServer;
  #counter = 0;
  #listed = 0;

  constructor(port: number, close: () => Promise<void>) {
    const origin = `http://127.0.0.1:${port}`;
    this.server = {
      api: `${origin}/drive/v3`,
      token: `${origin}/token`,
      files: new Map(),
      feed: [],
      oldest: 0,
      fault: null,
      tokens: new Set(),
      grants: [],
      requests: [],
      pageSize: 1000,
      isSearchIncomplete: false,
      onContent: null,
      put: (path, bytes, more) => this.#put(path, bytes, more),
      idOf: (path) => this.#find(path) ?? `no file ${path}`,
      change: (id, more) => {
        const file = this.server.files.get(id)!;
        this.server.files.set(id, { ...file, ...more });
        this.server.feed.push(id);
      },
      delete: (id) => {
        this.server.files.delete(id);
        this.server.feed.push(id);
      },
      close,
    };
    this.server.files.set('root-id', this.#file('root-id', 'My Drive', FOLDER, []));
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://server');
    if (url.pathname === '/token') return this.#grant(request, response);
    this.server.requests.push(url);
    const { fault, tokens } = this.server;
    if (fault?.kind === 'unavailable') {
      response.setHeader('retry-after', String(fault.retryAfterMs / 1000));
      return fail(response, 403, 'userRateLimitExceeded');
    }
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    if (!tokens.has(token) || fault?.kind === 'credentials') return fail(response, 401, 'authError');
    const [, , , kind, id, action] = url.pathname.split('/');
    if (kind === 'changes')
      return id === undefined
        ? this.#changes(url, response)
        : send(response, { startPageToken: String(this.server.feed.length) });
    if (id === undefined) return this.#list(url, response);
    return this.#read(decodeURIComponent(id), action, url, response);
  }

  #grant(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      this.server.grants.push(new URLSearchParams(body));
      if (this.server.fault?.kind === 'credentials') {
        response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description: 'revoked' }));
        return;
      }
      const token = `token-${this.server.grants.length}`;
      this.server.tokens.add(token);
      send(response, { access_token: token, expires_in: 3600, token_type: 'Bearer' });
    });
  }

  #list(url: URL, response: ServerResponse): void {
    const { fault, files, pageSize, isSearchIncomplete } = this.server;
    const parent = /^'(.+)' in parents and trashed = false$/.exec(url.searchParams.get('q') ?? '')?.[1] ?? '';
    if (fault?.kind === 'folder' && this.#find(fault.folder) === parent) return fail(response, 403, 'forbidden');
    const hidden = fault?.kind === 'hidden' ? this.#find(fault.path) : null;
    const found = [...files.values()].filter(
      (file) => file.parents.includes(parent) && file.trashed !== true && file.id !== hidden,
    );
    const from = Number(url.searchParams.get('pageToken') ?? 0);
    const page = found.slice(from, from + pageSize);
    this.#listed += page.length;
    if (fault?.kind === 'cut' && this.#listed > fault.afterEntries) {
      response.writeHead(200, { 'content-length': 1000 });
      return void response.write('{"files":[', () => response.destroy());
    }
    const next = from + pageSize < found.length ? { nextPageToken: String(from + pageSize) } : {};
    send(response, { ...next, incompleteSearch: isSearchIncomplete, files: page.map(described) });
  }

  #changes(url: URL, response: ServerResponse): void {
    const { feed, files, oldest } = this.server;
    const from = Number(url.searchParams.get('pageToken'));
    if (from < oldest) return fail(response, 410, 'pageTokenExpired');
    const size = Number(url.searchParams.get('pageSize'));
    const changes = feed.slice(from, from + size).map((fileId) => {
      const file = files.get(fileId);
      return { changeType: 'file', fileId, removed: file === undefined, ...(file ? { file: described(file) } : {}) };
    });
    const next =
      from + size < feed.length ? { nextPageToken: String(from + size) } : { newStartPageToken: String(feed.length) };
    send(response, { ...next, changes });
  }

  #read(id: string, action: string | undefined, url: URL, response: ServerResponse): void {
    const { fault, files } = this.server;
    const file = files.get(id === 'root' ? 'root-id' : id);
    if (file === undefined || (fault?.kind === 'missing-root' && file.id === 'root-id')) {
      return fail(response, 404, 'notFound');
    }
    const isContent = url.searchParams.get('alt') === 'media';
    if (action === undefined && !isContent) return send(response, described(file));
    if (fault?.kind === 'file' && this.#find(fault.path) === file.id) return fail(response, 403, 'cannotDownload');
    if (action === 'export') {
      if (file.name === 'huge') return fail(response, 403, 'exportSizeLimitExceeded');
      response.end(`${file.name} as ${url.searchParams.get('mimeType')}`);
      return;
    }
    this.server.onContent?.();
    const { bytes = Buffer.alloc(0) } = files.get(file.id) ?? file;
    pipeline(Readable.from(chunksOf(bytes)), response, () => undefined);
  }

  #file(id: string, name: string, mimeType: string, parents: string[]): StoredFile {
    this.#counter += 1;
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, this.#counter)).toISOString();
    return { id, name, mimeType, parents, createdTime: time, modifiedTime: time };
  }

  #put(path: string, bytes: Buffer | null, more: Partial<StoredFile> = {}): string {
    const segments = path.split('/');
    const name = segments.pop() ?? '';
    const folder = segments.join('/');
    const parent = folder === '' ? 'root-id' : (this.#find(folder) ?? this.#put(folder, null));
    const existing = more.id === undefined ? this.#find(path) : null;
    const id = more.id ?? existing ?? `id-${this.#counter + 1}`;
    const type = bytes === null ? FOLDER : 'text/plain';
    const created = existing === null ? {} : { createdTime: this.server.files.get(existing)!.createdTime };
    this.server.files.set(id, {
      ...this.#file(id, name, type, [parent]),
      ...created,
      ...(bytes ? { bytes } : {}),
      ...more,
    });
    this.server.feed.push(id);
    return id;
  }

  #find(path: string): string | null {
    let id = 'root-id';
    for (const name of path.split('/')) {
      const child = [...this.server.files.values()].find((file) => file.name === name && file.parents.includes(id));
      if (child === undefined) return null;
      ({ id } = child);
    }
    return id;
  }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function described({ bytes, ...file }: StoredFile): object {
  if (bytes === undefined) return file;
  return { ...file, size: String(bytes.length), md5Checksum: createHash('md5').update(bytes).digest('hex') };
}

const send = (response: ServerResponse, body: object): void => void response.end(JSON.stringify(body));

function fail(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status);
  send(response, { error: { code: status, message: 'refused', errors: [{ reason }] } });
}

export async function startDriveServer(): Promise<DriveServer> {
  const listener = http.createServer((request, response) => drive.answer(request, response));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const drive = new Drive((listener.address() as AddressInfo).port, async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });
  return drive.server;
}
