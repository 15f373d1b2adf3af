/**
 * Sends requests: adds the key, fills in the workspace, retries what is safe to repeat, and turns every failure into a
 * typed error. The resources above it only name paths, parameters and bodies.
 */
import { onAbort } from './abort.ts';
import type { Principal } from './api.ts';
import { ConnectionError, errorOf, QuireError, TimeoutError } from './errors.ts';
import { Listing, type Page } from './listing.ts';
import { retryDelayMs, sleep, unlessAborted } from './retry.ts';

/** Every call takes these. */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Maximum duration of the call with all its retries, in milliseconds. */
  timeoutMs?: number | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  url: string;
  key: string;
  workspaceId?: string | undefined;
  fetch: Fetch;
  timeoutMs: number;
  retries: number;
  headers: Record<string, string>;
}

type Parameters = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export interface Request extends CallOptions {
  method?: string;
  /** Path from the base URL on; `{ws}` is replaced by the workspace id. */
  path: string;
  query?: Parameters | undefined;
  json?: unknown;
  /** Returns the body; called once an attempt. */
  body?: (() => BodyInit) | undefined;
  headers?: Record<string, string>;
  /** Whether repeating the request has no further effect. By default true for all methods but POST. */
  repeatable?: boolean;
  /** Whether the body cannot be sent twice. */
  once?: boolean;
  /** Sends one attempt, in place of `fetch`. */
  send?: Fetch;
}

/** Outcome of a call with its status and headers. */
export interface RawAnswer<T> {
  status: number;
  headers: Headers;
  /** The parsed JSON with its envelope, or the text of another type. */
  body: T;
}

const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504]);

export class Transport {
  readonly options: TransportOptions;
  #workspace: Promise<string> | undefined;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /** Returns the workspace of the key. */
  async workspaceId(options: CallOptions = {}): Promise<string> {
    if (this.options.workspaceId !== undefined) return this.options.workspaceId;
    const found = (this.#workspace ??= this.#findWorkspace());
    // A failed lookup is repeated by the next call.
    found.catch(() => (this.#workspace = undefined));
    return unlessAborted(found, options.signal);
  }

  /** Returns `data` of the answer. */
  async data<T>(request: Request): Promise<T> {
    return (await this.raw<{ data: T }>(request)).body.data;
  }

  async blob(request: Request): Promise<Blob> {
    return this.#bounded(request, async (signal) => (await this.#retried(request, signal)).blob());
  }

  async raw<T>(request: Request): Promise<RawAnswer<T>> {
    return this.#bounded(request, async (signal) => {
      const response = await this.#retried(request, signal);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
    });
  }

  /** Returns the answer as soon as its headers are there; `timeoutMs` bounds the time until then. */
  async response(request: Request): Promise<Response> {
    return this.#bounded(request, (signal) => this.#retried(request, signal), true);
  }

  list<T>(path: string, options: CallOptions & { cursor?: string | null } = {}): Listing<T> {
    const { signal, timeoutMs, ...query } = options;
    const start = query.cursor ?? null;
    return new Listing<T>(
      (cursor) => this.data<Page<T>>({ path, query: { ...query, cursor }, signal, timeoutMs }),
      start,
    );
  }

  async #findWorkspace(): Promise<string> {
    const { workspaceId } = await this.data<Principal>({ path: '/v1/whoami' });
    if (workspaceId !== null) return workspaceId;
    const { items, total } = await this.data<Page<{ id: string }>>({ path: '/v1/workspaces' });
    if (total === 1 && items[0] !== undefined) return items[0].id;
    throw new QuireError(`the root key reaches ${total} workspaces: choose one with quire.workspace(id)`, {
      type: 'workspace_required',
    });
  }

  /**
   * Runs the call with a signal that covers the caller's signal and the timeout. `AbortSignal.any` is not used: before
   * Node 22.12 its signals may be collected while they are listened to.
   */
  async #bounded<T>(request: Request, call: (signal: AbortSignal) => Promise<T>, isStream = false): Promise<T> {
    const { signal, timeoutMs = this.options.timeoutMs } = request;
    const controller = new AbortController();
    const ignore = onAbort(signal, (reason) => controller.abort(reason));
    const late = new TimeoutError(`${describe(request)}: no answer within ${timeoutMs} ms`, { type: 'timeout' });
    const isTimed = timeoutMs > 0 && timeoutMs < 2 ** 31;
    const timer = isTimed ? setTimeout(() => controller.abort(late), timeoutMs) : undefined;
    let isKept = false;
    try {
      const result = await call(controller.signal);
      // The body of a stream is read after this call, and is still aborted by the caller's signal.
      isKept = isStream;
      return result;
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      if (!isKept) ignore();
    }
  }

  async #retried(request: Request, signal: AbortSignal): Promise<Response> {
    const url = await this.#url(request, signal);
    const { method = 'GET', repeatable = method !== 'POST', once = false } = request;
    for (let attempt = 1; ; attempt += 1) {
      let failure: QuireError;
      try {
        signal.throwIfAborted();
        const response = await this.#attempt(url, request, signal);
        if (response.ok) return response;
        failure = await errorOf(response, describe(request));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const message = `cannot reach ${this.options.url}: ${reasonOf(error)}`;
        failure = new ConnectionError(message, { type: 'connection', cause: error });
      }
      const isSafe = failure.status === 429 || (repeatable && isTransient(failure));
      if (!isSafe || once || attempt > this.options.retries) throw failure;
      await sleep(retryDelayMs(attempt, failure.retryAfter), signal);
    }
  }

  async #attempt(url: string, request: Request, signal: AbortSignal): Promise<Response> {
    const { method = 'GET', json, body } = request;
    const headers: Record<string, string> = { ...this.options.headers, ...request.headers };
    if (this.options.key !== '') headers['authorization'] ??= `Bearer ${this.options.key}`;
    const init: RequestInit & { duplex?: 'half' } = { method, headers, signal };
    if (json !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(json);
    } else if (body !== undefined) {
      init.body = body();
      if (init.body instanceof ReadableStream) init.duplex = 'half';
    }
    return (request.send ?? this.options.fetch)(url, init);
  }

  async #url({ path, query = {} }: Request, signal: AbortSignal): Promise<string> {
    const filled = path.includes('{ws}') ? path.replace('{ws}', await this.workspaceId({ signal })) : path;
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      for (const each of typeof value === 'object' && value !== null ? value : [value])
        if (each !== undefined && each !== null) params.append(name, String(each));
    const search = params.toString();
    return `${this.options.url}${filled}${search === '' ? '' : `?${search}`}`;
  }
}

const isTransient = ({ status }: QuireError): boolean => status === undefined || TRANSIENT.has(status);

const describe = ({ method = 'GET', path }: Request): string => `${method} ${path}`;

/** Returns the innermost reason: `fetch` only says "fetch failed" and keeps the reason in `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown };
  return cause === undefined || cause === null ? (message ?? String(error)) : reasonOf(cause);
}

/**
 * Encodes a part of a path. `.` and `..` would lead to another resource even if encoded once, so they become names that
 * do not exist.
 */
export const encodePart = (value: string | number): string => encodeURIComponent(value).replace(/^\.\.?$/, '%252E$&');

/** Builds a path; each value is encoded. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map(encodePart));
}
