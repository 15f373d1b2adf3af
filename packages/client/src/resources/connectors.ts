import type { Known, QueryOf } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { SoftCrud } from './crud.ts';

export type Connector = Known<'Connector'>;
export type ConnectorItem = Known<'ConnectorItem'>;
export type ConnectorSync = Known<'ConnectorSync'>;
export type ConnectorTest = Known<'ConnectorTest'>;

/** Connectors import documents from a source into a collection and keep them in step with it. */
export class Connectors extends SoftCrud<
  Connector,
  Known<'CreateConnectorRequest'>,
  Known<'UpdateConnectorRequest'>,
  QueryOf<'listConnectors'>,
  QueryOf<'deleteConnector'>
> {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/connectors');
  }

  /** Connects to the source and returns its first paths. */
  test(id: string, options: CallOptions = {}): Promise<ConnectorTest> {
    return this.call('POST', path`/${id}/test`, options);
  }

  /** Starts a synchronisation; with `dryRun` it only reports the changes. */
  sync(id: string, options: QueryOf<'startSync'> & CallOptions = {}): Promise<ConnectorSync> {
    return this.call('POST', path`/${id}/sync`, options);
  }

  syncs(id: string, options: QueryOf<'listSyncs'> & CallOptions = {}): Listing<ConnectorSync> {
    return this.records(path`/${id}/syncs`, options);
  }

  /** Returns a synchronisation; `wait` (seconds) waits for its end. */
  getSync(id: string, syncId: string, options: QueryOf<'getSync'> & CallOptions = {}): Promise<ConnectorSync> {
    return this.call('GET', path`/${id}/syncs/${syncId}`, options);
  }

  cancelSync(id: string, syncId: string, options: CallOptions = {}): Promise<ConnectorSync> {
    return this.call('POST', path`/${id}/syncs/${syncId}/cancel`, options);
  }

  /** Carries out the deletions that a synchronisation held back. */
  approveSync(id: string, syncId: string, options: CallOptions = {}): Promise<ConnectorSync> {
    return this.call('POST', path`/${id}/syncs/${syncId}/approve`, options);
  }

  /** Lists what is known of each item of the source. */
  items(id: string, options: QueryOf<'listConnectorItems'> & CallOptions = {}): Listing<ConnectorItem> {
    return this.records(path`/${id}/items`, options);
  }
}
