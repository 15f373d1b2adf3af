import type { Collection, Query, Schemas, SearchAnswer } from '../api.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { SoftCrud } from './crud.ts';
import { Documents } from './documents.ts';

/** The collections of the workspace. */
export class Collections extends SoftCrud<
  Collection,
  Schemas['CreateCollectionRequest'],
  Schemas['UpdateCollectionRequest'],
  Query<'listCollections'>,
  Query<'deleteCollection'>
> {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/col');
  }

  /** Builds a new index in the background; the old one serves until the new one is complete. */
  reindex(id: string, options: CallOptions = {}): Promise<Collection> {
    return this.call('POST', path`/${id}/reindex`, options);
  }

  cancelReindex(id: string, options: CallOptions = {}): Promise<Collection> {
    return this.call('DELETE', path`/${id}/reindex`, options);
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
