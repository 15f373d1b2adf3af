import { describeKind } from '../../connector-descriptor.ts';
import { objectStorageConfig } from './config.ts';
import { ObjectStorageConnector } from './connector.ts';

export const objectStorage = describeKind({
  kind: 'object_storage',
  config: objectStorageConfig,
  secretFields: ['secretAccessKey', 'sessionToken'],
  originFields: ['endpoint'],
  fetchConcurrency: 8,
  open: (config, context) => new ObjectStorageConnector(config, context),
});
