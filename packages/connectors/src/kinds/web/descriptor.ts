import { describeKind } from '../../connector-descriptor.ts';
import { webConfig } from './config.ts';
import { WebConnector } from './connector.ts';

export const web = describeKind({
  kind: 'web',
  config: webConfig,
  secretFields: ['headers'],
  originFields: ['startUrls', 'sitemaps'],
  fetchConcurrency: 2,
  open: (config, context) => new WebConnector(config, context),
});
