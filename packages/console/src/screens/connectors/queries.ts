import type { Connector, ConnectorItem, ConnectorSync } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';
import { listOptions } from '../../data/list.ts';
import type { WorkspaceContext } from '../../data/workspace.ts';

export const connectorsList = ({ id, quire }: WorkspaceContext) =>
  listOptions<Connector>([id, 'connectors'], (signal) => quire.connectors.list({ limit: 100, signal }));

export const connectorQuery = ({ id, quire }: WorkspaceContext, connectorId: string) =>
  queryOptions({
    queryKey: [id, 'connector', connectorId],
    queryFn: ({ signal }) => quire.connectors.get(connectorId, { signal }),
  });

/** Names begin with `connector`, so that live events of a synchronisation refresh them. */
export const syncsList = ({ id, quire }: WorkspaceContext, connectorId: string) =>
  listOptions<ConnectorSync>([id, 'connector', connectorId, 'syncs'], (signal) =>
    quire.connectors.syncs(connectorId, { limit: 20, signal }),
  );

export const failedItemsList = ({ id, quire }: WorkspaceContext, connectorId: string) =>
  listOptions<ConnectorItem>([id, 'connector', connectorId, 'failed'], (signal) =>
    quire.connectors.items(connectorId, { status: 'failed', limit: 100, signal }),
  );
