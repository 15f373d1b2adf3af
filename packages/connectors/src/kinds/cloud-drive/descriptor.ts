import { describeKind } from '../../connector-descriptor.ts';
import { cloudDriveConfig } from './config.ts';
import { WebdavConnector } from './webdav/connector.ts';

export const cloudDrive = describeKind({
  kind: 'cloud_drive',
  config: cloudDriveConfig,
  secretFields: ['password'],
  originFields: ['service', 'url'],
  open: (config, context) => new WebdavConnector(config, context),
});
