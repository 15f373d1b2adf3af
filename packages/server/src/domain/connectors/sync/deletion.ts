/** The brake and the deletions of a synchronisation. */
import { sql, type Transaction } from 'kysely';
import type { Database, SyncChange } from '../../../database/tables.ts';
import { DocumentRepository } from '../../documents/repository.ts';
import { documentTopic } from '../../documents/types.ts';
import type { Notifications } from '../../../database/notifications.ts';
import type { SyncAttempt } from './sync-attempt.ts';

const DELETIONS_PER_STEP = 500;
/** Below this number of known files, a share says little, and the brake considers an empty source only. */
const MIN_KNOWN_FOR_SHARE = 10;
/** Tolerance of the comparison: .29 × 100 is less than 29 in binary fractions. */
const ROUNDING = 1e-9;
const MAX_EXAMPLES = 20;

export interface Brake {
  deletions: number;
  /** Reason why the deletions wait for an approval; null if they may be carried out. */
  reason: string | null;
  examples: SyncChange[];
}

/**
 * Counts the deletions after all moves were found, and decides whether they are held back. With `deletions: keep`, and
 * in a listing that could not end, nothing is deleted.
 */
export async function checkBrake(transaction: Transaction<Database>, attempt: SyncAttempt): Promise<Brake> {
  const { sync, connector } = attempt;
  if (connector.deletions === 'keep') {
    await sql`update connector_items set todo = null where connector_id = ${connector.id} and todo = 'delete'
      and todo_sync = ${sync.id} and is_missing`.execute(transaction);
  }
  const pending = transaction
    .selectFrom('connector_items')
    .where('connector_id', '=', connector.id)
    .where('todo', '=', 'delete')
    .where('todo_sync', '=', sync.id);
  const { deletions } = await pending
    .select((eb) => eb.fn.countAll<string>().as('deletions'))
    .executeTakeFirstOrThrow();
  const count = Number(deletions);
  const reason = sync.approved ? null : brakeReason(count, sync, connector.max_deletion_share);
  const examples = reason === null ? [] : await pending.select('path').orderBy('path').limit(MAX_EXAMPLES).execute();
  return { deletions: count, reason, examples: examples.map(({ path }) => ({ path, change: 'delete', reason: null })) };
}

function brakeReason(
  deletions: number,
  { known, listed, changes_since: changesSince }: SyncAttempt['sync'],
  maxShare: number,
): string | null {
  if (deletions === 0) return null;
  if (listed === 0 && changesSince === null) {
    return `The source is empty, but ${deletions} of its files are known`;
  }
  if (known < MIN_KNOWN_FOR_SHARE || deletions <= known * maxShare + ROUNDING) return null;
  return `${deletions} of ${known} known files would be deleted, more than a share of ${maxShare}`;
}

/** Deletes the documents of the next files; returns whether there may be more. */
export async function deleteNext(
  attempt: SyncAttempt,
  notifications: Pick<Notifications, 'publish'>,
): Promise<boolean> {
  const { connector, id } = attempt;
  return attempt.write(async (transaction) => {
    const due = await transaction
      .selectFrom('connector_items')
      .select(['path', 'document_id'])
      .where('connector_id', '=', connector.id)
      .where('todo', '=', 'delete')
      .where('todo_sync', '=', id)
      .orderBy('path')
      .limit(DELETIONS_PER_STEP)
      .execute();
    const ids = due.flatMap(({ document_id: documentId }) => (documentId === null ? [] : [documentId]));
    const hidden = await new DocumentRepository(transaction).markDeleted(
      connector.workspace_id,
      connector.collection_id,
      (eb) => eb('documents.id', '=', (any) => any.fn.any(any.val(ids))),
    );
    for (const document of hidden) await notifications.publish(transaction, documentTopic(document.id));
    await sql`
      update connector_items set todo = null, todo_sync = null,
        status = case when is_missing then 'deleted' else 'skipped' end, version = null
      where connector_id = ${connector.id} and path = any(${due.map(({ path }) => path)}::text[])`.execute(transaction);
    await attempt.advance(transaction, {}, { deleted: due.length });
    return due.length === DELETIONS_PER_STEP;
  });
}
