import type { Principal, Schemas, SearchAnswer } from './api.ts';
import { Chats, ChatHandle } from './resources/chats.ts';
import { CollectionHandle, Collections } from './resources/collections.ts';
import { process as runProcess, type ProcessRequest } from './process/process.ts';
import { Runs } from './resources/runs.ts';
import { Transport, type CallOptions, type Fetch, type RawAnswer, type Request } from './transport.ts';

export interface QuireOptions {
  /** Address of the service; `QUIRE_URL` by default. It may have a path, such as `https://example.com/quire`. */
  url?: string;
  /** An API key or a scoped token; `QUIRE_KEY` by default. */
  key?: string;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: Fetch;
  /** Maximum duration of a call without a file, in milliseconds; 60,000 by default, 0 for none. */
  timeoutMs?: number;
  /** Maximum number of retries of a call; 3 by default. */
  retries?: number;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_RETRIES = 3;

/** A client of one Quire service. Making one sends no request; the workspace is that of the key. */
export class Quire {
  readonly collections: Collections;
  readonly chats: Chats;
  readonly runs: Runs;
  readonly #transport: Transport;

  constructor(options: QuireOptions | Transport = {}) {
    this.#transport = options instanceof Transport ? options : new Transport(withDefaults(options));
    this.collections = new Collections(this.#transport);
    this.chats = new Chats(this.#transport);
    this.runs = new Runs(this.#transport);
  }

  collection(id: string): CollectionHandle {
    return new CollectionHandle(this.#transport, id);
  }

  chat(id: string): ChatHandle {
    return new ChatHandle(this.#transport, id);
  }

  /** Returns a client of another workspace. Only the root key reaches more than one. */
  workspace(id: string): Quire {
    return new Quire(new Transport({ ...this.#transport.options, workspaceId: id }));
  }

  /** Returns the key's own permission, workspace and collections. */
  whoami(options: CallOptions = {}): Promise<Principal> {
    return this.#transport.data({ path: '/v1/whoami', ...options });
  }

  /** Returns the id of the workspace that this client works in. */
  workspaceId(options: CallOptions = {}): Promise<string> {
    return this.#transport.workspaceId(options);
  }

  /** Searches the given collections, by default all that the key may read. A plain string is the query. */
  search(request: string | Schemas['SearchCollectionsRequest'], options: CallOptions = {}): Promise<SearchAnswer> {
    const json = typeof request === 'string' ? { query: request } : request;
    return this.#transport.data({ method: 'POST', path: '/v1/w/{ws}/search', json, repeatable: true, ...options });
  }

  /** Processes files and resolves with the finished run; throws a `FailedError` if nothing was produced. */
  process(request: ProcessRequest, options: CallOptions = {}): ReturnType<typeof runProcess> {
    return runProcess(this.runs, request, options);
  }

  /** Sends any request and returns status, headers and parsed body, without retries unless `repeatable`. */
  raw<T = unknown>(request: Request): Promise<RawAnswer<T>> {
    return this.#transport.raw<T>(request);
  }
}

function withDefaults(options: QuireOptions): Transport['options'] {
  const { env = {} } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {};
  const url = options.url ?? env['QUIRE_URL'];
  if (url === undefined || url === '') throw new TypeError('url is missing: pass { url } or set QUIRE_URL');
  return {
    url: url.replace(/\/+$/, '').replace(/\/v1$/, ''),
    key: options.key ?? env['QUIRE_KEY'] ?? '',
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retries: options.retries ?? DEFAULT_RETRIES,
    headers: options.headers ?? {},
  };
}
