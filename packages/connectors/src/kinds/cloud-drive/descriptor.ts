import { describeKind } from '../../connector-descriptor.ts';
import type { Connector, ConnectorContext } from '../../connector.ts';
import { cloudDriveConfig, type CloudDriveConfig } from './config.ts';
import { GoogleDriveConnector } from './google/connector.ts';
import { MicrosoftGraphConnector } from './microsoft/connector.ts';
import { WebdavConnector } from './webdav/connector.ts';

export const cloudDrive = describeKind({
  kind: 'cloud_drive',
  config: cloudDriveConfig,
  secretFields: ['password', 'serviceAccount', 'refreshToken', 'clientSecret'],
  originFields: ['service', 'url', 'tenantId'],
  open,
});

function open(config: CloudDriveConfig, context: ConnectorContext): Connector {
  switch (config.service) {
    case 'webdav':
      return new WebdavConnector(config, context);
    case 'google_drive':
      return new GoogleDriveConnector(config, context);
    case 'microsoft_graph':
      return new MicrosoftGraphConnector(config, context);
  }
}
