/** Opens the connection of a connector to its source. */
import type { Connector } from '@quire/connectors/connector';
import type { OutboundClient } from '@quire/outbound/outbound-client';
import { sql, type Kysely } from 'kysely';
import type { ConnectorRecord, Database } from '../../database/tables.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { StoredState } from './connector-state.ts';
import { openConfig, requireKind } from './credentials.ts';
import type { ConnectorKinds } from './types.ts';

/** Maximum number of files in a page of a listing, and of rows that one transaction stores. */
export const MAX_PAGE_ENTRIES = 1000;

export interface OpenDeps {
  database: Kysely<Database>;
  kinds: ConnectorKinds;
  secretBox: SecretBox;
  outbound: OutboundClient;
  /** Limit of the service for a file, in bytes. */
  maxFileBytes: number;
}

export interface OpenOptions {
  changesSince: string | null;
  isDryRun: boolean;
}

export function openConnector(record: ConnectorRecord, options: OpenOptions, deps: OpenDeps): Connector {
  const { database, kinds, secretBox, outbound, maxFileBytes } = deps;
  const config = openConfig(secretBox, record.id, record);
  return requireKind(kinds, record.kind).open(config, {
    maxFileBytes: Math.min(maxFileBytes, Number(record.max_file_bytes ?? maxFileBytes)),
    maxPageEntries: MAX_PAGE_ENTRIES,
    outbound,
    state: new StoredState(database, record.id),
    ...options,
    remember: async (field, value) => {
      await database
        .updateTable('connectors')
        .set({ config: sql<string>`config || jsonb_build_object(${field}::text, ${value}::text)` })
        .where('id', '=', record.id)
        .where(sql<boolean>`config->>${field}::text is null`)
        .execute();
    },
  });
}
