/** Ends a synchronisation: writes its state, that of its connector, the event and the notification together. */
import { sql, type Transaction } from 'kysely';
import type { Notifications } from '../../../database/notifications.ts';
import type { ConnectorRecord, Database, SyncRecord } from '../../../database/tables.ts';
import { recordEvent } from '../../events/outbox.ts';
import { nextDue } from '../schedule.ts';
import { storableText } from './storable-text.ts';
import { presentSync } from './sync-view.ts';
import { syncTopic, type SyncEnd } from '../types.ts';

/** Time for which a deleted file stays known, so that its document can be restored if it comes back, in days. */
const DELETED_DAYS = 30;

export interface EndingDeps {
  notifications: Pick<Notifications, 'publish'>;
  now: () => number;
  random: () => number;
}

/** Ends the synchronisation within a transaction that holds its record. */
export async function endSync(
  transaction: Transaction<Database>,
  sync: SyncRecord,
  connector: ConnectorRecord,
  end: SyncEnd,
  deps: EndingDeps,
): Promise<SyncRecord> {
  const now = new Date(deps.now());
  const ended = await transaction
    .updateTable('connector_syncs')
    .set({
      status: end.status,
      phase: null,
      position: null,
      attempt_token: null,
      error_type: end.error?.type ?? null,
      error_message: end.error === null ? null : storableText(end.error.message),
      next_try_at: null,
      finished_at: now,
      progress_at: now,
    })
    .where('id', '=', sync.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!sync.dry_run) await updateConnector(transaction, ended, connector, end, deps);
  await recordEvent(transaction, sync.workspace_id, 'connector.synced', { ...presentSync(ended) });
  await deps.notifications.publish(transaction, syncTopic(sync.id));
  return ended;
}

async function updateConnector(
  transaction: Transaction<Database>,
  sync: SyncRecord,
  connector: ConnectorRecord,
  end: SyncEnd,
  deps: EndingDeps,
): Promise<void> {
  if (end.status === 'cancelled') return;
  const now = new Date(deps.now());
  const failures = end.status === 'failed' ? connector.failures + 1 : 0;
  const due = nextDue(
    {
      schedule: connector.schedule,
      paused: connector.paused,
      failures,
      needsAttention: end.condition === 'needs_attention',
    },
    now,
    deps.random(),
  );
  const isWhole = end.status === 'done' || (end.status === 'done_with_errors' && sync.failed_folders === 0);
  await transaction
    .updateTable('connectors')
    .set({
      condition: end.condition,
      failures,
      next_sync_at: due,
      ...(isWhole && sync.change_token !== null ? { change_token: sync.change_token } : {}),
      ...(isWhole && sync.changes_since === null ? { listed_at: now } : {}),
    })
    .where('id', '=', connector.id)
    .execute();
  if (!isWhole) return;
  await sql`
    delete from connector_items where connector_id = ${connector.id} and status = 'deleted'
      and last_seen_at < now() - make_interval(days => ${DELETED_DAYS})`.execute(transaction);
}
