/** The end of an archive: `ready` when its members have ended and at least one of them is ready, else `failed`. */
import { sql, type Transaction } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { recordEvent } from '../events/outbox.ts';
import { documentTopic } from './types.ts';

/**
 * Locks the archives that contain a document. Call it before the document itself is locked: every transaction locks
 * documents in the order of their keys, and the key of an archive is smaller than those of its members.
 */
export async function lockArchives(
  transaction: Transaction<Database>,
  { parent_id: archiveId }: Pick<DocumentRecord, 'parent_id'>,
): Promise<void> {
  if (archiveId === null) return;
  await sql`
    with recursive archives as (
      select id, parent_id from documents where id = ${archiveId}
      union all
      select documents.id, documents.parent_id from documents join archives on documents.id = archives.parent_id
    )
    select from documents where id in (select id from archives) order by key for update`.execute(transaction);
}

/**
 * Ends the archive if all of its members have ended. Call it in the transaction in which a member ends: it locks the
 * archive's row first, so that if the last two members end concurrently, the second transaction sees the first one's.
 */
export async function settleArchive(
  transaction: Transaction<Database>,
  archiveId: string,
  notifications: Notifications,
): Promise<void> {
  const archive = await transaction
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', archiveId)
    .forUpdate()
    .executeTakeFirst();
  if (archive === undefined || archive.status !== 'indexing' || archive.stage !== 'writing') return;
  const counts = await transaction
    .selectFrom('documents')
    .select((eb) => ['status', eb.fn.countAll<string>().as('members')])
    .where('parent_id', '=', archiveId)
    .where('deleted_at', 'is', null)
    .groupBy('status')
    .execute();
  const members = new Map(counts.map((row) => [row.status, Number(row.members)]));
  if ((members.get('indexing') ?? 0) > 0) return;
  const ready = (members.get('ready') ?? 0) > 0;
  const error = ready
    ? null
    : { type: 'no_readable_member', message: 'No member of the archive could be made searchable' };
  await transaction
    .updateTable('documents')
    .set({
      status: ready ? 'ready' : 'failed',
      stage: null,
      progress: ready ? 1 : 0,
      error_type: error?.type ?? null,
      error_message: error?.message ?? null,
      attempt_token: null,
      deadline_at: null,
      modified_at: sql<Date>`now()`,
      ...(ready ? { ready_at: sql<Date>`now()` } : {}),
    })
    .where('id', '=', archiveId)
    .execute();
  await recordEvent(transaction, archive.workspace_id, ready ? 'document.ready' : 'document.failed', {
    documentId: archive.id,
    collectionId: archive.collection_id,
    name: archive.name,
    revision: archive.revision,
    status: ready ? 'ready' : 'failed',
    error,
    warnings: [],
  });
  await notifications.publish(transaction, documentTopic(archiveId));
  if (archive.parent_id !== null) await settleArchive(transaction, archive.parent_id, notifications);
}
