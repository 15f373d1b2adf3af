import { describeKind } from '../../connector-descriptor.ts';
import { ftpConfig } from './config.ts';
import { FtpConnector } from './ftp-connector.ts';
import { SftpConnector } from './sftp-connector.ts';

export const ftp = describeKind({
  kind: 'ftp',
  config: ftpConfig,
  secretFields: ['password', 'privateKey', 'passphrase'],
  originFields: ['protocol', 'host', 'port'],
  fetchConcurrency: 2,
  open: (config, context) =>
    config.protocol === 'sftp' ? new SftpConnector(config, context) : new FtpConnector(config, context),
});
