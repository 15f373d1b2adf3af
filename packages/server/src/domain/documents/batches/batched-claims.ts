/**
 * Begins attempts at many documents with three statements. A batch leaves out rows that another transaction has locked,
 * so that no document waits for another and two batches cannot deadlock; those documents are claimed singly.
 */
import { sql, type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Database, DocumentRecord } from '../../../database/tables.ts';
import type { JobClaim } from '../../../queue/job-queue.ts';
import { CollectionRepository } from '../../collections/repository.ts';
import type { Attempt } from '../attempt.ts';
import { lockClause, type LockMode } from '../lock-attempts.ts';

export interface Claim {
  workspaceId: string;
  documentId: string;
  revision: number;
  job: JobClaim | null;
}

/** Returns attempts in order, undefined for a claim with nothing to do and, with `skip`, for a locked document. */
export async function claimBatch(
  database: Kysely<Database>,
  claims: readonly Claim[],
  deadlineMs: number,
  mode: LockMode,
): Promise<(Attempt | undefined)[]> {
  const tokens = claims.map(() => randomUUID());
  const { rows } = await sql<DocumentRecord>`
    with claim as (
      select * from unnest(
        ${claims.map((claim) => claim.workspaceId)}::uuid[], ${claims.map((claim) => claim.documentId)}::uuid[],
        ${claims.map((claim) => claim.revision)}::int[], ${tokens}::uuid[]
      ) as claim (workspace_id, id, revision, token)
    ), free as (
      select documents.id, claim.token from documents
      join claim on claim.id = documents.id and claim.workspace_id = documents.workspace_id
        and claim.revision = documents.revision
      where documents.status = 'indexing' and documents.deleted_at is null
      for update of documents ${lockClause(mode)}
    )
    update documents set attempt_token = free.token, attempts = attempts + 1, deadline_at = ${new Date(Date.now() + deadlineMs)}
    from free where documents.id = free.id
    returning documents.*`.execute(database);
  const collectionIds = [...new Set(rows.map((row) => row.collection_id))];
  const collections = new CollectionRepository(database);
  const [records, indexes] = await Promise.all([
    collections.findByIds(collectionIds),
    collections.activeIndexes(collectionIds),
  ]);
  const collectionById = new Map(records.map((record) => [record.id, record]));
  const documentByToken = new Map(rows.map((row) => [row.attempt_token, row]));
  return tokens.map((token, position) => {
    const document = documentByToken.get(token);
    const collection = document && collectionById.get(document.collection_id);
    if (document === undefined || collection === undefined) return undefined;
    const own = indexes.filter((index) => index.collection_id === collection.id);
    return { token, job: claims[position]?.job ?? null, document, collection, indexes: own };
  });
}
