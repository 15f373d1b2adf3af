import type { Key, NewKey, Query, Schemas, Workspace } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';

/** All workspaces, for the root key; a key of a workspace may read and rename its own. */
export class Workspaces {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: Schemas['CreateWorkspaceRequest'], options: CallOptions = {}): Promise<Workspace> {
    return this.#transport.data({ method: 'POST', path: '/v1/workspaces', json: body, ...options });
  }

  list(options: Query<'listWorkspaces'> & CallOptions = {}): Listing<Workspace> {
    return this.#transport.list('/v1/workspaces', options);
  }

  get(id: string, options: CallOptions = {}): Promise<Workspace> {
    return this.#transport.data({ path: path`/v1/w/${id}`, ...options });
  }

  update(id: string, changes: Schemas['UpdateWorkspaceRequest'], options: CallOptions = {}): Promise<Workspace> {
    return this.#transport.data({ method: 'PATCH', path: path`/v1/w/${id}`, json: changes, ...options });
  }

  delete(id: string, options: CallOptions = {}): Promise<Workspace> {
    return this.#transport.data({ method: 'DELETE', path: path`/v1/w/${id}`, ...options });
  }
}

const KEYS = '/v1/w/{ws}/keys';

/** The API keys of the workspace. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a key. Its secret is only in this answer. */
  create(body: Schemas['CreateKeyRequest'], options: CallOptions = {}): Promise<NewKey> {
    return this.#transport.data({ method: 'POST', path: KEYS, json: body, ...options });
  }

  list(options: Query<'listKeys'> & CallOptions = {}): Listing<Key> {
    return this.#transport.list(KEYS, options);
  }

  revoke(id: string, options: CallOptions = {}): Promise<Key> {
    return this.#transport.data({ method: 'DELETE', path: KEYS + path`/${id}`, ...options });
  }
}
