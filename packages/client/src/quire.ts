import type { Embedder, Model, Parser, Principal, Schemas, SearchAnswer } from './api.ts';
import {
  process as runProcess,
  type ProcessedRun,
  type ProcessOptions,
  type ProcessRequest,
} from './process/process.ts';
import type { Extracted, ExtractionSchema, JsonSchema } from './process/schema.ts';
import { Chats, ChatHandle } from './resources/chats.ts';
import { CollectionHandle, Collections } from './resources/collections.ts';
import { Configurations, type Embedders, type Models, type Parsers } from './resources/configurations.ts';
import { DocumentHandle, type DocumentReference } from './resources/document-handle.ts';
import { Runs } from './resources/runs.ts';
import { Connectors } from './resources/connectors.ts';
import { Deliveries, Webhooks } from './resources/webhooks.ts';
import { Audit, Keys, Workspaces } from './resources/workspaces.ts';
import { followEvents, type FollowOptions, type LiveEvent } from './sse.ts';
import { Transport, type CallOptions, type Fetch, type RawAnswer, type Request } from './transport.ts';

export interface QuireOptions {
  /** Address of the service; `QUIRE_URL` by default. It may have a path, such as `https://example.com/quire`. */
  url?: string;
  /** An API key or a scoped token; `QUIRE_KEY` by default. */
  key?: string;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: Fetch;
  /** Maximum duration of a call without a file, in milliseconds; 90,000 by default, 0 for none. */
  timeoutMs?: number;
  /** Maximum number of retries of a call; 4 by default. */
  retries?: number;
  /** Headers of every request. */
  headers?: Record<string, string>;
}

/** Longer than the 60 s that the service may wait for a result. */
const DEFAULT_TIMEOUT_MS = 90_000;
const DEFAULT_RETRIES = 4;

/** A client of one Quire service. Making one sends no request; the workspace is that of the key. */
export class Quire {
  readonly #transport: Transport;
  readonly collections: Collections;
  readonly chats: Chats;
  readonly runs: Runs;
  readonly models: Models;
  readonly embedders: Embedders;
  readonly parsers: Parsers;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly keys: Keys;
  readonly workspaces: Workspaces;
  readonly connectors: Connectors;
  readonly audit: Audit;

  constructor(options: QuireOptions | Transport = {}) {
    const transport = options instanceof Transport ? options : new Transport(withDefaults(options));
    this.#transport = transport;
    this.collections = new Collections(transport);
    this.chats = new Chats(transport);
    this.runs = new Runs(transport);
    this.models = new Configurations<Model, Schemas['CreateModelRequest'], Schemas['UpdateModelRequest']>(
      transport,
      'models',
    );
    this.embedders = new Configurations<Embedder, Schemas['CreateEmbedderRequest'], Schemas['UpdateEmbedderRequest']>(
      transport,
      'embedders',
    );
    this.parsers = new Configurations<Parser, Schemas['CreateParserRequest'], Schemas['UpdateParserRequest']>(
      transport,
      'parsers',
    );
    this.webhooks = new Webhooks(transport);
    this.deliveries = new Deliveries(transport);
    this.keys = new Keys(transport);
    this.workspaces = new Workspaces(transport);
    this.connectors = new Connectors(transport);
    this.audit = new Audit(transport);
  }

  collection(id: string): CollectionHandle {
    return new CollectionHandle(this.#transport, id);
  }

  chat(id: string): ChatHandle {
    return new ChatHandle(this.#transport, id);
  }

  /** Returns the document of an id, a search hit, a citation or a record. */
  document(reference: DocumentReference): DocumentHandle {
    return new DocumentHandle(this.#transport, reference);
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

  /**
   * Processes files without a collection and resolves with the finished run; throws a `FailedError` if nothing was
   * produced. Extracted data has the type of its schema.
   */
  process<const S extends ExtractionSchema = JsonSchema>(
    request: ProcessRequest<S>,
    options: ProcessOptions = {},
  ): Promise<ProcessedRun<Extracted<S>>> {
    return runProcess(this.runs, request, options);
  }

  /**
   * Yields the changes of documents, runs, collections, connectors and synchronisations as they happen, until the
   * signal is aborted. It continues after a lost connection, nothing twice and nothing missing.
   */
  events(options: FollowOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    return followEvents(this.#transport, options);
  }

  /** Returns whether the service runs. Needs no key. */
  health(options: CallOptions = {}): Promise<Schemas['Health']> {
    return this.#transport.data({ path: '/healthz', ...options });
  }

  /** Returns the state of each dependency of the service; throws a `ServerError` if one is not ready. */
  readiness(options: CallOptions = {}): Promise<Schemas['Readiness']> {
    return this.#transport.data({ path: '/readyz', repeatable: false, ...options });
  }

  /** Returns the metrics in Prometheus' format, for the root key. */
  async metrics(options: CallOptions = {}): Promise<string> {
    return (await this.#transport.raw<string>({ path: '/metrics', ...options })).body;
  }

  /** Sends any request and returns status, headers and body. `{ws}` in the path is replaced by the workspace id. */
  raw<T = unknown>(request: Request): Promise<RawAnswer<T>> {
    return this.#transport.raw<T>(request);
  }
}

function withDefaults(options: QuireOptions): Transport['options'] {
  const { env = {} } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {};
  const url = options.url ?? env['QUIRE_URL'] ?? '';
  if (!/^https?:\/\//i.test(url)) throw new TypeError(`url or QUIRE_URL is no address: ${url}`);
  return {
    url: url.replace(/\/+$/, '').replace(/\/v1$/, ''),
    key: options.key ?? env['QUIRE_KEY'] ?? '',
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retries: options.retries ?? DEFAULT_RETRIES,
    headers: options.headers ?? {},
    workspaceId: undefined,
  };
}
