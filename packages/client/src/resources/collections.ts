import type { Collection, Query, Schemas, SearchAnswer } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { Documents } from './documents.ts';

const BASE = '/v1/w/{ws}/col';

/** The collections of the workspace. */
export class Collections {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: Schemas['CreateCollectionRequest'], options: CallOptions = {}): Promise<Collection> {
    return this.#transport.data({ method: 'POST', path: BASE, json: body, ...options });
  }

  list(options: Query<'listCollections'> & CallOptions = {}): Listing<Collection> {
    return this.#transport.list(BASE, options);
  }

  get(id: string, options: CallOptions = {}): Promise<Collection> {
    return this.#transport.data({ path: BASE + path`/${id}`, ...options });
  }

  update(id: string, changes: Schemas['UpdateCollectionRequest'], options: CallOptions = {}): Promise<Collection> {
    return this.#transport.data({ method: 'PATCH', path: BASE + path`/${id}`, json: changes, ...options });
  }

  /** Hides the collection and its documents at once; `purge` erases them permanently. */
  delete(id: string, options: Query<'deleteCollection'> & CallOptions = {}): Promise<Collection> {
    const { purge, ...rest } = options;
    return this.#transport.data({ method: 'DELETE', path: BASE + path`/${id}`, query: { purge }, ...rest });
  }

  undelete(id: string, options: CallOptions = {}): Promise<Collection> {
    return this.#transport.data({ method: 'PUT', path: BASE + path`/${id}/undelete`, ...options });
  }

  /** Builds a new index in the background; the old one serves until the new one is complete. */
  reindex(id: string, options: CallOptions = {}): Promise<Collection> {
    return this.#transport.data({ method: 'POST', path: BASE + path`/${id}/reindex`, ...options });
  }

  cancelReindex(id: string, options: CallOptions = {}): Promise<Collection> {
    return this.#transport.data({ method: 'DELETE', path: BASE + path`/${id}/reindex`, ...options });
  }
}

/** One collection: its documents and searches in it. Making one sends no request. */
export class CollectionHandle {
  readonly id: string;
  readonly documents: Documents;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
    this.documents = new Documents(transport, id);
  }

  get(options: CallOptions = {}): Promise<Collection> {
    return new Collections(this.#transport).get(this.id, options);
  }

  /** Searches this collection. A plain string is the query. */
  search(request: string | Schemas['SearchCollectionRequest'], options: CallOptions = {}): Promise<SearchAnswer> {
    const json = typeof request === 'string' ? { query: request } : request;
    const target = path`/v1/w/{ws}/col/${this.id}/search`;
    return this.#transport.data({ method: 'POST', path: target, json, repeatable: true, ...options });
  }
}
