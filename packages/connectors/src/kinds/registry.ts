/** All kinds of connectors. The record does not compile when a kind of the API is missing. */
import type { ConnectorDescriptor, ConnectorKind } from '../connector-descriptor.ts';
import { cloudDrive } from './cloud-drive/descriptor.ts';
import { ftp } from './ftp/descriptor.ts';
import { objectStorage } from './object-storage/descriptor.ts';
import { web } from './web/descriptor.ts';

/** Null for a kind that is not implemented yet. */
export const KINDS: Readonly<Record<ConnectorKind, ConnectorDescriptor | null>> = {
  object_storage: objectStorage,
  web,
  cloud_drive: cloudDrive,
  ftp,
};
