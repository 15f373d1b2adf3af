import { sql, type Insertable, type Kysely } from 'kysely';
import type { Database, DocumentRecord, DocumentsTable } from '../../database/tables.ts';
import type { JobQueue } from '../../queue/job-queue.ts';
import type { Backlogs } from './backlogs.ts';
import { ingestJob } from './enqueue.ts';

export type NewRecord = Insertable<DocumentsTable> & { workspace_id: string };

/**
 * Adds documents of several uploads and their jobs in one transaction. Records in order; undefined for one whose
 * collection is not there or is deleted.
 */
export async function createTogether(
  { database, queue, backlogs }: { database: Kysely<Database>; queue: JobQueue; backlogs: Backlogs },
  documents: readonly NewRecord[],
): Promise<(DocumentRecord | undefined)[]> {
  const priorities = await prioritiesOf(documents, backlogs);
  return database.transaction().execute(async (transaction) => {
    const { rows } = await insertion(documents).execute(transaction);
    const records = new Map(rows.map((row) => [row.id, row]));
    const jobs = rows.map((row) => ingestJob(row, priorities.get(row.id) ?? 0));
    await queue.enqueueMany(transaction, jobs);
    return documents.map(({ id }) => records.get(id));
  });
}

/** The n-th document of a workspace's backlog runs along with the n-th of every other. */
async function prioritiesOf(documents: readonly NewRecord[], backlogs: Backlogs): Promise<Map<string, number>> {
  const priorities = new Map<string, number>();
  const workspaceIds = new Set(documents.map((document) => document.workspace_id));
  for (const workspaceId of workspaceIds) {
    const own = documents.filter((document) => document.workspace_id === workspaceId);
    const before = await backlogs.add(workspaceId, own.length);
    for (const [place, { id }] of own.entries()) priorities.set(id, before + place + 1);
  }
  return priorities;
}

/** One array a column: the same text for any number of rows, planned once a connection. */
function insertion(documents: readonly NewRecord[]) {
  const column = <Name extends keyof NewRecord>(name: Name): NewRecord[Name][] =>
    documents.map((document) => document[name]);
  return sql<DocumentRecord>`
    insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, content_id,
      is_archive, metadata, status, stage)
    select document.id, document.workspace_id, document.collection_id, document.name, document.format,
      document.content_type, document.size_bytes, document.sha256, document.content_id, document.is_archive,
      document.metadata, 'indexing', 'queued'
    from unnest(
      ${column('id')}::uuid[], ${column('workspace_id')}::uuid[], ${column('collection_id')}::uuid[],
      ${column('name')}::text[], ${column('format')}::text[], ${column('content_type')}::text[],
      ${column('size_bytes')}::bigint[], ${column('sha256')}::text[], ${column('content_id')}::uuid[],
      ${column('is_archive')}::boolean[], ${column('metadata')}::jsonb[]
    ) with ordinality as document (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256,
      content_id, is_archive, metadata, place)
    join collections on collections.id = document.collection_id
      and collections.workspace_id = document.workspace_id and collections.deleted_at is null
    order by document.place
    returning *`;
}
