import type { Key, Known, NewKey, Query, QueryOf, Schemas, Workspace } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { Resource } from './resource.ts';

/** All workspaces, for the root key; a key of a workspace may read and change its own. */
export class Workspaces extends Resource {
  constructor(transport: Transport) {
    super(transport, '/v1');
  }

  create(body: Schemas['CreateWorkspaceRequest'], options: CallOptions = {}): Promise<Workspace> {
    return this.call('POST', '/workspaces', options, { json: body });
  }

  list(options: Query<'listWorkspaces'> & CallOptions = {}): Listing<Workspace> {
    return this.records('/workspaces', options);
  }

  get(id: string, options: CallOptions = {}): Promise<Workspace> {
    return this.call('GET', path`/w/${id}`, options);
  }

  update(id: string, changes: Schemas['UpdateWorkspaceRequest'], options: CallOptions = {}): Promise<Workspace> {
    return this.call('PATCH', path`/w/${id}`, options, { json: changes });
  }

  delete(id: string, options: CallOptions = {}): Promise<Workspace> {
    return this.call('DELETE', path`/w/${id}`, options);
  }
}

/** The API keys of the workspace. */
export class Keys extends Resource {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/keys');
  }

  /** Creates a key. Its secret is only in this answer. */
  create(body: Schemas['CreateKeyRequest'], options: CallOptions = {}): Promise<NewKey> {
    return this.call('POST', '', options, { json: body });
  }

  list(options: Query<'listKeys'> & CallOptions = {}): Listing<Key> {
    return this.records('', options);
  }

  revoke(id: string, options: CallOptions = {}): Promise<Key> {
    return this.call('DELETE', path`/${id}`, options);
  }
}

export type AuditEntry = Known<'AuditEntry'>;

/** The audit log: who did what to which resource. */
export class Audit extends Resource {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/audit');
  }

  list(options: QueryOf<'listAuditEntries'> & CallOptions = {}): Listing<AuditEntry> {
    return this.records('', options);
  }
}
