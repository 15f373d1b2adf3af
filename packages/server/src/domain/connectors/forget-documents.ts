import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { retryDeadlock } from '../../database/retry-deadlock.ts';
import type { Notifications } from '../../database/notifications.ts';
import type { Database } from '../../database/tables.ts';
import { endJob } from '../../queue/claims.ts';
import type { JobClaim } from '../../queue/job-queue.ts';
import { DocumentRepository } from '../documents/repository.ts';
import { documentTopic } from '../documents/types.ts';

const DOCUMENTS_PER_STEP = 500;

/**
 * Deletes the next documents that a connector imported, softly; returns whether there may be more. The last step ends
 * the job.
 */
export async function deleteImported(
  database: Kysely<Database>,
  notifications: Pick<Notifications, 'publish'>,
  { workspaceId, collectionId, connectorId }: { workspaceId: string; collectionId: string; connectorId: string },
  job: JobClaim | null = null,
): Promise<boolean> {
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ id: string }>`
        select id from documents where workspace_id = ${workspaceId} and collection_id = ${collectionId}
          and deleted_at is null and metadata @> ${JSON.stringify({ source: { connectorId } })}::jsonb
        order by key limit ${DOCUMENTS_PER_STEP}`.execute(transaction);
      const ids = rows.map(({ id }) => id);
      const hidden = await new DocumentRepository(transaction).markDeleted(workspaceId, collectionId, (eb) =>
        eb('documents.id', '=', (any) => any.fn.any(any.val(ids))),
      );
      for (const { id } of hidden) await notifications.publish(transaction, documentTopic(id));
      await sql`
        update connector_items set status = 'deleted', todo = null, version = null, is_missing = true
        where connector_id = ${connectorId} and document_id = any(${ids}::uuid[])`.execute(transaction);
      const isLast = ids.length < DOCUMENTS_PER_STEP;
      if (isLast) await endJob(transaction, job);
      return !isLast;
    }),
  );
}
