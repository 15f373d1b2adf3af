/** Looks up the present states of connectors and of their synchronisations. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { presentSync } from '../connectors/sync/sync-view.ts';
import { statusOf } from '../connectors/types.ts';
import type { ConnectorState, SyncState } from './types.ts';

export async function connectorStates(
  database: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, ConnectorState>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('connectors')
    .select((eb) => [
      'id',
      'condition',
      'paused',
      'deleted_at',
      eb
        .exists(
          eb
            .selectFrom('connector_syncs')
            .select('id')
            .whereRef('connector_id', '=', 'connectors.id')
            .where('status', '=', 'running'),
        )
        .as('running'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute();
  return new Map(
    rows.map((row) => [row.id, { status: statusOf(row, Boolean(row.running)), deleted: row.deleted_at !== null }]),
  );
}

export async function syncStates(
  database: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, SyncState>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('connector_syncs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute();
  return new Map(
    rows.map((row) => {
      const { connectorId, trigger, dryRun, status, phase, counts, progress, error } = presentSync(row);
      return [
        row.id,
        { connectorId, trigger, dryRun, status, phase, counts, progress, errorType: error?.type ?? null },
      ];
    }),
  );
}
