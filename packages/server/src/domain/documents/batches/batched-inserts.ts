/** Inserts documents: uploads that arrive together, and members of an archive. All of them take this one path. */
import { sql, type Insertable, type Kysely, type Transaction } from 'kysely';
import type { Database, DocumentRecord, DocumentsTable } from '../../../database/tables.ts';
import type { Backlogs } from '../../../queue/backlogs.ts';
import type { JobQueue } from '../../../queue/job-queue.ts';
import { withAudits } from '../../audit/with-audits.ts';
import { usageOf, type WorkspaceQuota } from '../../workspaces/quota.ts';
import { ingestJob } from '../enqueue.ts';

type NewRow = Insertable<DocumentsTable>;

/**
 * The SQL type of each column that an insert sets; `default` leaves the column to the database. A new column of the
 * table does not compile until it is listed here, so no insert can drop a column silently.
 */
const COLUMNS = {
  id: 'uuid',
  workspace_id: 'uuid',
  collection_id: 'uuid',
  parent_id: 'uuid',
  name: 'text',
  format: 'text',
  content_type: 'text',
  size_bytes: 'bigint',
  sha256: 'text',
  content_id: 'uuid',
  is_archive: 'boolean',
  metadata: 'jsonb',
  status: 'text',
  stage: 'text',
  error_type: 'text',
  error_message: 'text',
  warnings: 'default',
  progress: 'default',
  language: 'default',
  page_count: 'default',
  title: 'default',
  chunk_count: 'default',
  revision: 'default',
  searchable_revision: 'default',
  searchable_content_id: 'default',
  attempt_token: 'default',
  attempts: 'default',
  deadline_at: 'default',
  created_at: 'default',
  modified_at: 'default',
  ready_at: 'default',
  deleted_at: 'default',
} as const satisfies Record<keyof NewRow, 'uuid' | 'text' | 'bigint' | 'boolean' | 'jsonb' | 'default'>;

type Column = keyof typeof COLUMNS;
type InsertedColumn = { [Name in Column]: (typeof COLUMNS)[Name] extends 'default' ? never : Name }[Column];

/**
 * A document to insert. Every inserted column must be set, also a nullable one; a value for a column that inserts leave
 * to the database does not compile.
 */
export type NewRecord = Required<Pick<NewRow, InsertedColumn>> & { metadata: string; is_archive: boolean } & {
  [Name in Exclude<Column, InsertedColumn>]?: never;
};

const INSERTED = (Object.keys(COLUMNS) as Column[]).filter(
  (name): name is InsertedColumn => COLUMNS[name] !== 'default',
);

export interface BatchDeps {
  database: Kysely<Database>;
  queue: JobQueue;
  backlogs: Backlogs;
  quota?: WorkspaceQuota | undefined;
}

/**
 * Inserts documents of any number of uploads and their jobs in one transaction. Returns the records in order, undefined
 * for a document whose collection does not exist or is deleted.
 */
export async function createBatch(
  { database, queue, backlogs, quota }: BatchDeps,
  documents: readonly NewRecord[],
): Promise<(DocumentRecord | undefined)[]> {
  const priorities = await backlogs.prioritiesOf(documents);
  return withAudits(database, async (transaction) => {
    const records = await insertDocuments(transaction, documents, quota);
    const jobs = records.flatMap((row) => (row === undefined ? [] : [ingestJob(row, priorities.get(row.id) ?? 0)]));
    await queue.enqueueMany(transaction, jobs);
    return { result: records, written: documents.filter((_, position) => records[position] !== undefined) };
  });
}

/**
 * Inserts documents with one statement. Returns the records in order, undefined for a document whose collection does
 * not exist or is deleted. One array per column keeps the statement's text, and so its plan, the same for any number of
 * rows. Throws `QuotaExceeded` if a workspace has no room for them.
 */
export async function insertDocuments(
  transaction: Transaction<Database>,
  documents: readonly NewRecord[],
  quota: WorkspaceQuota | undefined,
): Promise<(DocumentRecord | undefined)[]> {
  await quota?.reserve(
    transaction,
    usageOf(documents.map((each) => ({ ...each, documents: 1, bytes: each.size_bytes }))),
  );
  const names = sql.join(INSERTED.map((name) => sql.ref(name)));
  const values = INSERTED.map(
    (name) => sql`${documents.map((document) => document[name])}::${sql.raw(COLUMNS[name])}[]`,
  );
  const { rows } = await sql<DocumentRecord>`
    insert into documents (${names})
    select ${sql.join(INSERTED.map((name) => sql.ref(`document.${name}`)))}
    from unnest(${sql.join(values)}) with ordinality as document (${names}, position)
    join collections on collections.id = document.collection_id
      and collections.workspace_id = document.workspace_id and collections.deleted_at is null
    order by document.position
    returning *`.execute(transaction);
  const records = new Map(rows.map((row) => [row.id, row]));
  return documents.map(({ id }) => records.get(id));
}
