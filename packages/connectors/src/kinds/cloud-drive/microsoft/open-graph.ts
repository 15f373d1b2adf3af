/** Opens a connector to a server of Microsoft Graph of the tests. Only imported by tests. */
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { CONTEXT } from '../../../conformance/read-source.ts';
import type { Connector, ConnectorContext } from '../../../connector.ts';
import { cloudDriveConfig, type MicrosoftGraphConfig } from '../config.ts';
import { MicrosoftGraphConnector, type GraphEndpoints } from './connector.ts';

export const GRAPH_APP = {
  service: 'microsoft_graph',
  tenantId: 'contoso',
  clientId: 'app',
  clientSecret: 'secret',
  driveId: 'drive-1',
};

/** Downloads come from another name of this machine. */
export const graphOutbound = new OutboundClient(new AddressRules(['127.0.0.0/8', '::1']), {
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});

export function openGraph(
  server: GraphEndpoints,
  more: object = {},
  context: Partial<ConnectorContext> = {},
): Connector {
  const config = cloudDriveConfig.parse({ ...GRAPH_APP, ...more }) as MicrosoftGraphConfig;
  return new MicrosoftGraphConnector(config, { ...CONTEXT, outbound: graphOutbound, ...context }, server);
}
